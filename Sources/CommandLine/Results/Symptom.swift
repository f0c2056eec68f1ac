import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// What a log shows that is not as it should be, without what differs from log to log: logs with the same cause have the same symptom.
///
/// Numbers of actions and rows, ids and values are left out.
struct Symptom: Sendable, Hashable {
  /// The verdict, or the kind of failure: `diverged`, `trapped`, `violated`, `unreadable`.
  let kind: String
  /// The kind of the first difference, or the signal.
  var detail = ""
  /// The place of the first difference, `rows[*].isDone`.
  var place = ""
  /// The cases of the action, `.rows[].toggled`.
  var action = ""
  /// What else there is to say, in words: why a value cannot be read, which invariants are violated.
  var message = ""

  /// Sixteen hexadecimal digits that are the same for the same symptom, in every log and on every machine.
  ///
  /// The first names the version of the rule: a rule that finds other symptoms gets another one.
  var fingerprint: String {
    let parts = [kind, detail, place, action, message].joined(separator: "\u{1F}")
    let digest = parts.utf8.digest.suffix(15)
    return "1" + String(repeating: "0", count: 15 - digest.count) + digest
  }

  /// The symptom as people read it.
  var text: String {
    let action = action.isEmpty ? "" : ", action \(action)"
    switch kind {
    case "diverged":
      return "diverged: \(detail)\(place.isEmpty ? "" : " \(place)")\(action)"
    case "trapped": return "trapped (\(detail))\(action)"
    case "undecodable", "notReplayable": return "\(kind): \(message)"
    default: return message.isEmpty ? kind : message
    }
  }
}

extension Symptom {
  /// The symptom of a report; of one that has none, that of its verdict.
  init(_ report: RunReport) {
    switch report.outcome {
    case .failure(let error):
      self.init(kind: report.failureType, message: Self.withoutNumbers(Self.message(error)))
    case .verdict(let result): self.init(result, violated: report.violated)
    }
  }

  private init(_ result: ReplayCheck.Result, violated: [InvariantResult]) {
    let verdict = result.verdict
    if verdict.isSame, !violated.isEmpty {
      let names = violated.map { "'\(Notation.visible($0.invariant.name))'" }
      self.init(kind: "violated", message: "violates \(names.joined(separator: ", "))")
      return
    }
    switch verdict {
    case .diverged(let divergence): self.init(divergence)
    case .trapped(_, let signal):
      self.init(kind: verdict.name, detail: signal, action: Self.cases(result.causes.first))
    case .undecodable(let value), .notReplayable(let value):
      self.init(kind: verdict.name, message: Self.withoutNumbers(value.message))
    case _ where verdict.isSame && !result.isSame:
      self.init(
        kind: verdict.name,
        message: "\(verdict.name)\(Wording.notCompared(result.notCompared))"
      )
    default: self.init(kind: verdict.name)
    }
  }

  private init(_ divergence: Verdict.Divergence) {
    self.init(
      kind: "diverged",
      detail: Wording.name(divergence.cause),
      place: divergence.cause == .sequence ? "" : Self.place(divergence.differences.first),
      action: Self.cases(divergence.causes.first)
    )
  }

  /// The message of an error, without the path of the log.
  private static func message(_ error: any Error) -> String {
    switch error {
    case LogReadError.noSuchFile: "\(LogReadError.noSuchFile("LOG"))"
    case LogReadError.system(_, let code): "\(LogReadError.system(path: "LOG", code: code))"
    default: "\(error)"
    }
  }

  private static func cases(_ link: Verdict.Divergence.Link?) -> String {
    link.map { Notation().casePath($0.action) } ?? ""
  }

  private static func place(_ difference: LogDifference?) -> String {
    guard let difference else { return "" }
    if difference.subject.hasPrefix("/"),
      let pointer = try? JSON.Pointer(parsing: difference.subject)
    {
      return Notation().place(JSON.Pointer(pointer.anyElement.tokens.map(anyID)))
    }
    return difference.path.split(separator: "/", omittingEmptySubsequences: false)
      .map { isNumber($0) ? "*" : anyID(String($0)) }
      .joined(separator: "/")
  }

  /// Numbers that are no parts of names differ from log to log.
  private static func withoutNumbers(_ text: String) -> String {
    text.replacing(uuid, with: "ID").replacing(/\b[0-9]+\b/, with: "N")
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isNumber || $0 == "." }
  }

  /// A key that is an id names an entry of this log alone.
  private static func anyID(_ token: String) -> String {
    token.wholeMatch(of: uuid) == nil && token.wholeMatch(of: masked) == nil ? token : "*"
  }

  // A regular expression is not `Sendable`, so it is made anew.
  private static var uuid: Regex<Substring> {
    /[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/
  }

  private static var masked: Regex<Substring> { /masked[0-9a-f]{18}/ }
}
