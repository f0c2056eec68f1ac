import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The result of replaying one log in `run`.
struct LogRunReport: Sendable {
  /// The name of the log in messages: the name of its file, with a number if the file contains several logs.
  let name: String
  /// The path of the file that contains the log, or `nil` for a stream.
  var file: String?
  /// The log, or `nil` if it could not be found in its file.
  var log: LogSlice?
  let outcome: ReplayOutcome
  var expectation: ExpectedVerdict?
  /// The results of evaluating the invariants, or `nil` if there are no invariants.
  var invariants: [InvariantResult]?
  /// The duration of the replay in seconds.
  var seconds = 0.0
  var acceptance: BaselineUpdateOutcome?
  /// The lines that the host wrote to standard error.
  var hostOutput: [String] = []

  /// The outcome of updating the baseline for this log.
  enum BaselineUpdateOutcome: Sendable {
    /// The baseline was updated without some actions, because the replay has no live effect that can send them.
    case accepted(without: [LogEvent.Finding])
    case refused(String)
  }
}

extension LogRunReport {
  /// The verdict or the failure as a JSON object.
  var json: JSON {
    guard case .verdict = outcome, var object = outcome.json.object else { return outcome.json }
    if let invariants { object["invariants"] = .array(invariants.map(\.json)) }
    if !violated.isEmpty { object["violated"] = violatedNames }
    return .object(object)
  }

  /// The results of the invariants that the replay violates.
  var violated: [InvariantResult] { (invariants ?? []).filter { $0.violation != nil } }

  /// The name of the failure's kind, for report formats that contain it.
  var failureType: String {
    if case .verdict(let result) = outcome, result.verdict.isSame, !violated.isEmpty {
      return "violated"
    }
    return json["verdict"]?.string ?? ""
  }

  /// The error that prevented a continuing check from reading the log to its end, or `nil` if there was none.
  private var unreadable: JSON? {
    guard case .verdict(let result) = outcome else { return nil }
    return result.unreadable.map { .string("\($0)") }
  }

  private var violatedNames: JSON { .array(violated.map { .string($0.invariant.name) }) }

  /// The expected verdict to write next to the log.
  ///
  /// `nil` if the log could not be replayed, unless it is unreadable, which can also be expected.
  var essence: JSON? {
    switch outcome {
    case .verdict(let result):
      let members = ["verdict", "at", "cause", "paths", "signal"]
      var object = JSON.Object(
        members: (result.verdict.json.object ?? [:]).filter { members.contains($0.key) }
      )
      if !violated.isEmpty { object["violated"] = violatedNames }
      object["unreadable"] = unreadable
      return .object(object)
    case .failure(let error):
      return ExitStatus(error) == .unreadable
        ? ["verdict": .string(ReplayOutcome.failureName(error))] : nil
    }
  }

  /// Descriptions of the differences between the actual and the expected verdict.
  var mismatches: [String] {
    guard let expectation else { return [] }
    var mismatches = expectation.mismatches(json)
    // Violations and unreadable lines count as mismatches unless the expected verdict contains them.
    if !violated.isEmpty, !expectation.names("violated") {
      mismatches.append(Wording.unexpected("violated", expected: [], found: violatedNames))
    }
    if let unreadable, !expectation.names("unreadable") {
      mismatches.append(Wording.unexpected("unreadable", expected: .null, found: unreadable))
    }
    return mismatches
  }

  /// Whether the host ended unexpectedly, so that its last output contains the reason.
  var isHostLost: Bool {
    switch outcome {
    case .verdict(let result):
      switch result.verdict {
      case .trapped, .trapReproduced: true
      default: false
      }
    case .failure(let error): error is HostFailure
    }
  }

  /// The values that the replay's comparison did not include.
  var notCompared: [UncomparedValue] {
    if case .verdict(let result) = outcome { result.notCompared } else { [] }
  }

  /// The divergence between replay and recording, or `nil` if there is none.
  private var divergence: Verdict.Divergence? {
    if case .verdict(let result) = outcome { result.verdict.divergence } else { nil }
  }

  /// Whether the verdict is a divergence between replay and recording.
  var isDivergence: Bool {
    divergence != nil
  }

  /// The exit status of a run in which only this log was replayed.
  var status: ExitStatus {
    if case .accepted = acceptance { return .same }
    if expectation != nil, mismatches.isEmpty { return .same }
    switch outcome {
    case .verdict(let result):
      if let error = result.unreadable { return ExitStatus(error) }
      return expectation == nil && result.isSame && violated.isEmpty ? .same : .different
    case .failure(let error): return ExitStatus(error)
    }
  }

  /// Returns the notes, the mismatches, and the outcome of updating the baseline, as text.
  func remarks(_ notation: Notation) -> [String] {
    var lines = outcome.notes(notation) + mismatches
    switch acceptance {
    case nil: break
    case .accepted(let pruned):
      lines.append(Wording.accepted)
      lines += Wording.acceptedWithout(pruned)
    case .refused(let reason): lines.append(reason)
    }
    return lines
  }
}

extension LogRunReport {
  /// Returns one line that states the outcome and the first violated invariant.
  func line(_ notation: Notation) -> String {
    let line = outcome.line(notation)
    return violated.isEmpty ? line : "\(line); \(Wording.violates(violated))"
  }

  /// Returns one line that shows the first difference and the number of further differences.
  ///
  /// Returns `nil` if the line with the verdict already contains the difference.
  func firstDifference(_ style: Style) -> String? {
    guard status != .same, let differences = divergence?.differences, let first = differences.first
    else { return nil }
    let line = DifferenceText(style: style).line(first)
    return differences.count > 1 ? line + Wording.andMore(differences.count - 1) : line
  }

  /// Returns lines that explain a divergence and the violated invariants.
  func details(_ style: Style) -> [String] {
    let violations = violated.map { $0.details(style) }
    return Array(
      ([outcome.details(style: style)] + violations).filter { !$0.isEmpty }.joined(separator: [""])
    )
  }
}

extension LogRunReport {
  /// Returns lines with the suspected cause and the most useful next commands.
  ///
  /// A command is never wrapped, so that it can be copied. If the purpose of a command does not fit on the command's
  /// line, it is on the preceding line.
  ///
  /// - Parameters:
  ///   - caller: The command line that the user typed, whose options the commands repeat.
  ///   - style: The text style of the lines.
  /// - Returns: The lines, or no lines if the log has not failed.
  func nextSteps(_ caller: CommandSuggestions.InvokedCommand, _ style: Style) -> [String] {
    let notation = style.notation
    var lines: [String] = []
    let suspicion = divergence.flatMap(LikelyDivergenceCause.init)
    if let suspicion { lines.append(style.wrapped(Wording.suspicion(suspicion), indent: "  ")) }
    let next = CommandSuggestions(self, of: caller, suspecting: suspicion)
    var steps = next?.steps(outcome, notation) ?? []
    // A violation may be a consequence of the divergence, so the divergence has precedence.
    if steps.isEmpty, let first = violated.first { steps = next?.steps(first, notation) ?? [] }
    guard !steps.isEmpty else { return lines }
    let rows = steps.map { ["  \($0.command)", "# \($0.purpose)"] }
    let beside = TextTable(rows, flexible: 1).lines()
    guard let width = style.width,
      beside.contains(where: { TerminalWidthCounter.count($0) > width })
    else { return lines + [Wording.next] + beside }
    return lines + [Wording.next]
      + rows.flatMap { [style.wrapped("  \($0[1])", indent: "  # "), $0[0]] }
  }
}
