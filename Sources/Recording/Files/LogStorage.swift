import ActionLog
import Foundation

/// Where the segments of one recording are.
protocol LogStorage: AnyObject, Sendable {
  /// Makes room for the next segment, and clears away what is not wanted any more.
  ///
  /// - Parameters:
  ///   - segment: The segment's number.
  ///   - now: Seconds since the recording began.
  /// - Returns: What takes the segment's lines.
  /// - Throws: `LogWriteError`.
  func open(segment: Int, at now: Double) throws -> any LogSink
  /// When a segment is full; `nil` when there is only one.
  var limits: LogDestination.RingLimits? { get }
  /// The segments that are held, the oldest first.
  func read() throws -> [[UInt8]]
  /// The number of the oldest segment that is held.
  var firstSegment: Int { get }
  /// The files of these segments; empty where they are no files.
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

/// A sink that someone else has made, and that cannot be read back.
private final class SinkStorage: LogStorage {
  let openSink: @Sendable () throws -> any LogSink
  let limits: LogDestination.RingLimits? = nil

  init(open: @escaping @Sendable () throws -> any LogSink) { openSink = open }

  func open(segment: Int, at now: Double) throws -> any LogSink { try openSink() }

  func read() throws -> [[UInt8]] {
    throw LogWriteError(path: "of this recorder", code: ENOTSUP)
  }
}
