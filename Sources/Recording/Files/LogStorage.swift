import ActionLog
import Foundation

/// The storage that holds the segments of one recording.
protocol LogStorage: AnyObject, Sendable {
  /// Opens the next segment, and deletes segments and recordings that exceed the configured limits.
  ///
  /// - Parameters:
  ///   - segment: The segment's number, from 1.
  ///   - now: The time in seconds since the recording began.
  /// - Returns: The sink for the segment's lines.
  /// - Throws: `LogWriteError` if the segment can't be created.
  func open(segment: Int, at now: Double) throws -> any LogSink
  /// The capacity, which decides when a segment is full, or `nil` if the recording has a single segment.
  var limits: LogDestination.RingLimits? { get }
  /// Returns the bytes of the stored segments, starting with the oldest.
  func read() throws -> [[UInt8]]
  /// The number of the oldest stored segment, from 1.
  var firstSegment: Int { get }
  /// The paths of the stored segments, or an empty array if the segments are not files.
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

/// A storage that writes to a sink that the caller supplies, and that can't be read back.
private final class SinkStorage: LogStorage {
  let openSink: @Sendable () throws -> any LogSink
  let limits: LogDestination.RingLimits? = nil

  init(open: @escaping @Sendable () throws -> any LogSink) { openSink = open }

  func open(segment: Int, at now: Double) throws -> any LogSink { try openSink() }

  func read() throws -> [[UInt8]] {
    throw LogWriteError(path: "of this recorder", code: ENOTSUP)
  }
}
