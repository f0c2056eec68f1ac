/// A case of an enum as a pair of functions: one embeds a payload in the enum, and one extracts it.
///
/// ```swift
/// AnyCasePath(embed: Action.rename) { action in
///   guard case .rename(let name) = action else { return nil }
///   return name
/// }
/// ```
public struct AnyCasePath<Root, Value>: Sendable {
  // Unsafe, but each function is either `@Sendable` or generated. Wrapping generated functions in `@Sendable` closures
  // would add two closures to each use.
  @usableFromInline nonisolated(unsafe) let _embed: (Value) -> Root
  @usableFromInline nonisolated(unsafe) let _extract: (Root) -> Value?

  /// Creates a case path from two functions.
  ///
  /// - Parameters:
  ///   - embed: A function that returns the enum value with a payload.
  ///   - extract: A function that returns the payload of an enum value, or `nil` if the value has another case.
  @inlinable
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self._embed = embed
    self._extract = extract
  }

  /// Creates a case path from generated functions.
  ///
  /// Generated functions capture just the generic parameters of the enum, so any thread can call them. In Swift 5, the
  /// compiler can't verify this for cases used as functions, or for generic parameters whose metatypes might be
  /// isolated to an actor.
  @inlinable
  public init(
    _$embed embed: @escaping (Value) -> Root,
    extract: @escaping (Root) -> Value?
  ) {
    self._embed = embed
    self._extract = extract
  }

  /// Returns the enum value of this case with a payload.
  @inlinable
  public func embed(_ value: Value) -> Root {
    _embed(value)
  }

  /// Returns the payload of an enum value, or `nil` if the value has another case.
  @inlinable
  public func extract(from root: Root) -> Value? {
    _extract(root)
  }
}

extension AnyCasePath {
  /// Creates the identity path, from a value to itself.
  ///
  /// The type need not be an enum, so `\.self` also works for actions that are not enums.
  public init() where Root == Value {
    self.init(embed: { $0 }, extract: { $0 })
  }

  /// Creates a case path from the name of one of the enum's cases, such as `\.child`.
  ///
  /// Operators name cases this way, because the key path is a constant. A case key path, which can lead through nested
  /// cases, is created again for each evaluation of a `body`.
  @inlinable
  init(named name: CaseName<Root, Value>) where Root: CasePathable {
    self = Root.allCasePaths[keyPath: name]
  }

  /// Creates a case path from a case key path, such as `\.child.tap`.
  public init(_ keyPath: CaseKeyPath<Root, Value>) {
    self = Case<Root>()[keyPath: keyPath].path(from: Root.self)
  }

  /// Returns the case path that leads from the root of this case path to the payload of a second one.
  ///
  /// The second case path starts at the payload of this one.
  public func appending<Next>(path next: AnyCasePath<Value, Next>) -> AnyCasePath<Root, Next> {
    AnyCasePath<Root, Next>(
      embed: { self.embed(next.embed($0)) },
      extract: { self.extract(from: $0).flatMap(next.extract(from:)) }
    )
  }
}

extension AnyCasePath where Value == Void {
  /// Returns the enum value of the case, which has no payload.
  public func embed() -> Root {
    _embed(())
  }
}
