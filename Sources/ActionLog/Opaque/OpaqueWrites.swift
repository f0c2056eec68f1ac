import Synchronization

/// How many values this process has written of which a log holds the type alone, so that a recorder knows when to look for one.
package enum OpaqueWrites {
  private static let number = Atomic<UInt64>(0)

  /// The number so far.
  package static var count: UInt64 { number.load(ordering: .relaxed) }

  /// Counts one more.
  static func increment() { number.wrappingAdd(1, ordering: .relaxed) }
}
