import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// The result of replaying one log, as a line of a file of results has it.
struct RunResult: Sendable, Equatable {
  /// The log: its file as it was named, with a number when the file holds more than one log.
  let log: String
  /// How many logs the file holds.
  var logs = 1
  /// The digest of the file's bytes; empty when it could not be read.
  let digest: String
  /// The length of the file.
  let bytes: Int
  /// The host and the options on which the result depends.
  let setting: Setting
  let verdict: String
  /// What the log adds to the status of a run.
  let status: Int
  /// The action of the verdict.
  var at: Int?
  /// How many actions were compared.
  var actions: Int?
  /// The fingerprint of the cause and the cause in words; `nil` for a log that passes.
  var symptom: (fingerprint: String, text: String)?
  /// What the log's header says; `nil` without a header.
  var source: RecordedSource?
  /// How long the replay took.
  let seconds: Double
  /// When it ended, in ISO 8601.
  let finishedAt: String

  /// What a result depends on besides the log.
  struct Setting: Sendable, Hashable {
    /// The digest of the host's file.
    let host: String
    /// The options that change verdicts, as they were given.
    let options: String
  }

  /// What was recorded, and by what.
  struct RecordedSource: Sendable, Equatable {
    let id: String
    let feature: String
    let startedAt: String
    let recorder: String
    let app: JSON?
    let schema: JSON?
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.json == rhs.json }
}

extension RunResult {
  /// The result of a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - logs: How many logs its file holds.
  ///   - file: The digest and length of the file.
  ///   - setting: What the result depends on.
  ///   - finishedAt: When the replay ended.
  init(
    _ report: RunReport,
    of logs: Int,
    file: FileDigest?,
    setting: Setting,
    finishedAt: Date
  ) {
    log = report.name
    self.logs = logs
    digest = file?.digest ?? ""
    bytes = file?.bytes ?? 0
    self.setting = setting
    verdict = report.json["verdict"]?.string ?? ""
    status = Int(report.status.rawValue)
    if case .verdict(let result) = report.outcome {
      at = result.verdict.at
      actions = result.seq
    }
    if report.status != .same {
      let found = Symptom(report)
      symptom = (found.fingerprint, found.text)
    }
    if let log = report.log, let events = try? log.events(),
      case .header(let header) = try? events()
    {
      source = RecordedSource(
        id: header.id,
        feature: header.feature,
        startedAt: header.startedAt,
        recorder: header.recorder,
        app: header.app,
        schema: header.schema
      )
    }
    seconds = (report.seconds * 1e6).rounded() / 1e6
    self.finishedAt = finishedAt.formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    )
  }

  /// The version of the app, and its build if it is told: `2.1 (340)`.
  var appVersion: String? {
    guard let version = source?.app?["version"]?.string else { return nil }
    let build = source?.app?["build"]?.string.map { " (\($0))" } ?? ""
    return version + build
  }
}

// MARK: - Lines

extension RunResult {
  /// The version of the lines.
  static let version = 1
  /// How the lines of all versions begin.
  static let beginning = #"{"result":"#

  var json: JSON {
    var object: JSON.Object = [
      "result": .number(JSON.Number(Self.version)), "log": .string(log), "digest": .string(digest),
      "bytes": .number(JSON.Number(bytes)), "verdict": .string(verdict),
      "status": .number(JSON.Number(status)),
    ]
    if logs > 1 { object["logs"] = .number(JSON.Number(logs)) }
    object["at"] = at.map { .number(JSON.Number($0)) }
    object["actions"] = actions.map { .number(JSON.Number($0)) }
    if let symptom {
      object["fingerprint"] = .string(symptom.fingerprint)
      object["symptom"] = .string(symptom.text)
    }
    if let source {
      object["id"] = .string(source.id)
      object["feature"] = .string(source.feature)
      object["startedAt"] = .string(source.startedAt)
      object["recorder"] = .string(source.recorder)
      object["app"] = source.app
      object["schema"] = source.schema
    }
    object["host"] = .string(setting.host)
    object["options"] = .string(setting.options)
    object["seconds"] = JSON.Number(seconds).map(JSON.number)
    object["finishedAt"] = .string(finishedAt)
    return .object(object)
  }

  /// The result as a line.
  var line: [UInt8] { Array("\(json.description.visibleJSON)\n".utf8) }

  /// Reads a line; `nil` when it is not a result.
  init?(json: JSON) {
    guard json["result"]?.int == Self.version, let log = json["log"]?.string,
      let digest = json["digest"]?.string, let bytes = json["bytes"]?.int,
      let verdict = json["verdict"]?.string, let status = json["status"]?.int,
      let host = json["host"]?.string, let options = json["options"]?.string,
      let finishedAt = json["finishedAt"]?.string
    else { return nil }
    self.log = log
    logs = json["logs"]?.int ?? 1
    self.digest = digest
    self.bytes = bytes
    setting = Setting(host: host, options: options)
    self.verdict = verdict
    self.status = status
    at = json["at"]?.int
    actions = json["actions"]?.int
    if let fingerprint = json["fingerprint"]?.string, let text = json["symptom"]?.string {
      symptom = (fingerprint, text)
    }
    if let id = json["id"]?.string, let feature = json["feature"]?.string {
      source = RecordedSource(
        id: id,
        feature: feature,
        startedAt: json["startedAt"]?.string ?? "",
        recorder: json["recorder"]?.string ?? "",
        app: json["app"],
        schema: json["schema"]
      )
    }
    seconds = json["seconds"]?.number?.double ?? 0
    self.finishedAt = finishedAt
  }
}
