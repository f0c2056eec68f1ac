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
  // Unchecked, and not a `Mutex`: the lock must be recursive, because the app's code may run while the lock is held.
  private var storage: Value
  private let lock = NSRecursiveLock()

  /// Creates a container whose value is protected by a lock.
  ///
  /// - Throws: The error of the expression that provides the value.
  public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    self.storage = try value()
  }

  /// Runs an operation with exclusive access to the value.
  ///
  /// - Throws: The error of the operation. Changes made before the error are kept.
  public func withValue<R>(_ operation: (inout Value) throws -> R) rethrows -> R {
    try lock.withLock {
      // Changes a copy, because a nested call on the same thread would violate exclusive access to `storage`.
      var value = storage
      defer { storage = value }
      return try operation(&value)
    }
  }

  /// Replaces the value.
  ///
  /// - Throws: The error of the expression that provides the new value.
  public func setValue(_ value: @autoclosure () throws -> Value) rethrows {
    try lock.withLock { storage = try value() }
  }
}

extension LockIsolated where Value: Sendable {
  /// A copy of the current value.
  public var value: Value {
    lock.withLock { storage }
  }

  /// A member of the current value.
  public subscript<Member: Sendable>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    lock.withLock { storage[keyPath: keyPath] }
  }
}

/// A type-erased hashable value that can be passed to other tasks.
///
/// ```swift
/// let ids: Set<AnyHashableSendable> = [AnyHashableSendable(1), AnyHashableSendable("a")]
/// ids.compactMap { $0.base as? Int }  // [1]
/// ```
///
/// Values of different types are equal if they are equal as `AnyHashable`.
public struct AnyHashableSendable: Hashable, Sendable {
  /// The wrapped value.
  public let base: any Hashable & Sendable

  /// Erases the type of a value.
  ///
  /// A value that is already erased is copied without another wrapper.
  public init(_ base: some Hashable & Sendable) {
    self.base = (base as? AnyHashableSendable)?.base ?? base
  }

  /// Erases the type of an existential value.
  @_disfavoredOverload
  public init(_ base: any Hashable & Sendable) {
    self.init(base)
  }

  /// Returns whether two values are equal as `AnyHashable`.
  public static func == (lhs: AnyHashableSendable, rhs: AnyHashableSendable) -> Bool {
    AnyHashable(lhs.base) == AnyHashable(rhs.base)
  }

  /// Hashes the wrapped value as `AnyHashable`.
  public func hash(into hasher: inout Hasher) {
    // Hashes as `AnyHashable`, so that equal numbers of different types have the same hash.
    hasher.combine(AnyHashable(base))
  }
}

extension AnyHashableSendable: _HasCustomAnyHashableRepresentation {
  /// Converts the value to an `AnyHashable` of the wrapped value.
  ///
  /// Equality, hash values, and casts therefore behave as if the value were not wrapped.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(base) }
}

extension AnyHashableSendable: CustomStringConvertible, CustomDebugStringConvertible {
  /// The description of the wrapped value.
  public var description: String { String(describing: base) }
  /// The debug description of the wrapped value, in parentheses after the name of the wrapper.
  public var debugDescription: String { "AnyHashableSendable(\(String(reflecting: base)))" }
}

extension AnyHashableSendable: CustomReflectable {
  /// The mirror of the wrapped value.
  public var customMirror: Mirror { Mirror(reflecting: base) }
}

extension AnyHashableSendable: ExpressibleByBooleanLiteral {
  /// Creates a value from a Boolean literal.
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByIntegerLiteral {
  /// Creates a value from an integer literal.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByFloatLiteral {
  /// Creates a value from a floating-point literal.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByStringLiteral {
  /// Creates a value from a string literal.
  public init(stringLiteral value: String) { self.init(value) }
}
