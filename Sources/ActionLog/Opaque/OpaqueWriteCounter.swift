import Synchronization

/// The number of opaque values that this process has written.
///
/// Recorders use it to decide when to look for such values.
package enum OpaqueWriteCounter {
  private static let number = Atomic<UInt64>(0)

  /// The number of opaque values that have been written so far.
  package static var count: UInt64 { number.load(ordering: .relaxed) }

  /// Counts one more opaque value.
  static func increment() { number.wrappingAdd(1, ordering: .relaxed) }
}
