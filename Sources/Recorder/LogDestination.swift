public import Foundation

/// Where a recording goes.
///
/// ```swift
/// AppFeature()
///   .recorded(to: .file("session.jsonl"))
/// ```
public struct LogDestination: Sendable {
  let open: @Sendable () throws -> any LogSink

  package init(open: @escaping @Sendable () throws -> any LogSink) {
    self.open = open
  }

  /// A file of this name; when there is one already, the first free of `name-2.jsonl`, `name-3.jsonl` and so on.
  ///
  /// A relative path means the working folder on servers and command lines, and Application Support in apps.
  public static func file(_ path: String) -> LogDestination {
    LogDestination { try FileSink(creating: path) }
  }

  /// A file at this URL; when there is one already, the first free of `name-2.jsonl`, `name-3.jsonl` and so on.
  public static func file(_ url: URL) -> LogDestination { file(url.path) }
}

/// What takes the lines of a log.
package protocol LogSink: AnyObject, Sendable {
  /// Takes whole lines; they survive the process when the call returns.
  func append(_ lines: [UInt8]) throws
}
