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

/// What takes the payload out of an enum: `actions.compactMap(/Action.rename)`.
@_disfavoredOverload
public prefix func / <Root, Value>(
  embed: @escaping (Value) -> Root
) -> (Root) -> Value? {
  AnyCasePath(embed).extract(from:)
}

/// What says whether an enum stands in a case without payload: `actions.compactMap(/Action.tap)`.
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

/// What takes the payload of a payload out: `actions.compactMap(/Action.child .. ChildAction.rename)`.
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

  /// Whether a value stands in a case: `case /Action.rename:`.
  public static func ~= (path: AnyCasePath, value: Root) -> Bool {
    path.extract(from: value) != nil
  }

  /// Changes the payload of an enum in place.
  ///
  /// - Parameters:
  ///   - root: The enum.
  ///   - body: Changes the payload.
  /// - Returns: What the body returns.
  /// - Throws: `ExtractionFailed` when the enum stands in another case; what the body throws.
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

/// An enum stood in another case than the one that was asked for.
public struct ExtractionFailed: Error, Sendable {
  /// Makes the error.
  public init() {}
}
