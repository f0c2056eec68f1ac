import Synchronization

/// Stamps for writes of values that are shared by reference.
///
/// Each write gets a unique number as its stamp.
package enum WriteStamp {
  private static let number = Atomic<UInt64>(0)
  /// The objects of the most recent writes, at the remainders of their stamps; `nil` for new objects.
  private static let recent = Mutex([ObjectIdentifier?](repeating: nil, count: mostRecent))
  /// The number of writes whose objects are known.
  ///
  /// After more writes since the last comparison, comparing all shared values is not much slower.
  private static let mostRecent = 256

  /// The stamp of the last write in this process.
  package static var last: UInt64 { number.load(ordering: .acquiring) }

  /// Makes the stamp for a new write.
  ///
  /// Call this method after the new value is stored.
  ///
  /// - Parameter object: The object that the value belongs to, or `nil` for an object that nothing refers to yet.
  /// - Returns: The stamp.
  package static func next(of object: ObjectIdentifier?) -> UInt64 {
    recent.withLock { recent in
      let stamp = number.load(ordering: .relaxed) + 1
      recent[Int(stamp % UInt64(mostRecent))] = object
      number.store(stamp, ordering: .releasing)
      return stamp
    }
  }

  /// Returns the objects that were written after a stamp, or `nil` if there were too many writes.
  package static func written(since stamp: UInt64) -> Set<ObjectIdentifier>? {
    recent.withLock { recent in
      let last = number.load(ordering: .relaxed)
      guard last - stamp <= UInt64(mostRecent) else { return nil }
      return Set((stamp..<last).compactMap { recent[Int(($0 + 1) % UInt64(mostRecent))] })
    }
  }
}
