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
  /// The case path from a raw value to what it stands for.
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
