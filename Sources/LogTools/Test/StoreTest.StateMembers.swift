import ActionLog

extension StoreTest {
  /// Information about the members of a state that a log does not contain.
  ///
  /// A member is named by the end of its path: `draft`, or `account.draft` for that of the feature `account` only.
  package struct StateMembers {
    /// Members that hold shared values.
    var shared: Set<String> = []
    /// Members that only read shared values and therefore follow them.
    var readers: Set<String> = []
    /// Members that are assigned as one value because their parts cannot be assigned; `*` for all.
    var whole: Set<String> = []
    /// Pairs of shared members that once had different values and are therefore independent.
    var distinct: Set<Set<ValuePlaces.Place>> = []

    /// Creates the information from named members.
    package init(
      shared: Set<String> = [],
      readers: Set<String> = [],
      whole: Set<String> = []
    ) {
      (self.shared, self.readers, self.whole) = (shared, readers, whole)
    }
  }
}

extension StoreTest.StateMembers {
  func isShared(_ place: ValuePlaces.Place) -> Bool { Self.contains(shared, place) }
  func isReader(_ place: ValuePlaces.Place) -> Bool { Self.contains(readers, place) }
  func isWhole(_ place: ValuePlaces.Place) -> Bool {
    Self.contains(whole, place) || readsAll && place.count > 1 && place[0] == "$0"
  }

  /// Whether every value is read from the log's JSON, so that no type must be known.
  var readsAll: Bool { whole.contains("*") }

  func areDistinct(_ first: ValuePlaces.Place, _ second: ValuePlaces.Place) -> Bool {
    distinct.contains([first, second])
  }

  /// Returns the name of a path, without the tokens between a member and its value.
  static func path(_ place: ValuePlaces.Place) -> String {
    place.dropFirst().filter { $0 != "*" && $0 != "element" && !$0.isPlaceOfPayload }
      .joined(separator: ".")
  }

  private static func contains(_ names: Set<String>, _ place: ValuePlaces.Place) -> Bool {
    guard !names.isEmpty else { return false }
    let path = path(place)
    return names.contains { path == $0 || path.hasSuffix(".\($0)") }
  }
}
