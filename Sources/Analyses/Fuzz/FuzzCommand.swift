import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `fuzz LOG...`: generates sequences of actions from logs and reports those that show a fault.
package enum FuzzCommand: Command {
  package static let syntax = CommandSyntax(
    name: "fuzz",
    summary: "generate new sequences of actions from logs, and search them for faults",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder to search recursively for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [
      .invariants,
      CommandSyntax.Option(
        name: "--output",
        short: "-o",
        value: "DIR",
        summary: "write a log and a test for each finding to this folder"
      ),
      .force("overwrite logs and tests of findings in that folder that 'fuzz' did not write"),
      .modules.requiring("--output"),
      CommandSyntax.Option(
        name: "--seed",
        value: "S",
        summary: "use this seed; each seed tries other sequences (0)"
      ),
      CommandSyntax.Option(
        name: "--runs",
        value: "N",
        summary: "stop after this many sequences (\(Fuzzer.usualRuns))"
      ),
      CommandSyntax.Option(
        name: "--budget",
        value: "SECONDS",
        summary: "stop after this time, regardless of the number of sequences",
        formerName: "--for"
      ),
      CommandSyntax.Option(
        name: "--strategy",
        value: "guided|random",
        summary: "the strategy that chooses steps (guided); random is for comparison",
        choices: FuzzStrategy.allCases.map(\.rawValue)
      ),
      .jobs, .host, .feature, .timeout, .raw, .full, .format,
    ],
    examples: [
      CommandSyntax.Example("Logs --budget 60", "search for traps and issues for a minute")
    ],
    discussion: """
      Takes the logs of one feature, or folders of them, as a corpus. Sequences are spliced, repeated, cut and
      reordered. Values are varied based on the logs. Effects answer with anything that effects of their kind ever sent.
      A sequence that covers an action in a new shape of the state, or a new shape, is kept and varied further.

      Findings are: a trap, a reducer that does not return within --timeout, an issue that the code reports, an action
      of an effect that is not alive, and a violation of an invariant in the file of --invariants. A fault in a log of
      the corpus is a finding, too. Each finding is minimized, and reported once. --output writes it as a log that 'run'
      reproduces, and as a test that performs its steps. Actions that the code cannot read are left out.

      After the search, sequences that represent what was covered are replayed with other hash seeds, time zones and
      locales, and a second later. A value that differs is a finding, with the reason that 'audit' reports: the order of
      a set, a live date, a random number, a time zone or a locale. 'run' diverges from the log of such a finding.

      If --runs ends the search, the same seed has the same findings, regardless of the number of hosts. --budget ends
      the search between two sequences. It reserves a quarter of the time for the replays after the search, and at most
      a quarter of the remaining time is spent on minimizing one finding. A search that ends with Ctrl-C or a failure of
      the host reports and writes what it has found.

      Exits with status 0 if nothing was found, and with 1 if something was found.
      """
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let invariants = try arguments.value("--invariants").map { try Invariants(path: $0) }
    let output = try arguments.value("--output").map { try FuzzFindingWriter($0, arguments) }
    defer { output?.removeFolderIfEmpty() }
    context.interruption.allowPartialResult()
    let (recorded, spools) = try corpus(arguments.operands, context)
    let options = try context.replayOptions(arguments)
    let hosts = HostPool(context)
    let current = try recorded.map { try hosts.current($0, options) }
    defer { withExtendedLifetime((spools, current)) {} }
    let logs = current.map(\.log)
    let feature = try Self.feature(of: logs, options)
    let rules = invariants?.applying(to: feature) ?? []
    context.warn(of: rules, in: logs)
    let seed = try arguments.seed("--seed") ?? 0
    let time = FuzzDeadlines(try arguments.deadline("--budget"))
    let runs = try arguments.positiveCount("--runs") ?? (time == nil ? Fuzzer.usualRuns : .max)
    let progress = context.console.progress
    let interruption = context.interruption
    let fuzzer = Fuzzer(
      logs: logs,
      judge: SearchJudge(
        rules.map { SearchJudge.Rule(name: $0.name, condition: $0.condition) },
        countsFaults: true
      ),
      makeHost: context.makeSearchHost,
      hosts: hosts,
      options: options,
      strategy: arguments.value("--strategy").flatMap(FuzzStrategy.init) ?? .guided,
      seed: seed,
      runs: runs,
      jobs: try arguments.positiveCount("--jobs") ?? context.processors,
      isTimeUp: { FuzzDeadlines.isUp(time?.search) },
      makeMinimizingLimit: { FuzzDeadlines.limit(before: time?.search) },
      stability: StabilityOptions(
        environment: context.environment,
        isTimeUp: { FuzzDeadlines.isUp(time?.end) },
        makeMinimizingLimit: { FuzzDeadlines.limit(before: time?.end) },
        pause: { interruption.wait(seconds: FuzzDeadlines.second) },
        now: context.now
      ),
      progress: { runs, findings in progress.show(Wording.fuzzing(runs, findings)) }
    )
    let result: Fuzzer.Result
    do { result = try fuzzer.run() } catch let failure as Fuzzer.FuzzingObstacle {
      throw CannotFuzz(failure: failure)
    }
    // The findings are reported even if a file could not be written.
    var failure = result.failure.map { error -> any Error in
      (error as? Fuzzer.FuzzingObstacle).map { CannotFuzz(failure: $0) } ?? error
    }
    var files: [String] = []
    do { try output?.write(result.findings, to: &files, by: syntax.name, context) } catch {
      failure = failure ?? error
    }
    let report = FuzzReport(
      feature: feature,
      logs: logs.map(\.name),
      seed: seed,
      result: result,
      files: files
    )
    let style = context.style(arguments)
    try context.console.report(
      arguments.isJSON ? "\(report.json)\n" : style.report(report.text(style)),
      besides: nil
    )
    context.reportInterruption()
    if let failure { throw failure }
    return result.findings.isEmpty ? .same : .different
  }

  /// Returns the logs in the given files and folders, and the temporary files that contain logs from standard input.
  private static func corpus(
    _ operands: [String],
    _ context: CommandContext
  ) throws -> ([LogSlice], [TemporaryFile]) {
    var logs: [LogSlice] = []
    var spools: [TemporaryFile] = []
    for operand in operands {
      guard FileSystemItemKind(operand) == .folder else {
        let (found, spool) = try context.logs(operand)
        logs += try found.map(checked)
        if let spool { spools.append(spool) }
        continue
      }
      for entry in try LogFileFinder.entries(of: operand) {
        switch entry {
        case .file(let path, let name):
          do { logs += try LogSlice.slices(of: path, name: name).map(checked) } catch let error
            as LogReadError
          { throw CommandError.naming(name, in: error) }
        case .failure(_, let error): throw error
        }
      }
    }
    return (logs, spools)
  }

  /// Returns a log after checking that it can be read and contains a state.
  ///
  /// - Throws: `LogReadError`, or `CommandError` if the log has no state.
  private static func checked(_ log: LogSlice) throws -> LogSlice {
    let next = try log.events()
    var hasState = false
    do {
      while let event = try next() {
        if case .checkpoint = event { hasState = true }
      }
    } catch let error as LogReadError {
      throw CommandError.naming(log.name, in: error)
    }
    guard hasState else { throw CommandError.noState(log.name) }
    return log
  }

  /// Returns the name of the feature to fuzz: the one in `options`, or else the one that all logs have in common.
  ///
  /// - Throws: `MixedFeaturesError` if the logs have different features, or `ReplayError` if a log has no header.
  private static func feature(of logs: [LogSlice], _ options: ReplayOptions) throws -> String {
    var first: (feature: String, log: String)?
    for log in logs {
      guard let header = try log.header() else {
        throw ReplayError.noCheckpoint(kind: "header")
      }
      if let first, first.feature != header.feature {
        throw MixedFeaturesError(
          first: first.log,
          feature: first.feature,
          other: log.name,
          otherFeature: header.feature
        )
      }
      first = first ?? (header.feature, log.name)
    }
    return options.feature ?? first?.feature ?? ""
  }
}

/// The times at which the search, and the replays after it, must end.
private struct FuzzDeadlines {
  /// The time at which the search ends, so that time remains for the replays.
  let search: ContinuousClock.Instant
  let end: ContinuousClock.Instant

  /// Divides the time from now to `end`, or returns `nil` if there is no end.
  init?(_ end: ContinuousClock.Instant?) {
    guard let end else { return nil }
    self.end = end
    let whole = end - .now
    search = end - min(max(whole / 4, Self.leastAfterSearch), whole / 2, Self.mostAfterSearch)
  }

  /// The minimum time for the replays after the search.
  ///
  /// The replays get a quarter of the total time, but at least this time. They never get more than `mostAfterSearch` or
  /// half of the total time.
  private static let leastAfterSearch = Duration.seconds(5)
  private static let mostAfterSearch = Duration.seconds(60)

  /// The time in seconds after which a clock that counts seconds shows another time.
  static let second = 1.05

  static func isUp(_ end: ContinuousClock.Instant?) -> Bool { end.map { .now >= $0 } ?? false }

  /// Returns a closure that returns whether the time for minimizing a finding is over.
  ///
  /// Each finding gets a quarter of the time that remains, so that most of it is left for the others.
  static func limit(before end: ContinuousClock.Instant?) -> @Sendable () -> Bool {
    let limit = end.map { end in ContinuousClock.now + max(.zero, end - .now) / 4 }
    return { isUp(limit) }
  }
}

/// An error for logs that record different features.
struct MixedFeaturesError: StatusError, Hashable, CustomStringConvertible {
  let first: String
  let feature: String
  let other: String
  let otherFeature: String

  var description: String {
    "\(first) is a log of '\(feature)' and \(other) one of '\(otherFeature)'; expected logs of one feature"
  }

  var status: ExitStatus { .unreadable }
}
