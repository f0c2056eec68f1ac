import Foundation

/// A value behind a lock.
///
/// ```swift
/// let count = LockIsolated(0)
/// count.withValue { $0 += 1 }
/// ```
@dynamicMemberLookup
public final class LockIsolated<Value>: @unchecked Sendable {
  // Unchecked, and no `Mutex`: the lock is recursive, because code under it may be the user's.
  private var storage: Value
  private let lock = NSRecursiveLock()

  /// Puts a value behind a lock.
  public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    self.storage = try value()
  }

  /// Works with the value while nobody else does.
  public func withValue<R>(_ operation: (inout Value) throws -> R) rethrows -> R {
    try lock.withLock {
      // A copy, so that a call from inside the operation is no overlapping access.
      var value = storage
      defer { storage = value }
      return try operation(&value)
    }
  }

  /// Replaces the value.
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
