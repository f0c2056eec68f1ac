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
    case sink(@Sendable () throws -> any LogSink)
  }

  /// How much a ring holds.
  struct RingLimits: Sendable {
    var bytes: Int?
    var seconds: Double?
    /// In how many parts that is cut: more of them waste less when the oldest is dropped.
    var segments = 8
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
    var limits = RingLimits()
    limits.bytes = megabytes.map { Int(max(0, min($0, 1e9)) * 1_048_576) }
    limits.seconds = minutes.map { max(0, min($0, 1e9)) * 60 }
    if limits.bytes == nil, limits.seconds == nil { limits.bytes = 16 * 1_048_576 }
    return LogDestination(.ring(path, limits))
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
