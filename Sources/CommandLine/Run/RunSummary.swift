import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The counts and groups that `run` prints after all reports.
struct RunSummary: Sendable {
  private(set) var logs = 0
  /// The number of logs that failed.
  private(set) var failed = 0
  /// The exit status of the run so far, which is the worst status of a log.
  private(set) var status = ExitStatus.same
  /// The groups of failed logs with the same symptom, in the order of their first log.
  private(set) var groups: [SymptomGroup] = []
  /// The values that were not compared, in all logs.
  private(set) var notCompared = UncomparedCounts()
  /// The number of files whose logs were replayed.
  var files = 0
  var notReplayed = 0
  /// The signal that interrupted the run, or `nil` if the run was not interrupted.
  var interruption: Int32?
  private(set) var seconds = 0.0
  /// The number of logs that were not replayed, because a file of results already contained their results.
  private(set) var resumed = 0
  /// The paths of pages by the names of their logs.
  var pages: [String: String] = [:]

  /// A group of failed logs with the same symptom.
  struct SymptomGroup: Sendable, Equatable {
    let symptom: Symptom
    var count = 0
    /// The names of the first logs in the group.
    var logs: [String] = []

    /// The maximum number of logs that a group names.
    static let mostLogs = 3
  }

  /// Adds the results of logs that were not replayed, because a file of results already contained them.
  mutating func add(_ earlier: [RunResult]) {
    resumed += earlier.count
    for result in earlier {
      logs += 1
      status = max(status, result.exitStatus)
      if result.status != 0 { failed += 1 }
    }
  }

  mutating func add(_ report: LogRunReport) {
    logs += 1
    seconds += report.seconds
    status = max(status, report.status)
    notCompared.add(report.notCompared, of: report.name)
    guard report.status != .same else { return }
    failed += 1
    let symptom = Symptom(report)
    let index = groups.firstIndex { $0.symptom == symptom } ?? groups.count
    if index == groups.count { groups.append(SymptomGroup(symptom: symptom)) }
    groups[index].count += 1
    if groups[index].logs.count < SymptomGroup.mostLogs { groups[index].logs.append(report.name) }
  }

  /// The groups, starting with the largest.
  var largestGroups: [SymptomGroup] {
    groups.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map(\.element)
  }

  var json: JSON.Object {
    var object: JSON.Object = [
      "well": .number(JSON.Number(logs - failed)), "notWell": .number(JSON.Number(failed)),
      "notReplayed": .number(JSON.Number(notReplayed)),
      "groups": .array(
        largestGroups.map { group in
          [
            "symptom": .string(group.symptom.text),
            "fingerprint": .string(group.symptom.fingerprint),
            "count": .number(JSON.Number(group.count)),
            "logs": .array(group.logs.map(JSON.string)),
          ]
        }
      ),
    ]
    if interruption != nil { object["isPartial"] = true }
    return object
  }
}

/// The values that were not compared in a run of many logs, with each path listed once.
struct UncomparedCounts: Sendable {
  /// A path, the number of logs that contain it, and the first of these logs.
  struct CountedValue: Sendable {
    let text: String
    var count: Int
    let log: String
  }

  private var counts: [UncomparedValue: CountedValue] = [:]
  /// The number of paths that are not listed, because the table is full.
  private(set) var rest = 0

  /// The maximum number of rows.
  ///
  /// Longer tables are not read.
  private static let most = 50

  var isEmpty: Bool { counts.isEmpty }

  /// The rows of the table, sorted by decreasing number of logs.
  var rows: [CountedValue] {
    counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
  }

  /// Descriptions of the parts of effects that the app's library does not expose.
  var ofModel: [String] { counts.filter { $0.key.isOfModel }.map(\.value.text).sorted() }

  mutating func add(_ values: [UncomparedValue], of log: String) {
    for value in values {
      if counts[value] != nil {
        counts[value]?.count += 1
      } else if counts.count < Self.most {
        counts[value] = CountedValue(text: value.text(), count: 1, log: log)
      } else {
        rest += 1
      }
    }
  }
}
