import ActionLog

/// What became of the check of a log.
package enum CheckOutcome: Sendable {
  case verdict(LogCheck.Result)
  /// What kept the log from being replayed.
  case failure(any Error)
}

extension CheckOutcome {
  /// The outcome on one line.
  package var line: String {
    switch self {
    case .verdict(let result):
      Wording.line(result.verdict, through: result.seq) + Wording.further(result.further.count)
    case .failure(let error): "\(error)"
    }
  }

  /// What was noted that makes no difference, in words.
  package var notes: [String] {
    guard case .verdict(let result) = self else { return [] }
    return (result.unknown > 0 ? [Wording.skipped(result.unknown)] : [])
      + result.notes.map(Wording.note)
  }

  /// The details of a divergence, line by line.
  package func details(style: Style = .plain) -> [String] {
    guard case .verdict(let result) = self else { return [] }
    let text = VerdictText(style: style)
    return text.details(result.verdict, causes: result.causes)
      + result.further.flatMap { further -> [String] in
        ["", text.line(further.verdict, through: result.seq), ""]
          + text.details(further.verdict, causes: further.causes)
      }
  }

  /// The outcome with its details and notes.
  package func text(named name: String) -> String {
    var lines = ["\(name): \(line)"]
    var isSame = false
    if case .verdict(let result) = self { isSame = result.verdict.isSame }
    let details = isSame ? [] : details()
    if !details.isEmpty { lines += [""] + details.map { $0.isEmpty ? "" : "  \($0)" } + [""] }
    lines += notes.map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
