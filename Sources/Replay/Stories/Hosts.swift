import ActionLog

/// How hosts are started for an analysis.
struct Hosts: Sendable {
  private let starter: CommandContext.ReplayStarter
  private let options: ReplayOptions

  init(_ arguments: ParsedArguments, _ context: CommandContext) throws(UsageError) {
    starter = context.startReplay
    options = ReplayOptions(
      host: context.host(arguments) ?? context.program.executable,
      feature: arguments.value("--feature"),
      timeout: try arguments.seconds("--timeout") ?? ReplayOptions.defaultTimeout
    )
  }

  /// Starts the host that the user chose.
  var start: @Sendable (LogSlice) throws -> any RunningReplay {
    { try starter($0, options) }
  }

  /// Starts another host in the same way.
  func other(_ host: String) -> @Sendable (LogSlice) throws -> any RunningReplay {
    var options = options
    options.host = host
    return { [options] in try starter($0, options) }
  }
}
