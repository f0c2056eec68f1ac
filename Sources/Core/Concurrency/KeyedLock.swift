import Foundation

/// A lock for each key, for values that the app's code creates once, on first use.
///
/// While one thread creates the value of a key, other threads that need the same value wait. Values of different keys
/// are created concurrently. Creating a value may require another value. A deadlock could occur only if two values
/// required each other, and such values can't be created in any order.
final class KeyedLock<Key: Hashable & SendableMetatype>: Sendable {
  private struct CountedLock {
    /// A recursive lock, so that a value that requires itself causes no deadlock.
    let lock = NSRecursiveLock()
    var users = 0
  }

  private let entries = LockIsolated<[Key: CountedLock]>([:])

  init() {}

  /// Runs an operation while no other thread runs an operation for the same key.
  func withLock<R>(for key: Key, _ operation: () throws -> R) rethrows -> R {
    let lock = entries.withValue { entries in
      var entry = entries[key] ?? CountedLock()
      entry.users += 1
      entries[key] = entry
      return entry.lock
    }
    defer {
      entries.withValue { entries in
        entries[key]?.users -= 1
        if entries[key]?.users == 0 { entries[key] = nil }
      }
    }
    return try lock.withLock(operation)
  }
}
