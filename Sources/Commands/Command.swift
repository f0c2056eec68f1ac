import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// One command of the command line: its table, and what it does with arguments that fit the table.
@MainActor package protocol Command: SendableMetatype {
  nonisolated static var syntax: CommandSyntax { get }

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus
}

/// What commands work with.
package struct CommandContext {
  /// A way to replay a log, in a process of its own or not.
  package typealias ReplayStarter = (LogSlice, ReplayOptions) throws -> any RunningReplay

  package var program: Program
  package var features: FeatureCatalog
  package var console: Console
  package var environment: [String: String]
  /// Says when a signal asks the command to end.
  package var interruption: Interruption
  /// Where `.tca-replay.json` is looked for.
  package var folder: String
  /// Where indexes of large logs are kept; `nil` for nowhere.
  package var cacheFolder: String?
  /// Seconds on a clock that only goes forward.
  package var now: @Sendable () -> Double
  /// How many logs are replayed at once, unless somebody says otherwise.
  package var processors: Int
  /// Makes a way to replay logs for one thread, which keeps a host running from one log to the next.
  package var makeReplayStarter: @Sendable () -> ReplayStarter

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
    makeReplayStarter: @escaping @Sendable () -> ReplayStarter
  ) {
    self.program = program
    self.features = features
    self.console = console
    self.environment = environment
    self.interruption = interruption
    self.folder = folder
    self.cacheFolder = cacheFolder
    self.now = now
    self.processors = processors
    self.makeReplayStarter = makeReplayStarter
  }

  /// Writes a diagnostic in the program's name.
  package func complain(_ text: String) { console.complain("\(program.name): \(text)") }

  /// The host that the user chose, by option, environment or settings; `nil` for this executable.
  ///
  /// - Throws: `CommandError` when the settings cannot be read.
  package func host(_ arguments: ParsedArguments) throws(CommandError) -> String? {
    if let host = arguments.value("--host") { return host }
    // Set to nothing it says that this executable is the host, whatever the settings say.
    if let host = environment[Self.hostVariable] { return host.isEmpty ? nil : host }
    return try settings().host
  }

  package static let hostVariable = "TCA_REPLAY_HOST"

  /// What the project has settled.
  package func settings() throws(CommandError) -> Settings { try Settings(folder: folder) }
}

/// How a log is to be replayed.
package struct ReplayOptions: Sendable, Equatable {
  package var host: String
  package var feature: String?
  package var until: Int?
  package var timeout: Double
  /// Whether a replay goes on behind a divergence, from the recorded state.
  package var isContinuing: Bool
  /// Whether actions of effects that are not alive in the replay are left out.
  package var isPruning: Bool
  /// Whether a host may pass actions that come out as recorded, without an event for each.
  package var isPassing: Bool
  /// What the host's environment has besides this process's own.
  package var environment: [String: String]
  package var comparison: LogComparison.Options

  package init(
    host: String = "",
    feature: String? = nil,
    until: Int? = nil,
    timeout: Double = Self.defaultTimeout,
    isContinuing: Bool = false,
    isPruning: Bool = false,
    isPassing: Bool = false,
    environment: [String: String] = [:],
    comparison: LogComparison.Options = LogComparison.Options()
  ) {
    self.host = host
    self.feature = feature
    self.until = until
    self.timeout = timeout
    self.isContinuing = isContinuing
    self.isPruning = isPruning
    self.isPassing = isPassing
    self.environment = environment
    self.comparison = comparison
  }

  /// Seconds: far more than a replay of a day's log takes, far less than a build waits.
  package static let defaultTimeout = 60.0

  package var childArguments: [String] {
    (feature.map { ["--feature", $0] } ?? []) + (until.map { ["--until", String($0)] } ?? [])
      + (isContinuing
        ? ["--continue"] + comparison.ignored.flatMap { ["--ignore", $0.description] } : [])
      + (isPruning ? ["--prune"] : [])
  }
}

/// The program that the commands belong to.
public struct Program: Sendable {
  /// The name of the executable.
  public var name: String
  /// Its version.
  public var version: String
  /// Where the executable is: the process in which logs are replayed unless another host is chosen.
  public var executable: String

  /// A program; what is not given is taken from the process.
  public init(name: String? = nil, version: String, executable: String? = nil) {
    let path = executable ?? Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    self.name = name ?? URL(fileURLWithPath: path).lastPathComponent
    self.version = version
    self.executable = path
  }
}
