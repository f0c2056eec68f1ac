import Synchronization

/// The number of shared values that this process has written.
///
/// A recorder uses it to decide whether an action may hold one.
///
/// An implementation of the model counts its own writes. Writes of other threads also count, in which case the recorder
/// looks for shared values and finds none.
public enum SharedWrites {
  private static let number = Atomic<UInt64>(0)

  /// The number of writes so far.
  package static var count: UInt64 { number.load(ordering: .relaxed) }

  /// Counts one more write.
  public static func note() { number.wrappingAdd(1, ordering: .relaxed) }
}
