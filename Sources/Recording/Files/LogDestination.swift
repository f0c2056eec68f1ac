public import Foundation

/// The destination of a recording.
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

  /// How much a ring holds.
  struct RingLimits: Sendable {
    var bytes: Int?
    var seconds: Double?
    /// In how many parts that is cut: more of them waste less when the oldest is dropped.
    var segments = 8
  }

  /// The place of a segment in a ring.
  struct HeldSegment {
    let bytes: Int
    /// When it was begun, in seconds since the recording began.
    let opened: Double
  }

  package init(open: @escaping @Sendable () throws -> any LogSink) {
    kind = .sink(open)
  }

  private init(_ kind: Kind) { self.kind = kind }

  /// A file of this name; when there is one already, the first free of `name-2.jsonl`, `name-3.jsonl` and so on.
  ///
  /// A relative path means the working folder on servers and command lines, and Application Support in apps.
  public static func file(_ path: String) -> LogDestination { LogDestination(.file(path)) }

  /// A file at this URL; when there is one already, the first free of `name-2.jsonl`, `name-3.jsonl` and so on.
  public static func file(_ url: URL) -> LogDestination { file(url.path) }

  /// A flight recorder, which holds the end of the recording.
  ///
  /// It is in files `name.segment-1.jsonl`, `name.segment-2.jsonl` and so on, each a log of its own. The oldest is deleted when
  /// there is more than wanted.
  ///
  /// What is held is what was asked for and up to an eighth more, but at least the state: each segment begins with a
  /// checkpoint of it.
  ///
  /// - Parameters:
  ///   - path: The name, as for `file`.
  ///   - megabytes: How much is held, in megabytes.
  ///   - minutes: How much is held, in minutes.
  /// - Returns: The destination.
  public static func ring(
    _ path: String,
    megabytes: Double? = nil,
    minutes: Double? = nil
  ) -> LogDestination {
    LogDestination(.ring(path, RingLimits(megabytes: megabytes, minutes: minutes)))
  }

  /// A flight recorder in memory, for apps that must not write to the disk: nothing of it survives the process.
  ///
  /// ```swift
  /// let recorder = Recorder(to: .memory(megabytes: 8))
  /// Store(initialState: AppFeature.State()) { AppFeature().recorded(to: recorder) }
  ///
  /// let report = try recorder.export()
  /// ```
  ///
  /// As a ring in files it holds what was asked for and up to an eighth more, but at least the state.
  ///
  /// - Parameters:
  ///   - megabytes: How much is held, in megabytes; 16 if no limit is given.
  ///   - minutes: How much is held, in minutes.
  /// - Returns: The destination.
  public static func memory(megabytes: Double? = nil, minutes: Double? = nil) -> LogDestination {
    LogDestination(.memory(RingLimits(megabytes: megabytes, minutes: minutes)))
  }

  static func ring(_ path: String, bytes: Int, segments: Int) -> LogDestination {
    LogDestination(.ring(path, RingLimits(bytes: bytes, segments: segments)))
  }
}

/// What takes the lines of a log.
package protocol LogSink: AnyObject, Sendable {
  /// Takes whole lines; they survive the process when the call returns.
  func append(_ lines: [UInt8]) throws
  /// Takes whole lines that follow others so closely that the file need not be looked at first.
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

  /// How many of the oldest segments are not needed for what was asked for.
  ///
  /// - Parameters:
  ///   - segments: All segments, the oldest first; the last one has just been begun.
  ///   - now: Seconds since the recording began.
  /// - Returns: A number of segments.
  func surplus(of segments: [LogDestination.HeldSegment], at now: Double) -> Int {
    var surplus = 0
    while segments.count - surplus > 2 {
      let rest = segments[(surplus + 1)...]
      let isEnough = bytes.map { rest.reduce(0) { $0 + $1.bytes } >= $0 } ?? false
      // The next one goes back far enough.
      let isOld = seconds.map { now - (rest.first?.opened ?? now) >= $0 } ?? false
      let isOverfull = segments.count - surplus > self.segments + 1 && seconds == nil
      guard isEnough || isOld || isOverfull else { break }
      surplus += 1
    }
    return surplus
  }
}
