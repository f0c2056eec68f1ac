/// A key path that can be used in any thread.
///
/// A key path never changes. The compiler infers `Sendable` only for key path literals. Key paths from macros, and key
/// paths that were appended to each other, capture no values. Key paths that users write capture the arguments of
/// subscripts, which are hashed and compared but never changed.
package struct SendableKeyPath<Path: AnyKeyPath>: Hashable, Sendable {
  nonisolated(unsafe) package let path: Path

  package init(_ path: Path) { self.path = path }
}
