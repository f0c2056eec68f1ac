import ActionLog
import Dispatch
import Foundation

/// One command of the command line: its table, and what it does with arguments that fit the table.
@MainActor protocol Command: SendableMetatype {
  nonisolated static var syntax: CommandSyntax { get }

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus
}

/// What commands work with.
struct CommandContext {
  /// A way to replay a log, in a process of its own or not.
  typealias ReplayStarter = (LogSlice, ReplayOptions) throws -> any RunningReplay

  var program: CommandLineTool.Program
  var features: FeatureCatalog
  var console: Console
  var environment: [String: String] = [:]
  /// Says when a signal asks the command to end.
  var interruption = Interruption()
  /// Where `.tca-replay.json` is looked for.
  var folder = "."
  /// Where indexes of large logs are kept; `nil` for nowhere.
  var cacheFolder: String?
  /// Seconds on a clock that only goes forward.
  var now: @Sendable () -> Double = { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
  /// How many logs are replayed at once, unless somebody says otherwise.
  var processors = ProcessInfo.processInfo.activeProcessorCount
  /// Makes a way to replay logs for one thread, which keeps a host running from one log to the next.
  var makeReplayStarter: @Sendable () -> ReplayStarter = {
    let keeper = HostKeeper()
    return { log, options in try keeper.start(log, options) }
  }

  /// Writes a diagnostic in the program's name.
  func complain(_ text: String) { console.complain("\(program.name): \(text)") }

  /// The host that the user chose, by option, environment or settings; `nil` for this executable.
  ///
  /// - Throws: `CommandError` when the settings cannot be read.
  func host(_ arguments: ParsedArguments) throws(CommandError) -> String? {
    if let host = arguments.value("--host") { return host }
    // Set to nothing it says that this executable is the host, whatever the settings say.
    if let host = environment[Self.hostVariable] { return host.isEmpty ? nil : host }
    return try settings().host
  }

  static let hostVariable = "TCA_REPLAY_HOST"

  /// What the project has settled.
  func settings() throws(CommandError) -> Settings { try Settings(folder: folder) }
}

/// How a log is to be replayed.
struct ReplayOptions: Sendable, Equatable {
  var host = ""
  var feature: String?
  var until: Int?
  var timeout = Self.defaultTimeout
  /// Whether a replay goes on behind a divergence, from the recorded state.
  var isContinuing = false
  /// Whether actions of effects that are not alive in the replay are left out.
  var isPruning = false
  /// Whether a host may pass actions that come out as recorded, without an event for each.
  var isPassing = false
  /// What the host's environment has besides this process's own.
  var environment: [String: String] = [:]
  var comparison = LogComparison.Options()

  /// Seconds: far more than a replay of a day's log takes, far less than a build waits.
  static let defaultTimeout = 60.0

  var childArguments: [String] {
    (feature.map { ["--feature", $0] } ?? []) + (until.map { ["--until", String($0)] } ?? [])
      + (isContinuing
        ? ["--continue"] + comparison.ignored.flatMap { ["--ignore", $0.description] } : [])
      + (isPruning ? ["--prune"] : [])
  }
}
