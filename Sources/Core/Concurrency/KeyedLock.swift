import Foundation

/// A lock for each key, for values that code of the app makes once, on demand.
///
/// While one thread makes the value of a key, other threads wait for it. Values of other keys are made concurrently.
/// Making a value may require another value. A deadlock needs two values that require each other, and those can't be
/// made in any order.
final class KeyedLock<Key: Hashable & SendableMetatype>: Sendable {
  private struct CountedLock {
    /// Recursive, so that a value that requires itself causes no deadlock.
    let lock = NSRecursiveLock()
    var users = 0
  }

  private let entries = LockIsolated<[Key: CountedLock]>([:])

  init() {}

  /// Runs an operation while no other thread runs one for the same key.
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
