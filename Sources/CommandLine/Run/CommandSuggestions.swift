import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// The one or two commands that are most useful after a log has failed.
struct CommandSuggestions {
  /// The command line that the user typed: the tool's name, and the options that suggested commands repeat.
  struct InvokedCommand: Sendable {
    var program = "tca-replay"
    var host: String?
    /// The path of the reference build, or `nil` if the recordings are the reference.
    var reference: String?
    /// Whether the replays of both builds are aligned.
    var isAligned = false
    /// Whether the report already shows all divergences.
    var isContinuing = false
  }

  /// A suggested command, and the purpose for which to run it.
  struct SuggestedCommand: Equatable {
    let command: String
    let purpose: String
  }

  private let caller: InvokedCommand
  private let file: String
  /// The path of the log file, quoted for a shell.
  private let log: String
  private let suspicion: LikelyDivergenceCause?

  /// Creates the next steps for a report, or returns `nil` for a log that a command can't name, such as a stream.
  init?(
    _ report: LogRunReport,
    of caller: InvokedCommand,
    suspecting suspicion: LikelyDivergenceCause?
  ) {
    guard let file = report.file, file == report.name else { return nil }
    self.caller = caller
    self.file = file
    self.suspicion = suspicion
    log = ShellWord.quoted(file)
  }

  /// Returns the suggested commands after an outcome, or no commands after a good outcome.
  func steps(_ outcome: ReplayOutcome, _ notation: Notation) -> [SuggestedCommand] {
    switch outcome {
    case .verdict(let result):
      guard !result.verdict.isSame else { return [] }
      return steps(result.verdict, notation) + (result.unreadable.map(steps) ?? [])
    case .failure(let error): return steps(error)
    }
  }

  private func steps(_ error: any Error) -> [SuggestedCommand] {
    Self.isDamage(error) ? [suggestion("verify", log, telling: Wording.stepVerify)] : []
  }

  /// Returns whether an error shows that the content of a log is damaged.
  private static func isDamage(_ error: any Error) -> Bool {
    if case LogReadError.refused? = error as? LogReadError { return false }
    return ExitStatus(error) == .unreadable
  }

  private func steps(_ verdict: Verdict, _ notation: Notation) -> [SuggestedCommand] {
    switch verdict {
    case .identical, .cut, .trapReproduced: []
    case .diverged(let divergence): steps(divergence, notation)
    case .trapped(let at, _):
      [
        show(at),
        replaying(
          "minimize",
          log,
          "--traps",
          "-o",
          output("minimal"),
          telling: Wording.stepMinimize
        ),
      ]
    case .trapGone: [replaying("run", log, "--expected", "--accept", telling: Wording.stepAccept)]
    case .undecodable(let value):
      [
        show(value.at, isRaw: true),
        replaying("migrate", log, "--suggest", telling: Wording.stepMigrate),
      ]
    case .notReplayable(let value): [show(value.at, isRaw: true)]
    }
  }

  private func steps(_ divergence: Verdict.Divergence, _ notation: Notation) -> [SuggestedCommand] {
    var steps: [SuggestedCommand] = []
    if suspicion != nil {
      steps.append(replaying("audit", log, telling: Wording.stepAudit))
    } else if divergence.cause == .state, let place = blamedPath(divergence, notation) {
      let at = ["--at", "\(divergence.at)"]
      steps.append(
        suggestion("blame", [log, ShellWord.quoted(place)] + at, telling: Wording.stepBlame)
      )
    } else {
      steps.append(show(divergence.at))
    }
    if divergence.differences.contains(where: \.isOfSchema) {
      steps.append(replaying("migrate", log, "--suggest", telling: Wording.stepMigrate))
    } else if !caller.isContinuing {
      steps.append(replaying("run", log, "--continue", telling: Wording.stepContinue))
    }
    return steps
  }

  /// Returns the suggested commands after a violated invariant.
  func steps(_ result: InvariantResult, _ notation: Notation) -> [SuggestedCommand] {
    guard let violation = result.violation else { return [] }
    guard violation.action != nil else { return [show(violation.seq)] }
    let output = output("minimal")
    let condition = ShellWord.quoted(result.violationCondition)
    var steps: [SuggestedCommand] = []
    if let place = result.statePlace(notation) {
      let at = ["--at", "\(violation.seq)"]
      steps.append(
        suggestion("blame", [log, ShellWord.quoted(place)] + at, telling: Wording.stepBlame)
      )
    } else {
      steps.append(show(violation.seq))
    }
    let minimize = ["minimize", log, "--when", condition, "-o", output]
    steps.append(replaying(minimize, telling: Wording.stepMinimizeViolation))
    return steps
  }

  /// Returns the path of the first difference in the state, or `nil` if `blame` can't trace the difference.
  private func blamedPath(_ divergence: Verdict.Divergence, _ notation: Notation) -> String? {
    guard let first = divergence.differences.first(where: { $0.cause == .state }),
      !first.subject.isEmpty, first.expected != nil
    else { return nil }
    return notation.isRaw ? first.subject : Wording.locationText(first, notation)
  }

  private func show(_ seq: Int, isRaw: Bool = false) -> SuggestedCommand {
    let place = seq == 0 ? ["--at", "0"] : ["--range", "\(seq)"]
    let purpose = seq == 0 ? Wording.stepFirstState : Wording.stepShow
    return suggestion("show", [log] + place + (isRaw ? ["--raw"] : []), telling: purpose)
  }

  /// Returns the path of an output file next to the log: `log-minimal.jsonl` for `log.jsonl`.
  private func output(_ suffix: String) -> String {
    let stem = file.hasSuffix(".jsonl") ? String(file.dropLast(6)) : file
    return ShellWord.quoted("\(stem)-\(suffix).jsonl")
  }

  private func suggestion(_ words: String..., telling purpose: String) -> SuggestedCommand {
    suggestion(words[0], Array(words.dropFirst()), telling: purpose)
  }

  private func suggestion(
    _ command: String,
    _ words: [String],
    telling purpose: String
  ) -> SuggestedCommand {
    SuggestedCommand(
      command: ([ShellWord.quoted(caller.program), command] + words).joined(separator: " "),
      purpose: purpose
    )
  }

  /// Returns a suggested command that replays, and that therefore needs the option for the host.
  private func replaying(_ words: String..., telling purpose: String) -> SuggestedCommand {
    replaying(words, telling: purpose)
  }

  private func replaying(_ words: [String], telling purpose: String) -> SuggestedCommand {
    var hosts = caller.host.map { ["--host", ShellWord.quoted($0)] } ?? []
    if ["run", "minimize"].contains(words[0]), let reference = caller.reference {
      hosts += ["--reference-host", ShellWord.quoted(reference)]
      if words[0] == "run", caller.isAligned { hosts.append("--aligned") }
    }
    return suggestion(words[0], words.dropFirst() + hosts, telling: purpose)
  }
}

extension LogDifference {
  /// Whether the difference suggests a schema change: an effect has another name, or its input or ID has another form.
  fileprivate var isOfSchema: Bool {
    guard let expected, let actual else { return false }
    // The code reads a key other than the one that the log has at this position.
    if cause == .reads { return actual.string == subject && expected.string ?? subject != subject }
    guard cause == .effects else { return false }
    return switch member {
    case "name": true
    case "input", "cancelID": !expected.hasForm(of: actual)
    default: false
    }
  }
}

extension JSON {
  /// Returns whether two values have the same member names, with the same kinds of values.
  fileprivate func hasForm(of other: JSON) -> Bool {
    switch (self, other) {
    case (.null, _), (_, .null), (.array, .array): true
    case (.object(let object), .object(let others)):
      object.count == others.count
        && object.allSatisfy { name, value in others[name].map { value.hasForm(of: $0) } ?? false }
    default: kind == other.kind
    }
  }
}

/// Messages that suggest next steps.
extension Wording {
  static let stepShow = "the action as it was recorded"
  static let stepFirstState = "the state as it was recorded"
  static let stepBlame = "who set this value last, and why"
  static let stepContinue = "whether later actions differ, too"
  static let stepMinimize = "the fewest actions that still trap"
  static let stepMinimizeViolation = "the fewest actions that still violate it"
  static let stepVerify = "what of the log is damaged; --repair FILE keeps the rest"
  static let stepMigrate = "the code of a migration, as far as the log tells it"
  static let stepAudit = "what changes from one process to the next"
  static let stepAccept = "expect this from now on, if the trap was fixed"
  static let next = "next:"
}
