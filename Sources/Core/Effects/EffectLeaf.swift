/// What is known of each effect that does something: where it was written, what it captured.
package struct EffectLeaf: Sendable {
  /// The name that the feature gave it.
  package var name: String?
  /// Where it was written.
  package var location: IssueLocation
  /// Whether the library made it for its own needs; such effects are not part of a recording.
  package var isInternal = false
  /// Who watches it, and under which id.
  package var tags: [EffectTag] = []
  /// The dependencies and the navigation path that surrounded its making.
  package let dependencies: DependencyValues

  package init(name: String? = nil, location: IssueLocation, isInternal: Bool = false) {
    self.name = name
    self.location = location
    self.isInternal = isInternal
    self.dependencies = DependencyValues._current
  }
}
