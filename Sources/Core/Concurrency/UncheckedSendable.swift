/// A value that goes to other tasks although the compiler cannot see that this is safe.
///
/// ```swift
/// let formatter = UncheckedSendable(DateFormatter())
/// ```
///
/// Whoever makes one promises that the value is not used from two places at once.
@dynamicMemberLookup
@propertyWrapper
public struct UncheckedSendable<Value>: @unchecked Sendable {
  // Unchecked is what the type is for.
  /// The value.
  public var value: Value

  /// Lets a value go anywhere.
  public init(_ value: Value) {
    self.value = value
  }

  /// Lets a value go anywhere.
  public init(wrappedValue: Value) {
    self.value = wrappedValue
  }

  /// The value.
  public var wrappedValue: Value {
    get { value }
    _modify { yield &value }
  }

  /// The value with its wrapper.
  public var projectedValue: UncheckedSendable<Value> {
    get { self }
    set { self = newValue }
  }

  /// A member of the value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }

  /// A member of the value.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { value[keyPath: keyPath] }
    _modify { yield &value[keyPath: keyPath] }
  }
}

extension UncheckedSendable: Equatable where Value: Equatable {}
extension UncheckedSendable: Hashable where Value: Hashable {}

extension UncheckedSendable: Encodable where Value: Encodable {
  /// Writes the value alone.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension UncheckedSendable: Decodable where Value: Decodable {
  /// Reads the value alone.
  public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
