public import ActionLog
import Foundation

/// A log with the verdict of its replay in this process.
///
/// A trap of the feature ends the process.
///
/// ```swift
/// for log in try ReplayedLog.check(logsAt: "Logs", of: feature) where !log.isSame {
///   print(log.text)
/// }
/// ```
public struct ReplayedLog: Sendable {
  /// The name of the log: the path or given name of its file, with a number if the file contains several logs.
  public let name: String
  /// The verdict, or `nil` if the log could not be replayed.
  public let verdict: Verdict?
  /// A report with the verdict, its differences, and the notes, or with the error that prevented the replay.
  public let text: String

  /// The values that were not compared, because the log or the replay contains only their types.
  public let notCompared: [UncomparedValue]
  /// Whether the replay matches the recording up to the end of the log.
  ///
  /// In a strict comparison, it is `true` only if all values were compared.
  public let isSame: Bool
  /// The file of the log and its offsets in the file.
  package let slice: LogSlice
}

extension ReplayedLog {
  /// Replays the logs in a file, or in the `*.jsonl` files of a folder and its subfolders.
  ///
  /// - Parameters:
  ///   - path: The path of the file or folder.
  ///   - name: The name of the file in messages; its path by default.
  ///   - feature: The feature that replays the logs, regardless of the names in their headers.
  ///   - options: The options for the comparison, such as ignored paths.
  ///   - isContinuing: Whether the replay continues from the recorded state after a divergence.
  /// - Returns: The logs with their verdicts, sorted by name.
  /// - Throws: `LogReadError` if a file or folder can't be read, `ReplayError.noLogs` for a folder without logs, or an
  ///   error that names a missing or superfluous migration.
  public static func check(
    logsAt path: String,
    named name: String? = nil,
    of feature: FeatureEntry,
    options: LogComparison.Options = LogComparison.Options(),
    isContinuing: Bool = false
  ) throws -> [ReplayedLog] {
    let plan = try MigrationPlan(feature)
    return try LogFileFinder.entries(of: path).flatMap { entry -> [ReplayedLog] in
      switch entry {
      case .failure(_, let error): throw error
      case .file(let path, let file):
        return try LogSlice.slices(of: path, name: name ?? file).map { log in
          check(ReplayCheck(log: log, options: options, isContinuing: isContinuing), plan, feature)
        }
      }
    }
  }

  /// Returns the `*.jsonl` files in a folder and its subfolders, sorted by name.
  ///
  /// ```swift
  /// for log in try ReplayedLog.files(in: URL(fileURLWithPath: "Logs")) { print(log.lastPathComponent) }  // counter.jsonl
  /// ```
  ///
  /// - Throws: `ReplayError.noLogs` if the folder contains no such files, or `LogReadError` if a folder can't be read.
  public static func files(in folder: URL) throws -> [URL] {
    try LogFileFinder.entries(of: folder.path).map { entry in
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
    outcome.addUnversionedNote(log, plan.version) {
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
  /// Replays the logs in a file in this process.
  ///
  /// A trap of the feature ends the process.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - makeEngine: A closure that makes the engine for a log with the given header.
  /// - Returns: The verdict on each log in the file. Most files contain one log.
  /// - Throws: `LogReadError` if a log can't be read. `ReplayError` and the errors of `makeEngine` if a log can't be
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
