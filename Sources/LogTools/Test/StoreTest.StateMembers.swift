import ActionLog

extension StoreTest {
  /// What a log does not tell of the members of a state.
  ///
  /// A member is named by the end of the way to it: `draft`, or `account.draft` for that of the feature `account` alone.
  package struct StateMembers {
    /// Those that hold shared values.
    var shared: Set<String> = []
    /// Those that only read shared values, so that they follow.
    var readers: Set<String> = []
    /// Those that are assigned as a whole, because what is in them cannot be assigned; `*` for all.
    var whole: Set<String> = []
    /// The pairs of shared members that once had different values: those are different values.
    var distinct: Set<Set<ValuePlaces.Place>> = []

    /// Members that are named.
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

  /// Whether every value is read from the log's JSON, so that no type has to be known.
  var readsAll: Bool { whole.contains("*") }

  func areDistinct(_ first: ValuePlaces.Place, _ second: ValuePlaces.Place) -> Bool {
    distinct.contains([first, second])
  }

  /// The way to a place as it is named: without what is between a member and its value.
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
