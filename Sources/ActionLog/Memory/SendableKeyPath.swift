/// A key path that goes from thread to thread.
///
/// A key path never changes. The language takes one for `Sendable` only where it sees it written; those that macros write and
/// those that were appended to each other capture nothing, and those of a user capture the arguments of subscripts, which are
/// hashed and compared, and are not changed.
package struct SendableKeyPath<Path: AnyKeyPath>: Hashable, Sendable {
  /// The key path.
  nonisolated(unsafe) package let path: Path

  /// Takes a key path.
  package init(_ path: Path) { self.path = path }
}
