import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The report of `run` on one log.
struct RunReport: Sendable {
  /// The log.
  let name: String
  /// The file that holds it, if there is one.
  var file: String?
  /// The log itself, if it could be found in its file.
  var log: LogSlice?
  let outcome: ReplayOutcome
  var expectation: Expectation?
  /// What the replay has shown of the invariants; `nil` when there are none to evaluate.
  var invariants: [InvariantResult]?
  /// How long it took.
  var seconds = 0.0
  var acceptance: Acceptance?
  /// The host's standard error, line by line.
  var hostOutput: [String] = []

  /// Whether the baseline was updated.
  enum Acceptance: Sendable {
    /// The findings on the actions that were left out because nothing in the replay can have sent them.
    case accepted(without: [LogEvent.Finding])
    case refused(String)
  }
}

extension RunReport {
  /// The verdict, or the failure, as a JSON object.
  var json: JSON {
    guard case .verdict = outcome, var object = outcome.json.object else { return outcome.json }
    if let invariants { object["invariants"] = .array(invariants.map(\.json)) }
    if !violated.isEmpty { object["violated"] = violatedNames }
    return .object(object)
  }

  /// The invariants that the replay violates.
  var violated: [InvariantResult] { (invariants ?? []).filter { $0.violation != nil } }

  /// The kind of a failure, for reports that have a name for it.
  var failureType: String {
    if case .verdict(let result) = outcome, result.verdict.isSame, !violated.isEmpty {
      return "violated"
    }
    return json["verdict"]?.string ?? ""
  }

  /// Why the replay could not go on to the end of the log, in words.
  private var unreadable: JSON? {
    guard case .verdict(let result) = outcome else { return nil }
    return result.unreadable.map { .string("\($0)") }
  }

  private var violatedNames: JSON { .array(violated.map { .string($0.invariant.name) }) }

  /// The expected verdict to write beside the log; `nil` for a failure of the host.
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

  /// The mismatches with the expected verdict, in words.
  var mismatches: [String] {
    guard let expectation else { return [] }
    var mismatches = expectation.mismatches(json)
    // These are expected where they are written down alone.
    if !violated.isEmpty, !expectation.names("violated") {
      mismatches.append(Wording.unexpected("violated", expected: [], found: violatedNames))
    }
    if let unreadable, !expectation.names("unreadable") {
      mismatches.append(Wording.unexpected("unreadable", expected: .null, found: unreadable))
    }
    return mismatches
  }

  /// Whether the host was lost, so that its last output says why.
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

  /// The divergence of the replay, if it differs from the recording.
  private var divergence: Verdict.Divergence? {
    if case .verdict(let result) = outcome { result.verdict.divergence } else { nil }
  }

  /// Whether the replay differs from the recording.
  var isDivergence: Bool {
    divergence != nil
  }

  /// The log's contribution to the status of the command.
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

  /// Notes, mismatches and the acceptance, in words.
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
  /// The outcome on one line, with the first invariant that the replay violates.
  func line(_ notation: Notation) -> String {
    let line = outcome.line(notation)
    return violated.isEmpty ? line : "\(line); \(Wording.violates(violated))"
  }

  /// The first difference of a divergence on one line, and how many more there are; `nil` where the verdict says it all.
  func firstDifference(_ style: Style) -> String? {
    guard status != .same, let differences = divergence?.differences, let first = differences.first
    else { return nil }
    let line = DifferenceText(style: style).line(first)
    return differences.count > 1 ? line + Wording.andMore(differences.count - 1) : line
  }

  /// The details of a divergence and of violated invariants, line by line.
  func details(_ style: Style) -> [String] {
    let violations = violated.map { $0.details(style) }
    return Array(
      ([outcome.details(style: style)] + violations).filter { !$0.isEmpty }.joined(separator: [""])
    )
  }
}

extension RunReport {
  /// What the values are suspected of, and the commands that help next, line by line.
  ///
  /// A command is to be copied, and so is never broken. Where it leaves no room for its purpose, that stands on the line before.
  ///
  /// - Parameters:
  ///   - caller: How the tool was called.
  ///   - style: How they are written.
  /// - Returns: The lines.
  func nextSteps(_ caller: NextSteps.Caller, _ style: Style) -> [String] {
    let notation = style.notation
    var lines: [String] = []
    let suspicion = divergence.flatMap(Suspicion.init)
    if let suspicion { lines.append(style.wrapped(Wording.suspicion(suspicion), indent: "  ")) }
    let next = NextSteps(self, of: caller, suspecting: suspicion)
    var steps = next?.steps(outcome, notation) ?? []
    // What follows from a divergence is looked at when that is mended.
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
