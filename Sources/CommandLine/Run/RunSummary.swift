import ActionLog
import ReplayCommands
import ReplayEngine

/// What the logs of a run have in common.
struct RunSummary: Sendable {
  private(set) var logs = 0
  private(set) var notWell = 0
  /// The worst that was found.
  private(set) var status = ExitStatus.same
  /// The logs that are not well by what they show first, in the order in which it was met.
  private(set) var groups: [Group] = []
  /// How many files have been through, and how many never will.
  var files = 0
  var notReplayed = 0
  /// The signal that ended the run before its time.
  var interruption: Int32?
  private(set) var seconds = 0.0

  /// Logs that show the same.
  struct Group: Sendable, Equatable {
    let symptom: String
    var count = 0
    /// The first of them.
    var logs: [String] = []

    /// How many logs are named: enough to begin with.
    static let mostLogs = 3
  }

  mutating func add(_ report: RunReport) {
    logs += 1
    seconds += report.seconds
    status = max(status, report.status)
    guard report.status != .same else { return }
    notWell += 1
    let symptom = report.symptom
    let index = groups.firstIndex { $0.symptom == symptom } ?? groups.count
    if index == groups.count { groups.append(Group(symptom: symptom)) }
    groups[index].count += 1
    if groups[index].logs.count < Group.mostLogs { groups[index].logs.append(report.name) }
  }

  /// The groups, the largest first.
  var largestGroups: [Group] {
    groups.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map(\.element)
  }

  var json: JSON.Object {
    var object: JSON.Object = [
      "well": .number(JSON.Number(logs - notWell)), "notWell": .number(JSON.Number(notWell)),
      "notReplayed": .number(JSON.Number(notReplayed)),
      "groups": .array(
        largestGroups.map { group in
          [
            "symptom": .string(group.symptom), "count": .number(JSON.Number(group.count)),
            "logs": .array(group.logs.map(JSON.string)),
          ]
        }
      ),
    ]
    if interruption != nil { object["isPartial"] = true }
    return object
  }
}

extension RunReport {
  /// What the log shows, without what is its own: two logs with the same symptom have the same first divergence.
  var symptom: String {
    switch outcome {
    case .failure(let error): return Self.withoutNumbers("\(error)")
    case .verdict(let result):
      switch result.verdict {
      case .diverged(let divergence): return Wording.symptom(divergence)
      case .trapped(_, let signal): return "trapped (\(signal))"
      case .undecodable(let obstacle), .notReplayable(let obstacle):
        return "\(result.verdict.name): \(Self.withoutNumbers(obstacle.message))"
      default: return result.verdict.name
      }
    }
  }

  /// Numbers that are no parts of names differ from log to log.
  private static func withoutNumbers(_ text: String) -> String {
    text.replacing(/\b[0-9]+\b/, with: "N")
  }
}
