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
  typealias ReplayStarter = @Sendable (LogSlice, ReplayOptions) throws -> any RunningReplay

  var program: CommandLineTool.Program
  var features: FeatureCatalog
  var console: Console
  var environment: [String: String] = [:]
  var startReplay: ReplayStarter = { log, options in
    try ReplayChild(
      host: options.host,
      arguments: options.childArguments,
      log: log,
      timeout: options.timeout
    )
  }

  /// The host that the user chose, by option or environment; `nil` for this executable.
  func host(_ arguments: ParsedArguments) -> String? {
    if let host = arguments.value("--host") { return host }
    return environment["TCA_REPLAY_HOST"].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// How a log is to be replayed.
struct ReplayOptions: Sendable, Equatable {
  var host = ""
  var feature: String?
  var until: Int?
  var timeout = Self.defaultTimeout

  /// Seconds: far more than a replay of a day's log takes, far less than a build waits.
  static let defaultTimeout = 60.0

  var childArguments: [String] {
    (feature.map { ["--feature", $0] } ?? []) + (until.map { ["--until", String($0)] } ?? [])
  }
}
