/// A case of an enum, used as the root type and the value type of case key paths.
///
/// The members of a case are the case paths of its payload. For example, the key path `\.child.tap` leads from
/// `Case<Parent>` through `Case<Child>` to `Case<Void>`.
///
/// ```swift
/// let path: CaseKeyPath<Parent.Action, Void> = \.child.tap
/// path()  // Parent.Action.child(.tap)
/// ```
@dynamicMemberLookup
public struct Case<Value>: Sendable {
  /// The case path that leads from the root to this case; `nil` for the root itself.
  private let casePath: (any ErasedCasePath<Value>)?

  private init(casePath: any ErasedCasePath<Value>) {
    self.casePath = casePath
  }

  /// Creates the root of case key paths, which represents the complete value.
  public init() {
    self.casePath = nil
  }

  /// The nested case for a property of the payload's case paths, such as `tap` in `\.child.tap`.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Member>>
  ) -> Case<Member> where Value: CasePathable {
    appending(Value.allCasePaths[keyPath: keyPath])
  }

  func appending<Member>(_ next: AnyCasePath<Value, Member>) -> Case<Member> {
    Case<Member>(casePath: casePath?.appending(erased: next) ?? next)
  }

  func path<Root>(from root: Root.Type) -> AnyCasePath<Root, Value> {
    let casePath = casePath ?? AnyCasePath<Value, Value>()
    guard let path = casePath as? AnyCasePath<Root, Value> else {
      // A key path from `Case<Root>` is always resolved on the root case of `Root`.
      preconditionFailure("\(casePath) does not start at \(root)")
    }
    return path
  }
}

/// A case path whose root type is erased.
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

/// A case with an erased payload type: the value of a partial case key path.
protocol PartialCase {
  func embed(any value: Any) -> Any?
  func extract(from root: Any) -> Any?
}

extension Case: PartialCase {
  func embed(any value: Any) -> Any? {
    (casePath ?? AnyCasePath<Value, Value>()).embed(any: value)
  }

  func extract(from root: Any) -> Any? {
    (casePath ?? AnyCasePath<Value, Value>()).extract(from: root)
  }
}

/// A key path to a case of an enum: `\Action.Cases.tap`, or `\.tap` if the enum can be inferred.
public typealias CaseKeyPath<Root, Value> = KeyPath<Case<Root>, Case<Value>>

/// A key path to a case with an erased payload type.
public typealias PartialCaseKeyPath<Root> = PartialKeyPath<Case<Root>>

extension CasePathable {
  /// The root type of case key paths to this enum: `\Action.Cases.tap`.
  public typealias Cases = Case<Self>
}

extension KeyPath {
  /// Returns the enum value of the case with a payload.
  ///
  /// ```swift
  /// (\Action.Cases.rename)("Blob")  // Action.rename("Blob")
  /// ```
  public func callAsFunction<Enum, Payload>(_ payload: Payload) -> Enum
  where Root == Case<Enum>, Value == Case<Payload> {
    AnyCasePath(self).embed(payload)
  }

  /// Returns the enum value of the case, which has no payload.
  ///
  /// ```swift
  /// (\Action.Cases.tap)()  // Action.tap
  /// ```
  public func callAsFunction<Enum>() -> Enum where Root == Case<Enum>, Value == Case<Void> {
    AnyCasePath(self).embed(())
  }
}

extension PartialKeyPath {
  /// Returns the enum value of the case with a payload, or `nil` if the payload has the wrong type.
  ///
  /// ```swift
  /// let path: PartialCaseKeyPath<Action> = \.rename
  /// path("Blob")  // Action.rename("Blob")
  /// path(42)      // nil
  /// ```
  ///
  /// Disfavored, because key paths with a static payload type have an overload that can't fail.
  @_disfavoredOverload
  public func callAsFunction<Enum>(_ payload: Any) -> Enum? where Root == Case<Enum> {
    (Case<Enum>()[keyPath: self] as? any PartialCase)?.embed(any: payload) as? Enum
  }
}

/// Returns whether a value has the case at a key path, for patterns such as `case \.tap:`.
public func ~= <Enum: CasePathable>(pattern: PartialCaseKeyPath<Enum>, value: Enum) -> Bool {
  value.is(pattern)
}
