public import Foundation

/// The location to which a recording is written: a file, a ring of files, or memory.
///
/// ```swift
/// AppFeature()
///   .recorded(to: .file("session.jsonl"))
/// ```
public struct LogDestination: Sendable {
  let kind: Kind

  enum Kind: Sendable {
    case file(String)
    case ring(String, RingLimits)
    case memory(RingLimits)
    case sink(@Sendable () throws -> any LogSink)
  }

  /// The capacity of a ring, in bytes, in seconds, or both.
  struct RingLimits: Sendable {
    var bytes: Int?
    var seconds: Double?
    /// The number of segments that share the capacity.
    ///
    /// With more segments, less of the recording is lost when the oldest segment is dropped.
    var segments = 8
  }

  /// The size and the opening time of a segment that a ring holds.
  struct RingSegment {
    let bytes: Int
    /// The time at which the segment was opened, in seconds since the recording began.
    let opened: Double
  }

  package init(open: @escaping @Sendable () throws -> any LogSink) {
    kind = .sink(open)
  }

  private init(_ kind: Kind) { self.kind = kind }

  /// A file at this path, or at the first free path of `name-2.jsonl`, `name-3.jsonl`, and so on.
  ///
  /// ```swift
  /// AppFeature().recorded(to: .file("session.jsonl"))
  /// ```
  ///
  /// A relative path is resolved against the working folder on servers and command lines, and against Application
  /// Support in apps.
  public static func file(_ path: String) -> LogDestination { LogDestination(.file(path)) }

  /// A file at this URL, or at the first free URL of `name-2.jsonl`, `name-3.jsonl`, and so on.
  public static func file(_ url: URL) -> LogDestination { file(url.path) }

  /// A flight recorder, which holds the end of the recording in a ring of files.
  ///
  /// ```swift
  /// AppFeature().recorded(to: .ring("session.jsonl", megabytes: 8, minutes: 30))
  /// ```
  ///
  /// The ring consists of the files `name.segment-1.jsonl`, `name.segment-2.jsonl`, and so on. Each file is a log that
  /// can be read alone. The recorder deletes the oldest file when the newer files fill the capacity.
  ///
  /// The ring holds the requested amount and up to an eighth more. Each file begins with a checkpoint, so the ring
  /// always contains the state.
  ///
  /// - Parameters:
  ///   - path: The path from which the files' names are derived, as for `file`.
  ///   - megabytes: The capacity in megabytes; 16 if neither limit is given.
  ///   - minutes: The capacity in minutes, or `nil` for any duration.
  /// - Returns: A destination that writes a ring of files.
  public static func ring(
    _ path: String,
    megabytes: Double? = nil,
    minutes: Double? = nil
  ) -> LogDestination {
    LogDestination(.ring(path, RingLimits(megabytes: megabytes, minutes: minutes)))
  }

  /// A flight recorder in memory, for apps that must not write to the disk.
  ///
  /// The log is lost when the process ends.
  ///
  /// ```swift
  /// let recorder = Recorder(to: .memory(megabytes: 8))
  /// Store(initialState: AppFeature.State()) { AppFeature().recorded(to: recorder) }
  ///
  /// let report = try recorder.export()
  /// ```
  ///
  /// Like a ring of files, the memory holds the requested amount and up to an eighth more, and always contains the
  /// state.
  ///
  /// - Parameters:
  ///   - megabytes: The capacity in megabytes; 16 if neither limit is given.
  ///   - minutes: The capacity in minutes, or `nil` for any duration.
  /// - Returns: A destination that holds the log in memory.
  public static func memory(megabytes: Double? = nil, minutes: Double? = nil) -> LogDestination {
    LogDestination(.memory(RingLimits(megabytes: megabytes, minutes: minutes)))
  }

  static func ring(_ path: String, bytes: Int, segments: Int) -> LogDestination {
    LogDestination(.ring(path, RingLimits(bytes: bytes, segments: segments)))
  }
}

/// An object that stores the lines of a log, such as an open file.
package protocol LogSink: AnyObject, Sendable {
  /// Appends complete lines.
  ///
  /// When the call returns, the kernel has the lines, so they survive a crash of the process.
  func append(_ lines: [UInt8]) throws
  /// Appends complete lines without checking whether the file still exists.
  func appendUnchecked(_ lines: [UInt8]) throws
}

extension LogSink {
  package func appendUnchecked(_ lines: [UInt8]) throws { try append(lines) }
}

extension LogDestination.RingLimits {
  init(megabytes: Double?, minutes: Double?) {
    bytes = megabytes.map { Int(max(0, min($0, 1e9)) * 1_048_576) }
    seconds = minutes.map { max(0, min($0, 1e9)) * 60 }
    if bytes == nil, seconds == nil { bytes = 16 * 1_048_576 }
  }

  /// Returns the number of oldest segments that a ring can drop while the other segments still fill the capacity.
  ///
  /// - Parameters:
  ///   - segments: All segments, starting with the oldest. The last one has just been opened.
  ///   - now: The time in seconds since the recording began.
  /// - Returns: The number of segments to drop, counted from the oldest.
  func surplus(of segments: [LogDestination.RingSegment], at now: Double) -> Int {
    var surplus = 0
    while segments.count - surplus > 2 {
      let rest = segments[(surplus + 1)...]
      let isEnough = bytes.map { rest.reduce(0) { $0 + $1.bytes } >= $0 } ?? false
      // The segments after this one cover the requested duration.
      let isOld = seconds.map { now - (rest.first?.opened ?? now) >= $0 } ?? false
      let isOverfull = segments.count - surplus > self.segments + 1 && seconds == nil
      guard isEnough || isOld || isOverfull else { break }
      surplus += 1
    }
    return surplus
  }
}
