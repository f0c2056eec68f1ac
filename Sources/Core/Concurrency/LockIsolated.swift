import Foundation

/// A value protected by a lock.
///
/// ```swift
/// let count = LockIsolated(0)
/// count.withValue { $0 += 1 }
/// count.setValue(0)
/// ```
@dynamicMemberLookup
public final class LockIsolated<Value>: @unchecked Sendable {
  // Unchecked, and no `Mutex`: the lock is recursive, because code under it may be the user's.
  private var storage: Value
  private let lock = NSRecursiveLock()

  /// Protects a value with a lock.
  public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    self.storage = try value()
  }

  /// Works with the value with exclusive access.
  public func withValue<R>(_ operation: (inout Value) throws -> R) rethrows -> R {
    try lock.withLock {
      // A copy, so that a call from inside the operation is no overlapping access.
      var value = storage
      defer { storage = value }
      return try operation(&value)
    }
  }

  /// Replaces the value.
  ///
  /// - Throws: What the expression throws.
  public func setValue(_ value: @autoclosure () throws -> Value) rethrows {
    try lock.withLock { storage = try value() }
  }
}

extension LockIsolated where Value: Sendable {
  /// The value as it is now.
  public var value: Value {
    lock.withLock { storage }
  }

  /// A member of the value as it is now.
  public subscript<Member: Sendable>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    lock.withLock { storage[keyPath: keyPath] }
  }
}

/// A value that goes to other tasks although the compiler cannot see that this is safe.
///
/// ```swift
/// let formatter = UncheckedSendable(DateFormatter())
/// formatter.value.string(from: date)
/// ```
///
/// As a wrapper, with `$` for what can be handed on:
///
/// ```swift
/// @UncheckedSendable var formatter = DateFormatter()
/// let task = Task { [formatter = $formatter] in formatter.wrappedValue.string(from: date) }
/// ```
///
/// Make one only for a value that is never used from two threads at once.
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

/// A hashable value of any type that can be handed to other tasks.
///
/// ```swift
/// let ids: Set<AnyHashableSendable> = [AnyHashableSendable(1), AnyHashableSendable("a")]
/// ids.compactMap { $0.base as? Int }  // [1]
/// ```
///
/// Values of different types are equal when they are equal as `AnyHashable`.
public struct AnyHashableSendable: Hashable, Sendable {
  /// The value itself.
  public let base: any Hashable & Sendable

  /// Hides the type of a value; a value whose type is hidden already is taken as it is.
  public init(_ base: some Hashable & Sendable) {
    self.base = (base as? AnyHashableSendable)?.base ?? base
  }

  /// Takes a value whose type is not known.
  @_disfavoredOverload
  public init(_ base: any Hashable & Sendable) {
    self.init(base)
  }

  /// Whether two values are equal as `AnyHashable`.
  public static func == (lhs: AnyHashableSendable, rhs: AnyHashableSendable) -> Bool {
    AnyHashable(lhs.base) == AnyHashable(rhs.base)
  }

  /// Feeds the value to a hasher.
  public func hash(into hasher: inout Hasher) {
    // As the hash of `AnyHashable`: equal numbers of different types hash alike.
    hasher.combine(AnyHashable(base))
  }
}

extension AnyHashableSendable: _HasCustomAnyHashableRepresentation {
  /// The value itself: as `AnyHashable` it equals, hashes and casts as its value does.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(base) }
}

extension AnyHashableSendable: CustomStringConvertible, CustomDebugStringConvertible {
  /// The description of the value.
  public var description: String { String(describing: base) }
  /// The description of the value with its type.
  public var debugDescription: String { "AnyHashableSendable(\(String(reflecting: base)))" }
}

extension AnyHashableSendable: CustomReflectable {
  /// Shows what the value shows.
  public var customMirror: Mirror { Mirror(reflecting: base) }
}

extension AnyHashableSendable: ExpressibleByBooleanLiteral {
  /// A Boolean value.
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByFloatLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral value: String) { self.init(value) }
}
