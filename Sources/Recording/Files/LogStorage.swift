import ActionLog
import Foundation

/// The storage of one recording's segments.
protocol LogStorage: AnyObject, Sendable {
  /// Opens the next segment and deletes segments and recordings beyond the configured limits.
  ///
  /// - Parameters:
  ///   - segment: The segment's number, from 1.
  ///   - now: Seconds since the recording began.
  /// - Returns: The sink for the segment's lines.
  /// - Throws: `LogWriteError`.
  func open(segment: Int, at now: Double) throws -> any LogSink
  /// The capacity, which decides when a segment is full; `nil` if the recording has a single segment.
  var limits: LogDestination.RingLimits? { get }
  /// Returns the stored segments, the oldest first.
  func read() throws -> [[UInt8]]
  /// The number of the oldest stored segment, from 1.
  var firstSegment: Int { get }
  /// The paths of the segments; empty if the storage is not a folder.
  var paths: [String] { get }
}

extension LogStorage {
  var paths: [String] { [] }
  var firstSegment: Int { 1 }
}

extension RecorderConfiguration {
  func makeStorage(calls: SystemCalls = SystemCalls()) -> any LogStorage {
    switch destination.kind {
    case .file(let path): SegmentFiles(path, limits: nil, self, calls)
    case .ring(let path, let limits): SegmentFiles(path, limits: limits, self, calls)
    case .memory(let limits): SegmentMemory(limits)
    case .sink(let open): SinkStorage(open: open)
    }
  }
}

/// A storage with a sink of the caller's, which can't be read back.
private final class SinkStorage: LogStorage {
  let openSink: @Sendable () throws -> any LogSink
  let limits: LogDestination.RingLimits? = nil

  init(open: @escaping @Sendable () throws -> any LogSink) { openSink = open }

  func open(segment: Int, at now: Double) throws -> any LogSink { try openSink() }

  func read() throws -> [[UInt8]] {
    throw LogWriteError(path: "of this recorder", code: ENOTSUP)
  }
}
