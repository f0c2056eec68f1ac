import Synchronization

/// How much this process has read of logs, for who shows how far long work has come.
package enum ReadingCount {
  private static let bytes = Atomic<Int>(0)

  /// The bytes.
  package static var total: Int { bytes.load(ordering: .relaxed) }

  /// Counts bytes that were read.
  package static func add(_ count: Int) { bytes.wrappingAdd(count, ordering: .relaxed) }
}
