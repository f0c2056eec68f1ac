extension AnyCasePath {
  /// Creates a case path that extracts the payloads of an enum case by reflection.
  ///
  /// ```swift
  /// AnyCasePath(Action.rename)
  /// ```
  ///
  /// Enums that conform to `CasePathable` have faster case paths without reflection.
  ///
  /// - Parameter embed: The enum case, as a function from its payload to the enum.
  public init(_ embed: @escaping (Value) -> Root) {
    self.init(_$embed: embed, extract: { root in reflectedPayload(of: root, embed) })
  }
}

/// Returns the payload of an enum value, or `nil` if its case isn't the one that `embed` creates.
private func reflectedPayload<Root, Value>(of root: Root, _ embed: (Value) -> Root) -> Value? {
  if let wrapped = wrappedValue(of: root) as? Value, DumpEquality.areEqual(embed(wrapped), root) {
    // `embed` is the case `some` of an optional.
    return wrapped
  }
  guard let found = unwrappedCase(of: root), let payload = found.payload else { return nil }
  guard let value = payload as? Value ?? onlyElement(of: payload) as? Value else { return nil }
  // Compares the cases, because another case may have a payload of the same type, or the same name and other labels.
  guard let made = unwrappedCase(of: embed(value)), made.label == found.label,
    made.payload.map(labels) == labels(of: payload)
  else { return nil }
  return value
}

private func wrappedValue(of value: Any) -> Any? {
  let mirror = Mirror(reflecting: value)
  return mirror.displayStyle == .optional ? mirror.children.first?.value : nil
}

/// Returns the name and payload of an enum value's case, or of the case inside an optional.
private func unwrappedCase(of value: Any) -> (label: String, payload: Any?)? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return enumCase(of: value) }
  return mirror.children.first.flatMap { enumCase(of: $0.value) }
}

/// Returns the labels of the elements in a payload that is a tuple.
private func labels(of payload: Any) -> [String?] {
  let mirror = Mirror(reflecting: payload)
  return mirror.displayStyle == .tuple ? mirror.children.map(\.label) : [nil]
}

/// Returns the element of a tuple with one element, or `nil` for other payloads.
///
/// The mirror of a case with one labeled associated value shows its payload as such a tuple.
private func onlyElement(of payload: Any) -> Any? {
  let mirror = Mirror(reflecting: payload)
  guard mirror.displayStyle == .tuple, mirror.children.count == 1 else { return nil }
  return mirror.children.first?.value
}

extension AnyCasePath where Value == Void {
  /// Creates a case path for a case without a payload: `AnyCasePath(Action.tap)`.
  ///
  /// - Parameter root: The enum value with this case.
  @_disfavoredOverload
  public init(_ root: Root) {
    self.init(case: root)
  }

  /// Creates a case path for a case without a payload.
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

/// Returns the case path of an enum case: `/Action.rename`.
///
/// The operator requires Swift 5 mode, because a slash begins a regular expression in Swift 6 mode. The operator is for
/// enums that can't have an attached macro, such as local enums. For other enums, prefer `@CasePathable` and key paths.
///
/// - Parameter embed: The enum case, as a function from its payload to the enum.
/// - Returns: A case path that extracts payloads by reflection.
public prefix func / <Root, Value>(
  embed: @escaping (Value) -> Root
) -> AnyCasePath<Root, Value> {
  AnyCasePath(embed)
}

/// Returns the case path of an enum case without a payload: `/Action.tap`.
public prefix func / <Root>(root: Root) -> AnyCasePath<Root, Void> {
  AnyCasePath(case: root)
}

/// Returns the identity case path of a type: `/Action.self`.
public prefix func / <Root>(type: Root.Type) -> AnyCasePath<Root, Root> {
  AnyCasePath()
}

/// Returns a case path unchanged, so that expressions such as `/.self` compile.
public prefix func / <Root, Value>(path: AnyCasePath<Root, Value>) -> AnyCasePath<Root, Value> {
  path
}

extension AnyCasePath where Root == Value {
  /// The identity case path: `/.self`.
  public static var `self`: AnyCasePath { AnyCasePath() }
}

extension AnyCasePath where Root == Value? {
  /// The case path from an optional to its wrapped value: `/.some`.
  public static var some: AnyCasePath { AnyCasePath(embed: { $0 }, extract: { $0 }) }
}

/// Returns a function that extracts the payload of a case: `actions.compactMap(/Action.rename)`.
@_disfavoredOverload
public prefix func / <Root, Value>(
  embed: @escaping (Value) -> Root
) -> (Root) -> Value? {
  AnyCasePath(embed).extract(from:)
}

/// Returns a function that matches a case without a payload: `actions.compactMap(/Action.tap)`.
@_disfavoredOverload
public prefix func / <Root>(root: Root) -> (Root) -> Void? {
  AnyCasePath(case: root).extract(from:)
}

infix operator .. : CasePathComposition

/// The precedence of the operator `..`, which composes case paths from left to right.
precedencegroup CasePathComposition {
  associativity: left
  higherThan: MultiplicationPrecedence
}

/// Returns a function that extracts a nested payload: `actions.compactMap(/Action.child .. ChildAction.rename)`.
public func .. <Root, Value, Next>(
  extract: @escaping (Root) -> Value?,
  next: @escaping (Next) -> Value
) -> (Root) -> Next? {
  { root in extract(root).flatMap(AnyCasePath(next).extract(from:)) }
}

extension AnyCasePath {
  /// Returns the case path through two case paths: `/Action.child .. /ChildAction.rename`.
  public static func .. <Next>(
    path: AnyCasePath<Root, Value>,
    next: AnyCasePath<Value, Next>
  ) -> AnyCasePath<Root, Next> {
    path.appending(path: next)
  }

  /// Returns the case path through a case path and a case of its payload: `/Action.child .. ChildAction.rename`.
  public static func .. <Next>(
    path: AnyCasePath<Root, Value>,
    next: @escaping (Next) -> Value
  ) -> AnyCasePath<Root, Next> {
    path.appending(path: AnyCasePath<Value, Next>(next))
  }

  /// Returns whether a value has the case of a case path, for patterns such as `case /Action.rename:`.
  public static func ~= (path: AnyCasePath, value: Root) -> Bool {
    path.extract(from: value) != nil
  }

  /// Modifies the payload of an enum in place.
  ///
  /// - Parameters:
  ///   - root: The enum value to modify.
  ///   - body: A closure that modifies the payload.
  /// - Returns: The result of `body`.
  /// - Throws: `ExtractionFailed` if the enum has another case, or the error of `body`.
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

/// An error that is thrown if an enum value has a different case than the requested one.
///
/// ```swift
/// var action = Action.saved
/// do { try AnyCasePath(\Action.Cases.renamed).modify(&action) { $0 += "!" } } catch is ExtractionFailed {}
/// ```
public struct ExtractionFailed: Error, Sendable {
  /// Creates an error without details.
  public init() {}
}

extension AnyCasePath where Root == Value {
  /// Creates the identity case path of a type: `AnyCasePath(Action.self)`.
  @available(*, deprecated, message: "Use \"AnyCasePath()\".")
  public init(_ type: Root.Type) {
    self.init()
  }
}

extension AnyCasePath where Root == Void {
  /// Returns a case path that ignores its root and always extracts the given value.
  @available(*, deprecated, message: "Use \"AnyCasePath(embed:extract:)\".")
  public static func constant(_ value: @autoclosure @escaping @Sendable () -> Value) -> Self {
    Self(embed: { _ in }, extract: { value() })
  }
}

extension AnyCasePath where Value == Never {
  /// A case path that never extracts a payload, because its payload type has no values.
  @available(*, deprecated, message: "Use \"AnyCasePath(embed:extract:)\".")
  public static var never: Self {
    Self(_$embed: _$absurd, extract: { _ in nil })
  }
}

extension AnyCasePath where Value: RawRepresentable, Root == Value.RawValue {
  /// The case path from a raw value to the value of a `RawRepresentable` type with that raw value.
  @available(*, deprecated, message: "Use \"AnyCasePath(embed:extract:)\".")
  public static var rawValue: Self {
    Self(_$embed: { $0.rawValue }, extract: { Value(rawValue: $0) })
  }
}

extension AnyCasePath where Value: LosslessStringConvertible, Root == String {
  /// The case path from a string to the value that the string describes losslessly.
  @available(*, deprecated, message: "Use \"AnyCasePath(embed:extract:)\".")
  public static var description: Self {
    Self(_$embed: { $0.description }, extract: { Value($0) })
  }
}
