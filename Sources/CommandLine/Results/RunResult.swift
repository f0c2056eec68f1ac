import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// The result of replaying one log, as a file of results contains it.
struct RunResult: Sendable, Equatable {
  /// The name of the log: the name of its file, with a number if the file contains several logs.
  let log: String
  /// The number of logs that the file contains.
  var logs = 1
  /// The digest of the file's bytes, or an empty string if the file could not be read.
  let digest: String
  /// The length of the file in bytes.
  let bytes: Int
  /// The host and the options on which the result depends.
  let setting: Configuration
  let verdict: String
  /// The exit status of a run in which only this log was replayed.
  let status: Int
  /// The number of the action that the verdict names, or `nil` if it names none.
  var at: Int?
  /// The number of compared actions, or `nil` if the log was not replayed.
  var actions: Int?
  /// The fingerprint of the cause and its description, or `nil` for a log that passes.
  var symptom: (fingerprint: String, text: String)?
  /// The feature and the app that the log's header names, or `nil` if the log has no header.
  var source: RecordingInfo?
  /// The duration of the replay in seconds.
  let seconds: Double
  /// The time at which the replay ended, in ISO 8601.
  let finishedAt: String

  /// The conditions other than the log on which a result depends.
  struct Configuration: Sendable, Hashable {
    /// The digest of the host's executable.
    let host: String
    /// The options that affect verdicts, as they would be typed on a command line.
    let options: String
  }

  /// The recorded feature, and the app that recorded it.
  struct RecordingInfo: Sendable, Equatable {
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
  /// Creates a result from a report.
  ///
  /// - Parameters:
  ///   - report: The report on the log.
  ///   - logs: The number of logs that the file contains.
  ///   - file: The digest and length of the file, or `nil` if the file could not be read.
  ///   - setting: The host and the options on which the result depends.
  ///   - finishedAt: The time at which the replay ended.
  init(
    _ report: LogRunReport,
    of logs: Int,
    file: FileDigest?,
    setting: Configuration,
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
      source = RecordingInfo(
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

  /// The version of the app, with the build if it is known: `2.1 (340)`.
  var appVersion: String? {
    guard let version = source?.app?["version"]?.string else { return nil }
    let build = source?.app?["build"]?.string.map { " (\($0))" } ?? ""
    return version + build
  }
}

// MARK: - Lines

extension RunResult {
  /// The version of the format that lines have.
  static let version = 1
  /// The start of a line in all versions of the format.
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

  /// The result as a line of JSON with a line feed.
  var line: [UInt8] { Array("\(json.description.visibleJSON)\n".utf8) }

  /// Parses a line, or returns `nil` if the line is not a result.
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
    setting = Configuration(host: host, options: options)
    self.verdict = verdict
    self.status = status
    at = json["at"]?.int
    actions = json["actions"]?.int
    if let fingerprint = json["fingerprint"]?.string, let text = json["symptom"]?.string {
      symptom = (fingerprint, text)
    }
    if let id = json["id"]?.string, let feature = json["feature"]?.string {
      source = RecordingInfo(
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
