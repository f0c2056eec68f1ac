import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `audit LOG`: finds values that depend on inputs other than a feature's actions and dependencies.
package enum AuditCommand: Command {
  package static let syntax = CommandSyntax(
    name: "audit",
    summary: "find nondeterministic behavior",
    operands: [.log],
    options: [
      CommandSyntax.Option(
        name: "--runs",
        value: "N",
        summary: "the number of replays, from 2 to \(Audit.mostRuns) (12)"
      ),
      CommandSyntax.Option(
        name: "--seed",
        value: "S",
        summary: "repeat the audit that reported this seed"
      ),
      .log, .jobs, .host, .feature, .timeout, .raw, .full, .format,
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl", "replay a log several times and show what changes")
    ],
    discussion: """
      Runs each replay in a process of its own. Two replays run as the log was recorded. The others run with another
      seed for sets and dictionaries, another time zone or another locale, two replays with each. A difference between
      two replays with the same setting is a live date, a clock or a random number. A difference that follows a setting
      is reported under the name of the setting. Exits with status 0 if all replays are the same and as recorded, and
      with 1 otherwise.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    context.interruption.allowPartialResult()
    let (log, spool) = try context.log(arguments)
    let options = try context.replayOptions(arguments)
    defer { withExtendedLifetime(spool) {} }
    let runs = try arguments.positiveCount("--runs") ?? 12
    guard (2...Audit.mostRuns).contains(runs) else {
      throw UsageError.badValue(
        String(runs),
        option: "--runs",
        expected: "a whole number from 2 to \(Audit.mostRuns)",
        command: syntax.name
      )
    }
    let seed = try arguments.seed("--seed") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let progress = context.console.progress
    var audit = Audit(
      log: log,
      runs: runs,
      seed: seed,
      options: options,
      jobs: try arguments.positiveCount("--jobs") ?? context.processors,
      makeReplayStarter: context.makeReplayStarter,
      now: context.now,
      interruption: context.interruption,
      progress: { done in progress.show(Wording.auditing(done, of: runs)) }
    )
    let result = try await log.migratingIfNeeded(options) { log in
      audit.log = log
      return try await audit.run()
    }
    let report = AuditReport(name: log.name, seed: seed, result: result)
    let style = context.style(arguments)
    try context.console.print(
      arguments.isJSON ? report.json : nil,
      or: style.report(report.text(style))
    )
    context.reportInterruption()
    return result.isStable ? .same : .different
  }
}

/// Formats the result of an audit as text and as JSON.
struct AuditReport {
  let name: String
  let seed: UInt64
  let result: Audit.Result

  /// Whether all hosts used the hash seeds that their settings requested.
  private var isSeeded: Bool { result.runs.allSatisfy(\.isSeeded) }

  /// The maximum number of unstable paths in the text output.
  ///
  /// For each path, at most `mostValues` values are listed.
  private static let mostPlaces = 20
  private static let mostValues = 4

  func text(_ style: Style) -> String {
    var lines = [
      style.bold(Wording.audited(name, result, seed: seed))
    ]
    if !isSeeded { lines.append(Wording.seedsAreDrawn) }
    var seq: Int?
    for place in result.places.prefix(Self.mostPlaces) {
      if seq != place.seq {
        lines.append("")
        lines.append(
          "  \(Wording.wasAction(place.seq))"
            + (place.action.map { "  \(style.notation.action($0))" } ?? "")
        )
        seq = place.seq
      }
      lines.append("    " + Wording.locationText(place, style.notation))
      lines += place.reasons.map { "      " + Wording.describe($0) }
      for value in place.values.prefix(Self.mostValues) {
        lines.append(
          "      \(Wording.who(value))  "
            + (value.value.map { self.text($0, of: place, style.notation) }
              ?? Wording.nothing(place))
        )
      }
      if place.values.count > Self.mostValues {
        lines.append("      " + Wording.more(place.values.count - Self.mostValues))
      }
    }
    if result.places.count > Self.mostPlaces {
      lines.append("    " + Wording.more(result.places.count - Self.mostPlaces))
    }
    if let difference = result.difference {
      lines += ["", "  " + Wording.unlikeLog(difference)]
      lines += DifferenceText(style: style).lines([difference]).map { "  " + $0 }
      lines.append("  " + Wording.whyUnlikeLog)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(_ value: JSON, of place: UnstablePath, _ notation: Notation) -> String {
    guard case .difference(let cause) = place.aspect else { return notation.value(value) }
    let subject = place.path
    let difference = LogDifference(seq: place.seq, cause: cause, subject: subject)
    return Wording.lines(value, of: difference, notation).joined(separator: "; ")
  }

  var json: JSON {
    var object: JSON.Object = [
      "log": .string(name),
      "stable": .bool(result.isStable),
      "seed": .number(JSON.Number(seed)),
      "isSeeded": .bool(isSeeded),
      "runs": .array(result.runs.map(\.setting.json)),
      "places": .array(result.places.map(\.json)),
    ]
    if result.interruption != nil { object["isPartial"] = true }
    object["differsFromLog"] = result.difference?.json
    if !result.notCompared.isEmpty {
      object["notCompared"] = .array(result.notCompared.map(\.json))
    }
    return .object(object)
  }
}
