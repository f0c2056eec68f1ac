extension AnyCasePath {
  /// Makes a case path of a case alone, and finds the payload by reflection.
  ///
  /// ```swift
  /// AnyCasePath(Action.rename)
  /// ```
  ///
  /// Enums that conform to `CasePathable` need none of this, and are faster.
  ///
  /// - Parameter embed: The case.
  public init(_ embed: @escaping (Value) -> Root) {
    self.init(_$embed: embed, extract: { root in reflectedPayload(of: root, embed) })
  }
}

/// The payload of an enum, if it has the case that `embed` makes.
private func reflectedPayload<Root, Value>(of root: Root, _ embed: (Value) -> Root) -> Value? {
  if let wrapped = wrappedValue(of: root) as? Value, DumpEquality.areEqual(embed(wrapped), root) {
    // The case is `some` itself.
    return wrapped
  }
  guard let found = unwrappedCase(of: root), let payload = found.payload else { return nil }
  guard let value = payload as? Value ?? onlyElement(of: payload) as? Value else { return nil }
  // Another case may hold the same type, and may have the same name with other labels.
  guard let made = unwrappedCase(of: embed(value)), made.label == found.label,
    made.payload.map(labels) == labels(of: payload)
  else { return nil }
  return value
}

/// The value of an optional.
private func wrappedValue(of value: Any) -> Any? {
  let mirror = Mirror(reflecting: value)
  return mirror.displayStyle == .optional ? mirror.children.first?.value : nil
}

/// The case of an enum, or of the one inside an optional.
private func unwrappedCase(of value: Any) -> (label: String, payload: Any?)? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return enumCase(of: value) }
  return mirror.children.first.flatMap { enumCase(of: $0.value) }
}

/// The labels within a payload.
private func labels(of payload: Any) -> [String?] {
  let mirror = Mirror(reflecting: payload)
  return mirror.displayStyle == .tuple ? mirror.children.map(\.label) : [nil]
}

/// The payload of a case with a label is a tuple of one.
private func onlyElement(of payload: Any) -> Any? {
  let mirror = Mirror(reflecting: payload)
  guard mirror.displayStyle == .tuple, mirror.children.count == 1 else { return nil }
  return mirror.children.first?.value
}

extension AnyCasePath where Value == Void {
  /// Makes a case path of a case without payload: `AnyCasePath(Action.tap)`.
  ///
  /// - Parameter root: The case.
  @_disfavoredOverload
  public init(_ root: Root) {
    self.init(case: root)
  }

  /// Makes a case path of a case without payload.
  init(case root: Root) {
    self.init(
      _$embed: { root },
      extract: { other in
        guard let own = unwrappedCase(of: root), let found = unwrappedCase(of: other) else {
          return nil
        }
        return own.label == found.label && found.payload == nil ? () : nil
      }
    )
  }
}

prefix operator /

/// The case path of a case: `/Action.rename`.
///
/// In Swift 6 mode a slash begins a regular expression, so this is for modules in Swift 5 mode. It serves enums to which no
/// macro can be attached, such as those inside of functions; all others are better off with `@CasePathable` and key paths.
///
/// - Parameter embed: The case.
/// - Returns: The case path, which finds payloads by reflection.
public prefix func / <Root, Value>(
  embed: @escaping (Value) -> Root
) -> AnyCasePath<Root, Value> {
  AnyCasePath(embed)
}

/// The case path of a case without payload: `/Action.tap`.
public prefix func / <Root>(root: Root) -> AnyCasePath<Root, Void> {
  AnyCasePath(case: root)
}

/// The case path from an enum to itself: `/Action.self`.
public prefix func / <Root>(type: Root.Type) -> AnyCasePath<Root, Root> {
  AnyCasePath()
}

/// A case path that is known already, such as `/.self`.
public prefix func / <Root, Value>(path: AnyCasePath<Root, Value>) -> AnyCasePath<Root, Value> {
  path
}

extension AnyCasePath where Root == Value {
  /// The case path from an enum to itself: `/.self`.
  public static var `self`: AnyCasePath { AnyCasePath() }
}

extension AnyCasePath where Root == Value? {
  /// The case path from an optional to what it wraps: `/.some`.
  public static var some: AnyCasePath { AnyCasePath(embed: { $0 }, extract: { $0 }) }
}

/// A function that extracts the payload of an enum: `actions.compactMap(/Action.rename)`.
@_disfavoredOverload
public prefix func / <Root, Value>(
  embed: @escaping (Value) -> Root
) -> (Root) -> Value? {
  AnyCasePath(embed).extract(from:)
}

/// A function that finds whether an enum has a case without payload: `actions.compactMap(/Action.tap)`.
@_disfavoredOverload
public prefix func / <Root>(root: Root) -> (Root) -> Void? {
  AnyCasePath(case: root).extract(from:)
}

infix operator .. : CasePathComposition

/// Case paths are composed from the left to the right.
precedencegroup CasePathComposition {
  associativity: left
  higherThan: MultiplicationPrecedence
}

/// A function that extracts the payload of a payload: `actions.compactMap(/Action.child .. ChildAction.rename)`.
public func .. <Root, Value, Next>(
  extract: @escaping (Root) -> Value?,
  next: @escaping (Next) -> Value
) -> (Root) -> Next? {
  { root in extract(root).flatMap(AnyCasePath(next).extract(from:)) }
}

extension AnyCasePath {
  /// Goes on along a second path: `/Action.child .. /ChildAction.rename`.
  public static func .. <Next>(
    path: AnyCasePath<Root, Value>,
    next: AnyCasePath<Value, Next>
  ) -> AnyCasePath<Root, Next> {
    path.appending(path: next)
  }

  /// Goes on to a case of the payload: `/Action.child .. ChildAction.rename`.
  public static func .. <Next>(
    path: AnyCasePath<Root, Value>,
    next: @escaping (Next) -> Value
  ) -> AnyCasePath<Root, Next> {
    path.appending(path: AnyCasePath<Value, Next>(next))
  }

  /// Whether a value has a case: `case /Action.rename:`.
  public static func ~= (path: AnyCasePath, value: Root) -> Bool {
    path.extract(from: value) != nil
  }

  /// Changes the payload of an enum in place.
  ///
  /// - Parameters:
  ///   - root: The enum.
  ///   - body: Changes the payload.
  /// - Returns: What the body returns.
  /// - Throws: `ExtractionFailed` when the enum has another case; what the body throws.
  public func modify<Result>(
    _ root: inout Root,
    _ body: (inout Value) throws -> Result
  ) throws -> Result {
    guard var value = extract(from: root) else { throw ExtractionFailed() }
    let result = try body(&value)
    root = embed(value)
    return result
  }
}

/// An enum had another case than the requested one.
///
/// ```swift
/// var action = Action.saved
/// do { try AnyCasePath(\Action.Cases.renamed).modify(&action) { $0 += "!" } } catch is ExtractionFailed {}
/// ```
public struct ExtractionFailed: Error, Sendable {
  /// Makes the error.
  public init() {}
}

extension AnyCasePath where Root == Value {
  /// The case path from an enum to itself: `AnyCasePath(Action.self)`.
  @available(*, deprecated, message: "Use \"AnyCasePath()\".")
  public init(_ type: Root.Type) {
    self.init()
  }
}

extension AnyCasePath where Root == Void {
  /// A case path that always finds a value.
  @available(*, deprecated, message: "Use \"AnyCasePath(embed:extract:)\".")
  public static func constant(_ value: @autoclosure @escaping @Sendable () -> Value) -> Self {
    Self(embed: { _ in }, extract: { value() })
  }
}

extension AnyCasePath where Value == Never {
  /// A case path that finds nothing.
  @available(*, deprecated, message: "Use \"AnyCasePath(embed:extract:)\".")
  public static var never: Self {
    Self(_$embed: _$absurd, extract: { _ in nil })
  }
}

extension AnyCasePath where Value: RawRepresentable, Root == Value.RawValue {
  /// The case path from a raw value to the value that it represents.
  @available(*, deprecated, message: "Use \"AnyCasePath(embed:extract:)\".")
  public static var rawValue: Self {
    Self(_$embed: { $0.rawValue }, extract: { Value(rawValue: $0) })
  }
}

extension AnyCasePath where Value: LosslessStringConvertible, Root == String {
  /// The case path from a description to what it describes.
  @available(*, deprecated, message: "Use \"AnyCasePath(embed:extract:)\".")
  public static var description: Self {
    Self(_$embed: { $0.description }, extract: { Value($0) })
  }
}
