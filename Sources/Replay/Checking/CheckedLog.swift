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
  ///   - name: What a file is called; its path when nothing is said.
  ///   - feature: What replays the logs, whatever their headers name.
  ///   - options: What is left out or taken seriously.
  ///   - isContinuing: Whether a replay goes on behind a divergence, from the recorded state.
  /// - Returns: The logs, in the order of their names.
  /// - Throws: `LogReadError` when there is no log at all, and an error that says which of the feature's migrations is
  ///   missing or too much.
  public static func check(
    logsAt path: String,
    named name: String? = nil,
    of feature: FeatureEntry,
    options: LogComparison.Options = LogComparison.Options(),
    isContinuing: Bool = false
  ) throws -> [CheckedLog] {
    let plan = try MigrationPlan(feature)
    return try LogFiles.entries(of: path).flatMap { entry -> [CheckedLog] in
      switch entry {
      case .failure(_, let error): throw error
      case .file(let path, let file):
        return try LogSlice.slices(of: path, name: name ?? file).map { log in
          check(LogCheck(log: log, options: options, isContinuing: isContinuing), plan, feature)
        }
      }
    }
  }

  /// The logs in a folder and the folders within it: the `*.jsonl` files, by name.
  ///
  /// - Throws: An error that says that there are none.
  public static func files(in folder: URL) throws -> [URL] {
    try LogFiles.entries(of: folder.path).map { entry in
      switch entry {
      case .failure(_, let error): throw error
      case .file(let path, _): return URL(fileURLWithPath: path)
      }
    }
  }

  private static func check(
    _ check: LogCheck,
    _ plan: MigrationPlan?,
    _ feature: FeatureEntry
  ) -> CheckedLog {
    let log = check.log
    let outcome: CheckOutcome
    do {
      outcome = .verdict(try check.run(plan) { _ in try feature.makeEngine() })
    } catch {
      outcome = .failure(error)
    }
    let text = outcome.text(named: log.name)
    guard case .verdict(let result) = outcome else {
      return CheckedLog(name: log.name, verdict: nil, text: text)
    }
    return CheckedLog(name: log.name, verdict: result.verdict, text: text)
  }
}
