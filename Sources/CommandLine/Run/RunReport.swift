import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The report of `run` on one log.
struct RunReport: Sendable {
  /// The name of the log.
  let name: String
  /// The file that contains the log, if there is one.
  var file: String?
  /// The log, if it was found in its file.
  var log: LogSlice?
  let outcome: ReplayOutcome
  var expectation: Expectation?
  /// The results of the invariants, or `nil` if there are none to evaluate.
  var invariants: [InvariantResult]?
  /// The duration of the replay in seconds.
  var seconds = 0.0
  var acceptance: Acceptance?
  /// The lines of the host's standard error.
  var hostOutput: [String] = []

  /// The result of a baseline update.
  enum Acceptance: Sendable {
    /// The baseline was updated without some actions, because the replay has no live effect that can send them.
    case accepted(without: [LogEvent.Finding])
    case refused(String)
  }
}

extension RunReport {
  /// The verdict or the failure as a JSON object.
  var json: JSON {
    guard case .verdict = outcome, var object = outcome.json.object else { return outcome.json }
    if let invariants { object["invariants"] = .array(invariants.map(\.json)) }
    if !violated.isEmpty { object["violated"] = violatedNames }
    return .object(object)
  }

  /// The invariants that the replay violates.
  var violated: [InvariantResult] { (invariants ?? []).filter { $0.violation != nil } }

  /// The kind of the failure, for reports that name it.
  var failureType: String {
    if case .verdict(let result) = outcome, result.verdict.isSame, !violated.isEmpty {
      return "violated"
    }
    return json["verdict"]?.string ?? ""
  }

  /// The reason why the log could not be read to its end, as text.
  private var unreadable: JSON? {
    guard case .verdict(let result) = outcome else { return nil }
    return result.unreadable.map { .string("\($0)") }
  }

  private var violatedNames: JSON { .array(violated.map { .string($0.invariant.name) }) }

  /// The expected verdict to write next to the log, or `nil` for a failure other than an unreadable log.
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

  /// The mismatches with the expected verdict, as text.
  var mismatches: [String] {
    guard let expectation else { return [] }
    var mismatches = expectation.mismatches(json)
    // Violations and unreadable lines must be expected explicitly.
    if !violated.isEmpty, !expectation.names("violated") {
      mismatches.append(Wording.unexpected("violated", expected: [], found: violatedNames))
    }
    if let unreadable, !expectation.names("unreadable") {
      mismatches.append(Wording.unexpected("unreadable", expected: .null, found: unreadable))
    }
    return mismatches
  }

  /// Whether the host was lost, so that its last output contains the reason.
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

  /// The values that were not compared.
  var notCompared: [UncomparedValue] {
    if case .verdict(let result) = outcome { result.notCompared } else { [] }
  }

  /// The divergence between replay and recording, if any.
  private var divergence: Verdict.Divergence? {
    if case .verdict(let result) = outcome { result.verdict.divergence } else { nil }
  }

  /// Whether the replay diverges from the recording.
  var isDivergence: Bool {
    divergence != nil
  }

  /// The exit status that the log contributes to the command.
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

  /// Returns the notes, the mismatches and the result of a baseline update, as text.
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

extension RunReport {
  /// Returns the outcome on one line, with the first violated invariant.
  func line(_ notation: Notation) -> String {
    let line = outcome.line(notation)
    return violated.isEmpty ? line : "\(line); \(Wording.violates(violated))"
  }

  /// Returns the first difference and the number of further ones on one line, or `nil` if the verdict contains it.
  func firstDifference(_ style: Style) -> String? {
    guard status != .same, let differences = divergence?.differences, let first = differences.first
    else { return nil }
    let line = DifferenceText(style: style).line(first)
    return differences.count > 1 ? line + Wording.andMore(differences.count - 1) : line
  }

  /// Returns the details of a divergence and of violated invariants, line by line.
  func details(_ style: Style) -> [String] {
    let violations = violated.map { $0.details(style) }
    return Array(
      ([outcome.details(style: style)] + violations).filter { !$0.isEmpty }.joined(separator: [""])
    )
  }
}

extension RunReport {
  /// Returns the suspected cause and the most useful next commands, line by line.
  ///
  /// A command is never wrapped, so that it can be copied. If its purpose does not fit on the line, it is on the line
  /// before.
  ///
  /// - Parameters:
  ///   - caller: The invocation of the tool.
  ///   - style: The text style.
  /// - Returns: The lines.
  func nextSteps(_ caller: NextSteps.Caller, _ style: Style) -> [String] {
    let notation = style.notation
    var lines: [String] = []
    let suspicion = divergence.flatMap(Suspicion.init)
    if let suspicion { lines.append(style.wrapped(Wording.suspicion(suspicion), indent: "  ")) }
    let next = NextSteps(self, of: caller, suspecting: suspicion)
    var steps = next?.steps(outcome, notation) ?? []
    // A violation may be a consequence of the divergence, so the divergence is fixed first.
    if steps.isEmpty, let first = violated.first { steps = next?.steps(first, notation) ?? [] }
    guard !steps.isEmpty else { return lines }
    let rows = steps.map { ["  \($0.command)", "# \($0.purpose)"] }
    let beside = TextTable(rows, flexible: 1).lines()
    guard let width = style.width, beside.contains(where: { TerminalColumns.count($0) > width })
    else { return lines + [Wording.next] + beside }
    return lines + [Wording.next]
      + rows.flatMap { [style.wrapped("  \($0[1])", indent: "  # "), $0[0]] }
  }
}
