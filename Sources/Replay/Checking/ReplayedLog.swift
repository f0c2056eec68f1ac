public import ActionLog
import Foundation

/// A log with the verdict of its replay within this process, which a trap of the feature ends.
///
/// ```swift
/// for log in try ReplayedLog.check(logsAt: "Logs", of: feature) where !log.isSame {
///   print(log.text)
/// }
/// ```
public struct ReplayedLog: Sendable {
  /// The name of the log: its file, with a number when the file holds more than one log.
  public let name: String
  /// The verdict; `nil` when there is none.
  public let verdict: Verdict?
  /// The verdict with its first divergence as a diff, or the error that kept the log from being replayed.
  public let text: String

  /// The values that were not compared, because the log holds their type alone.
  public let notCompared: [UncomparedValue]
  /// Whether the replay matches the recording, as far as the log goes; in a strict comparison, whether everything was compared,
  /// too.
  public let isSame: Bool
  /// The log.
  package let slice: LogSlice
}

extension ReplayedLog {
  /// Replays the logs in a file, or in the `*.jsonl` files of a folder and the folders within it.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - name: The name of the file in messages; its path by default.
  ///   - feature: The feature that replays the logs, whatever their headers name.
  ///   - options: The options of the comparison.
  ///   - isContinuing: Whether a replay continues after a divergence, from the recorded state.
  /// - Returns: The logs, in the order of their names.
  /// - Throws: `LogReadError` when there is no log at all, and an error that names the migration of the feature that is
  ///   missing or superfluous.
  public static func check(
    logsAt path: String,
    named name: String? = nil,
    of feature: FeatureEntry,
    options: LogComparison.Options = LogComparison.Options(),
    isContinuing: Bool = false
  ) throws -> [ReplayedLog] {
    let plan = try MigrationPlan(feature)
    return try LogFiles.entries(of: path).flatMap { entry -> [ReplayedLog] in
      switch entry {
      case .failure(_, let error): throw error
      case .file(let path, let file):
        return try LogSlice.slices(of: path, name: name ?? file).map { log in
          check(ReplayCheck(log: log, options: options, isContinuing: isContinuing), plan, feature)
        }
      }
    }
  }

  /// The logs in a folder and the folders within it: the `*.jsonl` files, by name.
  ///
  /// ```swift
  /// for log in try ReplayedLog.files(in: URL(fileURLWithPath: "Logs")) { print(log.lastPathComponent) }  // counter.jsonl
  /// ```
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
    _ check: ReplayCheck,
    _ plan: MigrationPlan,
    _ feature: FeatureEntry
  ) -> ReplayedLog {
    let log = check.log
    var outcome: ReplayOutcome
    do {
      outcome = .verdict(try check.run(plan) { _ in try feature.makeEngine() })
    } catch {
      outcome = .failure(error)
    }
    outcome.noteUnversioned(log, plan.version) {
      try check.run { _ in try feature.makeEngine() }.isSame
    }
    let text = outcome.text(named: log.name)
    guard case .verdict(let result) = outcome else {
      return ReplayedLog(
        name: log.name,
        verdict: nil,
        text: text,
        notCompared: [],
        isSame: false,
        slice: log
      )
    }
    return ReplayedLog(
      name: log.name,
      verdict: result.verdict,
      text: text,
      notCompared: result.notCompared,
      isSame: result.isSame,
      slice: log
    )
  }
}

extension Verdict {
  /// Replays the logs in a file within this process, which a trap of the feature ends.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - makeEngine: Makes the engine for the log with this header.
  /// - Returns: The verdict on each log of the file; most files have one.
  /// - Throws: `LogReadError` when a log cannot be read, `ReplayError` and the errors of `makeEngine` when it cannot be
  ///   replayed.
  public static func ofReplay(
    logAt path: String,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> [Verdict] {
    try LogSlice.slices(of: path, name: path).map { log in
      try ReplayCheck(log: log).run(makeEngine: makeEngine).verdict
    }
  }
}
