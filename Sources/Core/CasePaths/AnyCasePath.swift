/// The two ways between an enum and the payload of one of its cases: put in, take out.
///
/// ```swift
/// AnyCasePath(embed: Action.rename) { action in
///   guard case .rename(let name) = action else { return nil }
///   return name
/// }
/// ```
public struct AnyCasePath<Root, Value>: Sendable {
  // Either "@Sendable" or generated; wrapping the latter in closures would cost two more of these for each use of a path.
  @usableFromInline nonisolated(unsafe) let _embed: (Value) -> Root
  @usableFromInline nonisolated(unsafe) let _extract: (Root) -> Value?

  /// Makes a case path of its two directions.
  ///
  /// - Parameters:
  ///   - embed: Makes the enum of a payload.
  ///   - extract: Takes the payload out, nil when the enum has another case.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self._embed = embed
    self._extract = extract
  }

  /// Makes a case path of generated functions.
  ///
  /// These capture nothing but the generic parameters of the enum, so they can go anywhere. The language does not see that
  /// of cases as functions in Swift 5, nor of parameters whose metatypes might be bound to an actor.
  public init(
    _$embed embed: @escaping (Value) -> Root,
    extract: @escaping (Root) -> Value?
  ) {
    self._embed = embed
    self._extract = extract
  }

  /// Makes an enum of a payload.
  @inlinable
  public func embed(_ value: Value) -> Root {
    _embed(value)
  }

  /// Takes the payload out of an enum, nil when it has another case.
  @inlinable
  public func extract(from root: Root) -> Value? {
    _extract(root)
  }
}

extension AnyCasePath {
  /// The case path that leads from a value to itself.
  ///
  /// It asks nothing of the type, so `\.self` works for actions that are no enums at all.
  public init() where Root == Value {
    self.init(embed: { $0 }, extract: { $0 })
  }

  /// Resolves a case key path, such as `\.child.tap`.
  public init(_ keyPath: CaseKeyPath<Root, Value>) {
    self = Case<Root>()[keyPath: keyPath].path(from: Root.self)
  }

  /// Goes on from this path's payload along a second path.
  public func appending<Next>(path next: AnyCasePath<Value, Next>) -> AnyCasePath<Root, Next> {
    AnyCasePath<Root, Next>(
      embed: { self.embed(next.embed($0)) },
      extract: { self.extract(from: $0).flatMap(next.extract(from:)) }
    )
  }
}

extension AnyCasePath where Value == Void {
  /// Makes an enum of a case that has no payload.
  public func embed() -> Root {
    _embed(())
  }
}
