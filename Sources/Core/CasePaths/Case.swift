/// A case of an enum as key paths see it: the type at which a case key path starts and ends.
///
/// Members of a case are the case paths of its payload, so `\.child.tap` is a key path from
/// `Case<Parent>` through `Case<Child>` to `Case<Void>`.
///
/// ```swift
/// let path: CaseKeyPath<Parent.Action, Void> = \.child.tap
/// path()  // Parent.Action.child(.tap)
/// ```
@dynamicMemberLookup
public struct Case<Value>: Sendable {
  /// How to get here; nil at the start of a key path, which is the whole value.
  private let way: (any ErasedCasePath<Value>)?

  private init(way: any ErasedCasePath<Value>) {
    self.way = way
  }

  /// The place where each case key path starts: the whole value.
  public init() {
    self.way = nil
  }

  /// Goes on to a case of the payload.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Member>>
  ) -> Case<Member> where Value: CasePathable {
    appending(Value.allCasePaths[keyPath: keyPath])
  }

  func appending<Member>(_ next: AnyCasePath<Value, Member>) -> Case<Member> {
    Case<Member>(way: way?.appending(erased: next) ?? next)
  }

  func path<Root>(from root: Root.Type) -> AnyCasePath<Root, Value> {
    let way = way ?? AnyCasePath<Value, Value>()
    guard let path = way as? AnyCasePath<Root, Value> else {
      // A key path from `Case<Root>` is always resolved on a whole `Root`.
      preconditionFailure("\(way) does not start at \(root)")
    }
    return path
  }
}

/// A case path whose start is not known to the type system any more.
private protocol ErasedCasePath<Value>: Sendable {
  associatedtype Value
  func appending<Next>(erased next: AnyCasePath<Value, Next>) -> any ErasedCasePath<Next>
  func embed(any value: Any) -> Any?
  func extract(from root: Any) -> Any?
}

extension AnyCasePath: ErasedCasePath {
  fileprivate func appending<Next>(
    erased next: AnyCasePath<Value, Next>
  ) -> any ErasedCasePath<Next> {
    appending(path: next)
  }

  fileprivate func embed(any value: Any) -> Any? {
    (value as? Value).map { self.embed($0) }
  }

  fileprivate func extract(from root: Any) -> Any? {
    guard let root = root as? Root, let value: Value = extract(from: root) else { return nil }
    return value
  }
}

/// A case whose payload type is not known: the end of a partial key path.
protocol PartialCase {
  func embed(any value: Any) -> Any?
  func extract(from root: Any) -> Any?
}

extension Case: PartialCase {
  func embed(any value: Any) -> Any? {
    (way ?? AnyCasePath<Value, Value>()).embed(any: value)
  }

  func extract(from root: Any) -> Any? {
    (way ?? AnyCasePath<Value, Value>()).extract(from: root)
  }
}

/// A key path to a case of an enum, such as `\Action.Cases.tap` or, where the enum is known, `\.tap`.
public typealias CaseKeyPath<Root, Value> = KeyPath<Case<Root>, Case<Value>>

/// A key path to a case whose payload type is not stated.
public typealias PartialCaseKeyPath<Root> = PartialKeyPath<Case<Root>>

extension CasePathable {
  /// The root of key paths to cases of this enum: `\Action.Cases.tap`.
  public typealias Cases = Case<Self>
}

extension KeyPath {
  /// Makes an enum of a payload.
  ///
  /// ```swift
  /// (\Action.Cases.rename)("Blob")  // Action.rename("Blob")
  /// ```
  public func callAsFunction<Enum, Payload>(_ payload: Payload) -> Enum
  where Root == Case<Enum>, Value == Case<Payload> {
    AnyCasePath(self).embed(payload)
  }

  /// Makes an enum of a case that has no payload.
  ///
  /// ```swift
  /// (\Action.Cases.tap)()  // Action.tap
  /// ```
  public func callAsFunction<Enum>() -> Enum where Root == Case<Enum>, Value == Case<Void> {
    AnyCasePath(self).embed(())
  }
}

extension PartialKeyPath {
  /// Makes an enum of a payload of any type, nil when the case holds another type.
  ///
  /// ```swift
  /// let path: PartialCaseKeyPath<Action> = \.rename
  /// path("Blob")  // Action.rename("Blob")
  /// path(42)      // nil
  /// ```
  ///
  /// Where the type of the payload is known, so is the enum: this is not for those key paths.
  @_disfavoredOverload
  public func callAsFunction<Enum>(_ payload: Any) -> Enum? where Root == Case<Enum> {
    (Case<Enum>()[keyPath: self] as? any PartialCase)?.embed(any: payload) as? Enum
  }
}

/// Whether a value has a case, so that `switch` understands `case \.tap:`.
public func ~= <Enum: CasePathable>(pattern: PartialCaseKeyPath<Enum>, value: Enum) -> Bool {
  value.is(pattern)
}
