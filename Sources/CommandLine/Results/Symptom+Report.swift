import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

extension Symptom {
  /// Creates the symptom of a failed report from its error or its verdict.
  init(_ report: LogRunReport) {
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
      place: divergence.cause == .sequence ? "" : Self.locationText(divergence.differences.first),
      action: Self.cases(divergence.causes.first)
    )
  }

  /// Returns the message of an error without the path of the log.
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

  private static func locationText(_ difference: LogDifference?) -> String {
    guard let difference else { return "" }
    if difference.subject.hasPrefix("/"), let location = difference.location {
      return Notation().pathText(ofAnyElement: location.anyElement.anyID)
    }
    return difference.path.split(separator: "/", omittingEmptySubsequences: false)
      .map { isNumber($0) ? "*" : JSON.Pointer.anyID(String($0)) }
      .joined(separator: "/")
  }

  /// Replaces numbers that are not part of names, because they differ between logs.
  private static func withoutNumbers(_ text: String) -> String {
    text.replacing(JSON.Pointer.uuid, with: "ID").replacing(/\b[0-9]+\b/, with: "N")
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isNumber || $0 == "." }
  }
}
