import Foundation

/// A wrapper that passes a value to other tasks although the compiler can't verify that this is safe.
///
/// ```swift
/// let formatter = UncheckedSendable(DateFormatter())
/// formatter.value.string(from: date)
/// ```
///
/// As a property wrapper, `$` returns the value to pass on:
///
/// ```swift
/// @UncheckedSendable var formatter = DateFormatter()
/// let task = Task { [formatter = $formatter] in formatter.wrappedValue.string(from: date) }
/// ```
///
/// Use the wrapper just for values that two threads never use at the same time.
@dynamicMemberLookup
@propertyWrapper
public struct UncheckedSendable<Value>: @unchecked Sendable {
  // Unchecked by design: the user of the type guarantees safety.
  /// The wrapped value.
  public var value: Value

  /// Creates a wrapper around a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// Creates a wrapper around the initial value of a property.
  public init(wrappedValue: Value) {
    self.value = wrappedValue
  }

  /// The wrapped value.
  public var wrappedValue: Value {
    get { value }
    _modify { yield &value }
  }

  /// The wrapper itself, which is `Sendable`.
  public var projectedValue: UncheckedSendable<Value> {
    get { self }
    set { self = newValue }
  }

  /// A member of the wrapped value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }

  /// A writable member of the wrapped value.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { value[keyPath: keyPath] }
    _modify { yield &value[keyPath: keyPath] }
  }
}

extension UncheckedSendable: Equatable where Value: Equatable {}

extension UncheckedSendable: Hashable where Value: Hashable {}

extension UncheckedSendable: Encodable where Value: Encodable {
  /// Encodes the wrapped value in place of the wrapper.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension UncheckedSendable: Decodable where Value: Decodable {
  /// Decodes a value without a wrapper, and wraps it.
  public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
