import ActionLog
import ReplayCommands
import ReplayEngine

/// Messages about results and their summaries.
extension Wording {
  static let pagesOfLogs = "The pages of the logs that fail"

  static func describe(_ error: ResultsError) -> String {
    switch error {
    case .exists(let path):
      "\(path) has results already; --resume finds only those that it lacks, --force starts again"
    case .inUse(let path): "another process writes results to \(path)"
    case .isNone(let path):
      "\(path) holds no results; expected lines that 'run --results' has written"
    case .isEmpty(let paths):
      "there is no result in \(paths.joined(separator: ", ")): nothing was replayed; expected lines that 'run --results' has written"
    }
  }

  /// The kind of file that `--merge` writes, as messages name it.
  static let results = "a file of results"
  static let fileToResume = "a file with --resume"

  static func resumed(_ count: Int) -> String {
    "\(logs(count)) not replayed again: this host has results of them"
  }

  static func logs(_ count: Int) -> String { count == 1 ? "1 log" : "\(count) logs" }

  static func title(_ summary: ResultSummary) -> String {
    let state = summary.failed == 0 ? "all passed" : "\(summary.failed) failed"
    let causes = summary.groups.count
    let groups = summary.failed == 0 ? "" : " for \(causes == 1 ? "1 cause" : "\(causes) causes")"
    return "\(logs(summary.logs)), \(state)\(groups)"
  }

  static let causes = "causes, the most frequent first"
  static let goneCauses = "causes that only the baseline has"
  static let gone = "cause that is gone"
  static let versionsOfApp = "versions of the app"
  static let hosts = "hosts"

  /// Describes how the number of logs with a cause has changed since the baseline, or returns `nil` without a baseline.
  static func trend(_ group: ResultSummary.FailureGroup) -> String? {
    guard let before = group.before else { return nil }
    return before == 0 ? "new" : "known, \(before) before"
  }

  static func versions(_ versions: [String: Int]) -> String {
    versions.sorted { $0.key < $1.key }
      .map { "\(version($0.key)): \($0.value)" }
      .joined(separator: ", ")
  }

  private static func version(_ name: String) -> String {
    name.isEmpty ? "no version" : Notation.visible(name)
  }

  static func rows(_ versions: [String: ResultSummary.VersionCounts]) -> [[String]] {
    versions.sorted { $0.key < $1.key }.map { name, version in
      [self.version(name), "\(logs(version.logs)), \(version.failed) failed"]
    }
  }

  static func rows(_ settings: [(RunResult.Configuration, Int)]) -> [[String]] {
    settings.map { setting, count in
      let options = setting.options.isEmpty ? "" : " \(Notation.visible(setting.options))"
      return ["\(Notation.visible(setting.host))\(options)", logs(count)]
    }
  }

  static func broken(_ names: [String]?) -> String? {
    names.flatMap {
      nameList($0, "passed in the baseline and fails now", "passed in the baseline and fail now")
    }
  }

  static func mended(_ names: [String]?) -> String? {
    names.flatMap {
      nameList($0, "failed in the baseline and passes now", "failed in the baseline and pass now")
    }
  }

  private static func nameList(_ names: [String], _ one: String, _ many: String) -> String? {
    guard !names.isEmpty else { return nil }
    let most = 5
    let rest = names.count > most ? " and \(names.count - most) more" : ""
    let shown = names.prefix(most).map { Notation.visible($0) }.joined(separator: ", ")
    return "\(logs(names.count)) \(names.count == 1 ? one : many): \(shown)\(rest)"
  }

  static func andMoreCauses(_ count: Int) -> String {
    count == 1 ? "and 1 more cause" : "and \(count) more causes"
  }

  static func otherLines(_ count: Int) -> String {
    count == 1
      ? "1 line is no result, such as one that was cut when its process ended; it was left out"
      : "\(count) lines are no results, such as those that were cut when their process ended; they were left out"
  }
}
