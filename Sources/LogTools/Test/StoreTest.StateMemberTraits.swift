import ActionLog

extension StoreTest {
  /// Information that a log lacks about the members of a state.
  ///
  /// A member is identified by the end of its path: `draft` for any member of this name, or `account.draft` for a
  /// member of the feature `account`.
  package struct StateMemberTraits {
    /// The members that hold shared values.
    var shared: Set<String> = []
    /// The members that only read shared values, and therefore change with them.
    var readers: Set<String> = []
    /// The members that are assigned as one value, because their own members can't be assigned; `*` for all members.
    var whole: Set<String> = []
    /// Pairs of shared members that had different values in some state, and are therefore independent.
    var distinct: Set<Set<ValueTypeInference.WildcardPath>> = []

    /// Creates the information from the members that the user names.
    package init(
      shared: Set<String> = [],
      readers: Set<String> = [],
      whole: Set<String> = []
    ) {
      (self.shared, self.readers, self.whole) = (shared, readers, whole)
    }
  }
}

extension StoreTest.StateMemberTraits {
  func isShared(_ place: ValueTypeInference.WildcardPath) -> Bool { Self.contains(shared, place) }
  func isReader(_ place: ValueTypeInference.WildcardPath) -> Bool { Self.contains(readers, place) }
  func isWhole(_ place: ValueTypeInference.WildcardPath) -> Bool {
    Self.contains(whole, place) || readsAll && place.count > 1 && place[0] == "$0"
  }

  /// Whether all values are decoded from the log's JSON, because literals could have the wrong types.
  var readsAll: Bool { whole.contains("*") }

  func areDistinct(
    _ first: ValueTypeInference.WildcardPath,
    _ second: ValueTypeInference.WildcardPath
  ) -> Bool {
    distinct.contains([first, second])
  }

  /// Returns the name for a path, without the tokens that the log format adds between a member and its value.
  static func path(_ place: ValueTypeInference.WildcardPath) -> String {
    place.dropFirst().filter { $0 != "*" && $0 != "element" && !$0.isPlaceOfPayload }
      .joined(separator: ".")
  }

  private static func contains(
    _ names: Set<String>,
    _ place: ValueTypeInference.WildcardPath
  ) -> Bool {
    guard !names.isEmpty else { return false }
    // The ends of the path are looked up, because there can be many names.
    let tokens = path(place).split(separator: ".", omittingEmptySubsequences: false)
    return tokens.indices.contains { names.contains(tokens[$0...].joined(separator: ".")) }
  }
}
