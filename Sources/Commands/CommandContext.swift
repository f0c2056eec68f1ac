import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// The environment in which commands work.
package struct CommandContext {
  /// Starts a replay of a log, in a process of its own or not.
  package typealias ReplayStarter = (LogSlice, ReplayOptions) throws -> any ReplayEventSource

  /// Compares a log with its replay, in a process of its own or not.
  package typealias Checker = (ReplayCheck, ReplayOptions) -> Checked

  /// Replays a stretch of a log, and proves that it is the same.
  ///
  /// It gives `nil` when it has no proof. The interruption is requested when none is needed any more.
  package typealias Prover = (ReplayCheck, ReplayOptions, _ until: Interruption) -> StretchProof?

  /// Starts a host that searches in memory; `nil` where the host does not.
  package typealias SearchHostMaker = @Sendable (ReplayOptions) throws -> (any SearchHost)?

  /// Makes a host that draws pictures.
  package typealias PictureHostMaker = @Sendable (ReplayOptions) throws -> any PictureHost

  /// A log that was compared with its replay.
  package struct Checked {
    package let outcome: Result<ReplayCheck.Result, any Error>
    /// The lines of the host's standard error.
    package let hostOutput: [String]

    package init(outcome: Result<ReplayCheck.Result, any Error>, hostOutput: [String]) {
      self.outcome = outcome
      self.hostOutput = hostOutput
    }

    /// Compares a log with a replay that gives its events.
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
  /// Tells when a signal asks the command to end.
  package var interruption: Interruption
  /// The folder with `.tca-replay.json`.
  package var folder: String
  /// The folder for indexes of large logs; `nil` for none.
  package var cacheFolder: String?
  /// Seconds on a monotonic clock.
  package var now: @Sendable () -> Double
  /// Waits some seconds between two looks at files that others write, or until the command is asked to end.
  package var pause: @Sendable (Double) async -> Void
  /// The default number of logs that are replayed at once.
  package var processors: Int
  /// Makes a starter for one thread, which keeps a host running from one log to the next.
  package var makeReplayStarter: @Sendable () -> ReplayStarter
  /// Makes a checker of stretches for one thread, which keeps a host running; `nil` where logs are not cut.
  package var makeProver: (@Sendable () -> Prover)?
  /// The least length of a stretch of a log that is replayed or read beside others, in bytes.
  package var leastStretch = LogCutter.least
  /// Starts hosts that search in memory.
  package var makeSearchHost: SearchHostMaker = { _ in nil }
  /// Makes hosts that draw pictures, each for one thread.
  package var makePictureHost: PictureHostMaker = { throw PictureError.notServing($0.host) }
  /// Makes a checker for one thread; `nil` where a log is compared with what a starter gives.
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

  /// Makes a checker for one thread, which keeps a host running from one log to the next.
  package var makeChecker: @Sendable () -> Checker {
    if let ownChecker { return ownChecker }
    let makeReplayStarter = makeReplayStarter
    return {
      let start = makeReplayStarter()
      return { check, options in Checked(check, by: { try start($0, options) }) }
    }
  }

  /// Writes a diagnostic in the program's name.
  package func complain(_ text: String) { console.complain("\(program.name): \(text)") }

  /// The host that the user has chosen, by option, environment or settings; `nil` for this executable.
  ///
  /// - Throws: `CommandError` when the settings cannot be read.
  package func host(_ arguments: ParsedArguments) throws(CommandError) -> String? {
    if let host = arguments.value("--host") { return host }
    // An empty value makes this executable the host, whatever the settings say.
    if let host = environment[Self.hostVariable] { return host.isEmpty ? nil : host }
    return try settings().host
  }

  package static let hostVariable = "TCA_REPLAY_HOST"

  /// The options with which a command that replays for itself replays logs, by option or settings.
  ///
  /// - Throws: `UsageError`, `CommandError`.
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

  /// How results are written for people.
  package func style(_ arguments: ParsedArguments) -> Style {
    let isFull = arguments.isOn("--full")
    let width = isFull ? nil : console.width
    var limits = isFull ? Notation.Limits.none : .standard
    // On a line that ends with the terminal, both ends of a value are worth more than its first half.
    if let width { limits.value = min(limits.value, max(width - 16, 40)) }
    return Style(
      hasColor: console.hasColor,
      notation: Notation(isRaw: arguments.isOn("--raw"), limits: limits),
      width: width
    )
  }

  /// The settings of the project.
  package func settings() throws(CommandError) -> Settings { try Settings(folder: folder) }
}

/// The options of a replay.
package struct ReplayOptions: Sendable, Equatable {
  package var host: String
  package var feature: String?
  package var until: Int?
  /// The action before which the host waits for a debugger.
  package var pauseBefore: Int?
  package var timeout: Double
  /// Whether a replay continues after a divergence, from the recorded state.
  package var isContinuing: Bool
  /// Whether actions of effects that are not alive in the replay are left out.
  package var isPruning: Bool
  /// Whether the values that stand in for reads which the log lacks become reads of the replayed log.
  package var keepsStandIns = false
  /// Variables of the host's environment in addition to this process's own.
  package var environment: [String: String]
  package var comparison: LogComparison.Options
  /// Kills the hosts of these replays when it is requested; `nil` where they end with this process alone.
  package var cancellation: Interruption?

  package init(
    host: String = "",
    feature: String? = nil,
    until: Int? = nil,
    pauseBefore: Int? = nil,
    timeout: Double = Self.defaultTimeout,
    isContinuing: Bool = false,
    isPruning: Bool = false,
    environment: [String: String] = [:],
    comparison: LogComparison.Options = LogComparison.Options()
  ) {
    self.host = host
    self.feature = feature
    self.until = until
    self.pauseBefore = pauseBefore
    self.timeout = timeout
    self.isContinuing = isContinuing
    self.isPruning = isPruning
    self.environment = environment
    self.comparison = comparison
  }

  /// Seconds: far more than a replay of a day's log takes, far less than the time limit of a build.
  package static let defaultTimeout = 60.0

  /// Ends the work when this process is to end, or the replays are cancelled.
  ///
  /// - Throws: `Interrupted`.
  package func checkInterruption() throws(Interrupted) {
    try Interruption.process.check()
    try cancellation?.check()
  }

  package var childArguments: [String] {
    var arguments: [String] = []
    if let feature { arguments += ["--feature", feature] }
    if let until { arguments += ["--until", String(until)] }
    if let pauseBefore { arguments += ["--pause-before", String(pauseBefore)] }
    if isContinuing {
      arguments.append("--continue")
      arguments += comparison.ignored.flatMap { ["--ignore", $0.description] }
    }
    if isPruning { arguments.append("--prune") }
    if keepsStandIns { arguments.append("--stand-ins") }
    return arguments
  }
}

/// A host that searches in memory for an analysis, in a process of its own or not.
package protocol SearchHost: AnyObject {
  /// Searches.
  ///
  /// - Parameters:
  ///   - request: What for.
  ///   - report: Takes what the search says on its way, and says whether it is to go on.
  /// - Returns: How it ended; `nil` where the report had it stopped.
  /// - Throws: `HostFailure`, `Interrupted`.
  func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding?
  /// The steps up to the one that was being made when the host was killed, because it took too long; `nil` between two steps.
  var openSteps: [Int]? { get }
}

extension SearchHost {
  package var openSteps: [Int]? { nil }
}

/// How a search in a host ended.
package enum SearchEnding: Equatable, Sendable {
  /// With a last answer.
  case answered(JSON)
  /// The feature ended the process.
  ///
  /// - signal: The name of the signal.
  /// - steps: The steps up to the one that was made; `nil` where they are too many.
  /// - made: How many steps were made before it, in all.
  case trapped(signal: String, steps: [Int]?, made: Int)
}
