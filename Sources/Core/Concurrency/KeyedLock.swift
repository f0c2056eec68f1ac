import Foundation

/// A lock for each key, for values that are made once, on demand, by code of the user.
///
/// While one thread makes the value of a key, others wait for it, and values of other keys are made at the same time. Making one
/// value may ask for another. Two threads wait for each other only if two values need each other, which no order of making
/// them can satisfy.
final class KeyedLock<Key: Hashable & SendableMetatype>: Sendable {
  private struct CountedLock {
    /// Recursive, so that a value that needs itself is no deadlock.
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
