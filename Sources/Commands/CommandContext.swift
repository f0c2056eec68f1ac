import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// The environment in which commands run.
package struct CommandContext {
  /// A function that starts a replay of a log, in this process or another.
  package typealias ReplayStarter = (LogSlice, ReplayOptions) throws -> any ReplayEventSource

  /// A function that compares a log with its replay, in this process or another.
  package typealias Checker = (ReplayCheck, ReplayOptions) -> CheckOutcome

  /// A function that replays a stretch of a log to prove that the replay does not diverge.
  ///
  /// The function returns `nil` if there is no proof. The interruption is requested when the proof is no longer needed.
  package typealias Prover = (ReplayCheck, ReplayOptions, _ until: Interruption) -> StretchProof?

  /// A function that starts a host that searches in memory, or returns `nil` if the host can't search.
  package typealias SearchHostMaker = @Sendable (ReplayOptions) throws -> (any SearchHost)?

  /// A function that makes a host that draws pictures.
  package typealias PictureHostMaker = @Sendable (ReplayOptions) throws -> any PictureHost

  /// The outcome of comparing a log with its replay.
  package struct CheckOutcome {
    package let outcome: Result<ReplayCheck.Result, any Error>
    /// The lines that the host wrote to standard error.
    package let hostOutput: [String]

    package init(outcome: Result<ReplayCheck.Result, any Error>, hostOutput: [String]) {
      self.outcome = outcome
      self.hostOutput = hostOutput
    }

    /// Compares a log with the events of a replay that `start` starts.
    package init(_ check: ReplayCheck, by start: (LogSlice) throws -> any ReplayEventSource) {
      var replay: (any ReplayEventSource)?
      outcome = Result {
        let started = try start(check.log)
        replay = started
        return try check.run(started)
      }
      hostOutput = replay?.hostOutput ?? []
    }
  }

  package var program: Program
  package var features: FeatureCatalog
  package var console: Console
  package var environment: [String: String]
  /// The interruption of the command, which a signal requests.
  package var interruption: Interruption
  /// The folder that contains the settings file, `.tca-replay.json`.
  package var folder: String
  /// The folder for indexes of large logs, or `nil` to use no indexes.
  package var cacheFolder: String?
  /// A closure that returns the time in seconds on a monotonic clock.
  package var now: @Sendable () -> Double
  /// A closure that waits for some seconds before files of other processes are polled again.
  ///
  /// The closure returns early if an interruption is requested.
  package var pause: @Sendable (Double) async -> Void
  /// The default number of logs to replay concurrently.
  package var processors: Int
  /// A closure that makes a replay starter for use by one thread, which reuses its host for all logs.
  package var makeReplayStarter: @Sendable () -> ReplayStarter
  /// A closure that makes a prover of stretches for use by one thread, which reuses its host.
  ///
  /// `nil` if logs are not cut into stretches.
  package var makeProver: (@Sendable () -> Prover)?
  /// The minimum length in bytes of a stretch that is replayed or read concurrently with others.
  package var leastStretch = LogPartitioner.least
  /// A closure that makes a host that searches in memory, or returns `nil` if the host can't search.
  package var makeSearchHost: SearchHostMaker = { _ in nil }
  /// A closure that makes the search service of this process as a host, or `nil` if the process can't search.
  package var makeSearchService: ((FeatureCatalog, CrashProgressRecord?) -> any SearchAnswering)?
  /// A closure that makes a host that draws pictures, for use by one thread.
  package var makePictureHost: PictureHostMaker = { throw PictureError.notServing($0.host) }
  /// A closure that makes a checker for use by one thread.
  ///
  /// If it is `nil`, a log is compared with the events of a replay that a replay starter starts.
  private let ownChecker: (@Sendable () -> Checker)?

  package init(
    program: Program,
    features: FeatureCatalog,
    console: Console,
    environment: [String: String] = [:],
    interruption: Interruption = Interruption(),
    folder: String = ".",
    cacheFolder: String? = nil,
    now: @escaping @Sendable () -> Double = { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
    processors: Int = ProcessInfo.processInfo.activeProcessorCount,
    makeReplayStarter: @escaping @Sendable () -> ReplayStarter,
    makeChecker: (@Sendable () -> Checker)? = nil
  ) {
    self.program = program
    self.features = features
    self.console = console
    self.environment = environment
    self.interruption = interruption
    self.folder = folder
    self.cacheFolder = cacheFolder
    self.now = now
    pause = { await interruption.pause(seconds: $0) }
    self.processors = processors
    self.makeReplayStarter = makeReplayStarter
    ownChecker = makeChecker
  }

  /// A closure that makes a checker for use by one thread, which reuses its host for all logs.
  package var makeChecker: @Sendable () -> Checker {
    if let ownChecker { return ownChecker }
    let makeReplayStarter = makeReplayStarter
    return {
      let start = makeReplayStarter()
      return { check, options in CheckOutcome(check, by: { try start($0, options) }) }
    }
  }

  /// Writes a diagnostic message that starts with the program's name.
  package func complain(_ text: String) { console.complain("\(program.name): \(text)") }

  /// Returns the path of the host that an option, the environment, or the settings select, or `nil` for this
  /// executable.
  ///
  /// - Throws: `CommandError` if the settings can't be read.
  package func host(_ arguments: ParsedArguments) throws(CommandError) -> String? {
    if let host = arguments.value("--host") { return host }
    // An empty value selects this executable, regardless of the settings.
    if let host = environment[Self.hostVariable] { return host.isEmpty ? nil : host }
    return try settings().host
  }

  package static let hostVariable = "TCA_REPLAY_HOST"

  /// Returns the replay options from the arguments and the settings, for a command that replays by itself.
  ///
  /// - Throws: `UsageError` if an argument is invalid, or `CommandError` if the settings can't be read.
  package func replayOptions(_ arguments: ParsedArguments) throws -> ReplayOptions {
    let settings = try settings()
    return ReplayOptions(
      host: try host(arguments) ?? program.executable,
      feature: arguments.value("--feature"),
      timeout: try arguments.seconds("--timeout") ?? settings.timeout
        ?? ReplayOptions.defaultTimeout,
      comparison: LogComparison.Options(ignored: settings.ignored.flatMap { $0.patterns ?? [] })
    )
  }

  /// Returns the text style for results.
  package func style(_ arguments: ParsedArguments) -> Style {
    let isFull = arguments.isOn("--full")
    let width = isFull ? nil : console.width
    var limits = isFull ? Notation.Limits.none : .standard
    // Values are shortened in the middle, because a line that is truncated at the terminal's edge would show only their
    // start.
    if let width { limits.value = min(limits.value, max(width - 16, 40)) }
    return Style(
      hasColor: console.hasColor,
      notation: Notation(isRaw: arguments.isOn("--raw"), limits: limits),
      width: width
    )
  }

  /// Reads the settings of the project.
  package func settings() throws(CommandError) -> Settings { try Settings(folder: folder) }
}

/// A host's part of searches in memory.
package protocol SearchAnswering: AnyObject {
  /// Runs the search that a request describes.
  ///
  /// - Parameters:
  ///   - request: The request from the tool.
  ///   - report: A closure that sends intermediate results to the tool.
  /// - Returns: The final response, which contains the results or the reason why the search is not possible.
  func answer(_ request: JSON, report: @escaping (JSON) -> Void) -> JSON
}

/// The reason why a search in a host ended.
package enum SearchEnding: Equatable, Sendable {
  /// The search ended with a final answer.
  case answered(JSON)
  /// The feature ended the process during a step.
  ///
  /// - signal: The name of the signal that ended the process.
  /// - steps: The steps up to the one in progress, or `nil` if there are too many.
  /// - made: The number of steps that were completed before.
  case trapped(signal: String, steps: [Int]?, made: Int)
}
