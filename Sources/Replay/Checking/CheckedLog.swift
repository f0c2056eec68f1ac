public import ActionLog
import Foundation

/// A log, and what its replay within this process has shown: what traps there ends this process.
public struct CheckedLog: Sendable {
  /// What the log is called: its file, with a number when the file holds more than one log.
  public let name: String
  /// The verdict; `nil` when there is none.
  public let verdict: Verdict?
  /// The verdict with its first divergence as a diff, or what kept the log from being replayed.
  public let text: String

  /// Whether the replay does what was recorded, as far as the log goes.
  public var isSame: Bool { verdict?.isSame ?? false }
}

extension CheckedLog {
  /// Replays the logs in a file, or in the `*.jsonl` files of a folder and the folders within it.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - options: What is left out or taken seriously.
  ///   - makeEngine: Makes the engine for the log with this header; what it throws becomes the log's text.
  /// - Returns: The logs, in the order of their names.
  /// - Throws: `LogReadError` when there is no log at all.
  public static func check(
    logsAt path: String,
    options: LogComparison.Options = LogComparison.Options(),
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> [CheckedLog] {
    let logs = LogList([path], standardInput: { path })
    return try logs.entries.flatMap { entry -> [CheckedLog] in
      switch entry {
      case .failure(_, let error): throw error
      case .file(let path, let name):
        return try LogSlice.slices(of: path, name: name).map { log in
          check(log, options, makeEngine)
        }
      }
    }
  }

  /// The logs in a folder and the folders within it: the `*.jsonl` files, by name.
  ///
  /// - Throws: An error that says that there are none.
  public static func files(in folder: URL) throws -> [URL] {
    try LogList([folder.path], standardInput: { folder.path }).entries.map { entry in
      switch entry {
      case .failure(_, let error): throw error
      case .file(let path, _): return URL(fileURLWithPath: path)
      }
    }
  }

  private static func check(
    _ log: LogSlice,
    _ options: LogComparison.Options,
    _ makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) -> CheckedLog {
    let outcome: RunReport.Outcome
    do {
      let check = LogCheck(log: log, options: options)
      outcome = .verdict(try check.run(makeEngine: makeEngine))
    } catch {
      outcome = .failure(error)
    }
    let report = RunReport(name: log.name, outcome: outcome)
    let text = RunText(hasDetails: true).text(report)
    guard case .verdict(let result) = outcome else {
      return CheckedLog(name: log.name, verdict: nil, text: text)
    }
    return CheckedLog(name: log.name, verdict: result.verdict, text: text)
  }
}
