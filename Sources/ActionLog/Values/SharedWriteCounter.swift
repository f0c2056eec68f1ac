import Synchronization

/// A counter for the shared values that this process has encoded.
///
/// Recorders use it to decide whether an action can contain a shared value.
///
/// Each library that runs reducers, such as TCACore, counts the values that it encodes. The count includes those of
/// other threads, so a recorder might look for shared values and find none.
public enum SharedWriteCounter {
  private static let number = Atomic<UInt64>(0)

  /// The number of shared values that have been encoded so far.
  package static var count: UInt64 { number.load(ordering: .relaxed) }

  /// Counts one more encoded shared value.
  public static func increment() { number.wrappingAdd(1, ordering: .relaxed) }

  /// The former name of `increment()`.
  @available(*, deprecated, renamed: "increment()")
  public static func note() { increment() }
}

/// The former name of `SharedWriteCounter`.
@available(*, deprecated, renamed: "SharedWriteCounter")
public typealias SharedWrites = SharedWriteCounter
