import ActionLog
import ReplayAnalyses
import ReplayCommands

/// A summary of the results of many logs, compared with a baseline if there is one.
struct ResultSummary: Sendable {
  /// A group of failed logs with the same cause.
  struct FailureGroup: Sendable {
    let fingerprint: String
    let symptom: String
    /// The number of failed logs in the group.
    var count = 0
    /// The name and size of the smallest log in the group, which is the quickest to inspect.
    var smallest: (log: String, bytes: Int) = ("", .max)
    /// The number of logs in the group per version of the app.
    var versions: [String: Int] = [:]
    /// The number of logs with this cause in the baseline, or `nil` without a baseline.
    var before: Int?

    /// Whether no log in the baseline has this cause.
    var isNew: Bool { before == 0 }
  }

  /// The number of passed and failed logs that one version of the app has recorded.
  struct VersionCounts: Sendable {
    var logs = 0
    var failed = 0
  }

  private(set) var logs = 0
  private(set) var failed = 0
  /// The total size of all logs in bytes.
  private(set) var bytes = 0
  private(set) var seconds = 0.0
  /// The worst status of all logs.
  private(set) var status = ExitStatus.same
  /// The number of logs by the name of their verdict.
  private(set) var verdicts: [String: Int] = [:]
  /// The groups of failed logs, starting with the largest.
  private(set) var groups: [FailureGroup] = []
  /// The groups of failed logs whose causes occur only in the baseline.
  private(set) var gone: [FailureGroup] = []
  /// The number of logs by the version of the app that recorded them.
  ///
  /// Logs without a version in the header have the key `""`.
  private(set) var versions: [String: VersionCounts] = [:]
  /// The number of logs by the host and the options of their runs.
  private(set) var settings: [RunResult.Configuration: Int] = [:]
  /// The names of the logs that passed in the baseline and fail now, or `nil` without a baseline.
  private(set) var broken: [String]?
  private(set) var mended: [String]?
  /// The number of lines that are not results.
  private(set) var others: Int

  init(_ set: ResultSet, baseline: ResultSet? = nil) {
    others = set.others
    var groups: [String: FailureGroup] = [:]
    for result in set.results {
      logs += 1
      bytes += result.bytes
      seconds += result.seconds
      status = max(status, result.exitStatus)
      verdicts[result.verdict, default: 0] += 1
      settings[result.setting, default: 0] += 1
      let version = result.appVersion ?? ""
      versions[version, default: VersionCounts()].logs += 1
      guard result.status != 0 else { continue }
      failed += 1
      versions[version]?.failed += 1
      groups.add(result)
    }
    self.groups = groups.largestFirst
    if let baseline { compare(set, with: baseline) }
  }

  private mutating func compare(_ set: ResultSet, with baseline: ResultSet) {
    var before: [String: FailureGroup] = [:]
    var broken: [String] = []
    var mended: [String] = []
    for result in baseline.results {
      if result.status != 0 { before.add(result) }
      guard let now = set[result.log, result.digest] else { continue }
      if result.status == 0, now.status != 0 { broken.append(result.log) }
      if result.status != 0, now.status == 0 { mended.append(result.log) }
    }
    for index in groups.indices {
      groups[index].before = before.removeValue(forKey: groups[index].fingerprint)?.count ?? 0
    }
    gone = before.largestFirst
    (self.broken, self.mended) = (broken, mended)
  }
}

extension RunResult {
  /// The exit status of a run in which only this log was replayed.
  var exitStatus: ExitStatus { ExitStatus(rawValue: Int32(clamping: status)) ?? .hostFailed }
}

extension [String: ResultSummary.FailureGroup] {
  /// Adds a failed log to the group for its cause, which is created if it does not exist.
  fileprivate mutating func add(_ result: RunResult) {
    let (fingerprint, text) = result.symptom ?? ("", result.verdict)
    var group =
      self[fingerprint] ?? ResultSummary.FailureGroup(fingerprint: fingerprint, symptom: text)
    group.count += 1
    if (result.bytes, result.log) < (group.smallest.bytes, group.smallest.log) {
      group.smallest = (result.log, result.bytes)
    }
    group.versions[result.appVersion ?? "", default: 0] += 1
    self[fingerprint] = group
  }

  fileprivate var largestFirst: [ResultSummary.FailureGroup] {
    values.sorted { ($1.count, $0.fingerprint) < ($0.count, $1.fingerprint) }
  }
}

// MARK: - JSON

extension ResultSummary.FailureGroup {
  var json: JSON {
    var object: JSON.Object = [
      "fingerprint": .string(fingerprint), "symptom": .string(symptom),
      "count": .number(JSON.Number(count)),
      "smallest": [
        "log": .string(smallest.log), "bytes": .number(JSON.Number(smallest.bytes)),
      ],
      "versions": JSON(byName: versions) { .number(JSON.Number($0)) },
    ]
    object["before"] = before.map { .number(JSON.Number($0)) }
    return .object(object)
  }
}

extension ResultSummary {
  var json: JSON {
    var object: JSON.Object = [
      "logs": .number(JSON.Number(logs)), "failed": .number(JSON.Number(failed)),
      "bytes": .number(JSON.Number(bytes)),
    ]
    object["seconds"] = JSON.Number((seconds * 1e6).rounded() / 1e6).map(JSON.number)
    object["verdicts"] = JSON(byName: verdicts) { .number(JSON.Number($0)) }
    object["groups"] = .array(groups.map(\.json))
    object["versions"] = JSON(byName: versions) { version in
      [
        "logs": .number(JSON.Number(version.logs)),
        "failed": .number(JSON.Number(version.failed)),
      ]
    }
    object["hosts"] = .array(
      sortedSettings.map { setting, count in
        [
          "host": .string(setting.host), "options": .string(setting.options),
          "logs": .number(JSON.Number(count)),
        ]
      }
    )
    if let broken, let mended {
      object["gone"] = .array(gone.map(\.json))
      object["broken"] = .array(broken.map(JSON.string))
      object["mended"] = .array(mended.map(JSON.string))
    }
    if others > 0 { object["otherLines"] = .number(JSON.Number(others)) }
    return .object(object)
  }

  var sortedSettings: [(RunResult.Configuration, Int)] {
    settings.sorted {
      ($1.value, $0.key.host, $0.key.options) < ($0.value, $1.key.host, $1.key.options)
    }
    .map { ($0.key, $0.value) }
  }
}

extension JSON {
  /// Creates an object whose members are sorted by name.
  fileprivate init<Value>(byName values: [String: Value], _ json: (Value) -> JSON) {
    let members = values.sorted { $0.key < $1.key }.map { (key: $0.key, value: json($0.value)) }
    self = .object(JSON.Object(members: members))
  }
}
