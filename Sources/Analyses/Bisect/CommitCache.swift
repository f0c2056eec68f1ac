import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A file that stores the outcomes of tested commits.
///
/// The file is written after each test, so that an interrupted search can be continued.
final class CommitCache {
  private let path: String
  /// A digest of the inputs that determine an outcome, except for the commit.
  private let question: String
  private var answers: JSON.Object

  /// Reads the cache file, or creates an empty cache if the file can't be read.
  init(path: String, question: String) {
    self.path = path
    self.question = question
    let data = FileManager.default.contents(atPath: path) ?? Data()
    answers = (try? JSON(parsing: Array(data)))?.object ?? JSON.Object()
  }

  subscript(commit: String) -> CommitTest.CommitVerdict? {
    get { answers[key(commit)].flatMap(CommitTest.CommitVerdict.init(json:)) }
    set {
      answers[key(commit)] = newValue?.json
      // Write errors are ignored, because the cache only saves time.
      guard let file = try? AtomicFile(path) else { return }
      guard (try? file.write(JSON.object(answers).bytes)) != nil else { return }
      try? file.finish()
    }
  }

  private func key(_ commit: String) -> String { "\(commit) \(question)" }
}

extension CommitTest.CommitVerdict {
  /// The outcome as JSON, for the cache file and the report.
  var json: JSON {
    switch self {
    case .good: ["outcome": "good"]
    case .bad(.verdict(let verdict)): ["outcome": "bad", "verdict": verdict.json]
    case .bad(.condition(let seq)): ["outcome": "bad", "at": .number(JSON.Number(seq))]
    case .skipped(.buildFailed(let status, let log)):
      [
        "outcome": "skipped", "reason": "buildFailed", "status": .number(JSON.Number(status)),
        "log": .string(log),
      ]
    case .skipped(.hostFailed(let text)):
      ["outcome": "skipped", "reason": "hostFailed", "message": .string(text)]
    case .skipped(.undecodable(let text)):
      ["outcome": "skipped", "reason": "undecodable", "message": .string(text)]
    case .skipped(.notDeterministic): ["outcome": "skipped", "reason": "notDeterministic"]
    }
  }

  /// Reads an outcome from JSON, or returns `nil` if the JSON is not valid.
  init?(json: JSON) {
    let message = json["message"]?.string ?? ""
    switch (json["outcome"]?.string, json["reason"]?.string) {
    case ("good", _): self = .good
    case ("bad", _):
      if let verdict = json["verdict"].flatMap(Verdict.init(json:)) {
        self = .bad(.verdict(verdict))
      } else if let seq = json["at"]?.int {
        self = .bad(.condition(at: seq))
      } else {
        return nil
      }
    case ("skipped", "buildFailed"):
      self = .skipped(
        .buildFailed(status: json["status"]?.int ?? 0, log: json["log"]?.string ?? "")
      )
    case ("skipped", "hostFailed"): self = .skipped(.hostFailed(message))
    case ("skipped", "undecodable"): self = .skipped(.undecodable(message))
    case ("skipped", "notDeterministic"): self = .skipped(.notDeterministic)
    default: return nil
    }
  }
}
