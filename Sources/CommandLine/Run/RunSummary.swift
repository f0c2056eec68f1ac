import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The summary of a run.
struct RunSummary: Sendable {
  private(set) var logs = 0
  /// How many logs failed.
  private(set) var failed = 0
  /// The worst status so far.
  private(set) var status = ExitStatus.same
  /// The failed logs by their symptom, in the order in which the symptoms first occurred.
  private(set) var groups: [SymptomGroup] = []
  /// The values that were not compared, over all logs.
  private(set) var notCompared = UncomparedCounts()
  /// How many files were replayed, and how many were not.
  var files = 0
  var notReplayed = 0
  /// The signal that ended the run before its time.
  var interruption: Int32?
  private(set) var seconds = 0.0
  /// How many logs were not replayed, because their results are there from before.
  private(set) var resumed = 0
  /// The pages of logs that failed, by the log's name.
  var pages: [String: String] = [:]

  /// Logs with the same symptom.
  struct SymptomGroup: Sendable, Equatable {
    let symptom: Symptom
    var count = 0
    /// The first of them.
    var logs: [String] = []

    /// How many logs are named.
    static let mostLogs = 3
  }

  /// Counts logs whose results are there from before.
  mutating func add(_ earlier: [RunResult]) {
    resumed += earlier.count
    for result in earlier {
      logs += 1
      status = max(status, result.exitStatus)
      if result.status != 0 { failed += 1 }
    }
  }

  mutating func add(_ report: RunReport) {
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

  /// The groups, the largest first.
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

/// The values that were not compared in a run of many logs, each place once.
struct UncomparedCounts: Sendable {
  /// A place, how many logs have it, and the first of them.
  struct CountedValue: Sendable {
    let text: String
    var count: Int
    let log: String
  }

  private var counts: [UncomparedValue: CountedValue] = [:]
  /// How many places there are beyond those that are listed.
  private(set) var rest = 0

  /// More rows are not read.
  private static let most = 50

  var isEmpty: Bool { counts.isEmpty }

  /// The places of most logs first.
  var rows: [CountedValue] {
    counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
  }

  /// What the model of the logs never shows, in words.
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
