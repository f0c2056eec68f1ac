/// A key path to a case of an enum, such as `\Action.Cases.tap` or, where the enum is known, `\.tap`.
public typealias CaseKeyPath<Root, Value> = KeyPath<Case<Root>, Case<Value>>

/// A key path to a case whose payload type is not stated.
public typealias PartialCaseKeyPath<Root> = PartialKeyPath<Case<Root>>

extension CasePathable {
  /// Where key paths to cases of this enum start: `\Action.Cases.tap`.
  public typealias Cases = Case<Self>
}

extension KeyPath {
  /// Makes an enum of a payload: `(\Action.Cases.rename)("Blob")`.
  public func callAsFunction<Enum, Payload>(_ payload: Payload) -> Enum
  where Root == Case<Enum>, Value == Case<Payload> {
    AnyCasePath(self).embed(payload)
  }

  /// Makes an enum of a case that has no payload: `(\Action.Cases.tap)()`.
  public func callAsFunction<Enum>() -> Enum where Root == Case<Enum>, Value == Case<Void> {
    AnyCasePath(self).embed(())
  }
}

extension PartialKeyPath {
  /// Makes an enum of a payload of any type, nil when the case holds another type.
  ///
  /// Where the type of the payload is known, so is the enum: this is not for those key paths.
  @_disfavoredOverload
  public func callAsFunction<Enum>(_ payload: Any) -> Enum? where Root == Case<Enum> {
    (Case<Enum>()[keyPath: self] as? any PartialCase)?.embed(any: payload) as? Enum
  }
}

/// Whether a value stands in a case, so that `switch` understands `case \.tap:`.
public func ~= <Enum: CasePathable>(pattern: PartialCaseKeyPath<Enum>, value: Enum) -> Bool {
  value.is(pattern)
}
