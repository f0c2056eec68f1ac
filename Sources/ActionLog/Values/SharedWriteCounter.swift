import Synchronization

/// The number of shared values that this process has written.
///
/// Recorders use it to decide whether an action can contain a shared value.
///
/// Each library that runs reducers, such as TCACore, counts its own writes. The count includes writes by other threads,
/// so a recorder may look for shared values and find none.
public enum SharedWriteCounter {
  private static let number = Atomic<UInt64>(0)

  /// The number of writes to shared values so far.
  package static var count: UInt64 { number.load(ordering: .relaxed) }

  /// Counts one more write to a shared value.
  public static func note() { number.wrappingAdd(1, ordering: .relaxed) }
}

/// The former name of `SharedWriteCounter`.
@available(*, deprecated, renamed: "SharedWriteCounter")
public typealias SharedWrites = SharedWriteCounter
