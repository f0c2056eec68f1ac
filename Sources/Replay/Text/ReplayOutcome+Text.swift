import ActionLog

extension ReplayOutcome {
  /// Returns one line that states the outcome.
  package func line(_ notation: Notation) -> String {
    switch self {
    case .verdict(let result):
      Wording.line(result.verdict, through: result.seq, notation)
        + Wording.further(result.further.count) + Wording.notCompared(result.notCompared, notation)
        + Wording.unreadableRest(result.unreadable)
    case .failure(let error): "\(error)"
    }
  }

  /// Returns the notes as text.
  ///
  /// Notes do not change the verdict.
  package func notes(_ notation: Notation) -> [String] {
    guard case .verdict(let result) = self else { return [] }
    return (result.unknown > 0 ? [Wording.skipped(result.unknown)] : [])
      + result.notes.map { Wording.noteText($0, notation) }
      + Wording.remedies(result, notation)
  }

  /// Returns the lines that explain the verdict and the later verdicts.
  package func details(style: Style) -> [String] {
    guard case .verdict(let result) = self else { return [] }
    let text = VerdictText(style: style)
    return text.details(result.verdict, causes: result.causes)
      + result.further.flatMap { further -> [String] in
        ["", text.line(further.verdict, through: result.seq), ""]
          + text.details(further.verdict, causes: further.causes)
      }
  }

  /// Returns the outcome with its notes, and with its details if the replay is not the same.
  package func text(named name: String) -> String {
    var isSame = false
    if case .verdict(let result) = self { isSame = result.isSame }
    let style = Style.plain
    return Self.text(
      of: name,
      line(style.notation),
      details: isSame ? [] : details(style: style),
      remarks: notes(style.notation)
    )
  }

  /// Formats the outcome for one log: its name with a line, indented details, and notes.
  package static func text(
    of name: String,
    _ line: String,
    details: [String],
    remarks: [String]
  ) -> String {
    var lines = ["\(Notation.visible(name)): \(line)"]
    if !details.isEmpty { lines += [""] + details.map { $0.isEmpty ? "" : "  \($0)" } + [""] }
    lines += remarks.map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
