import Synchronization

/// How many shared values this process has written, so that a recorder knows when an action may hold one.
///
/// An implementation of the model counts its own. Writes of other threads count, too: then a recorder looks, and finds none.
public enum SharedWrites {
  private static let number = Atomic<UInt64>(0)

  /// The number so far.
  package static var count: UInt64 { number.load(ordering: .relaxed) }

  /// Counts one more.
  public static func note() { number.wrappingAdd(1, ordering: .relaxed) }
}
