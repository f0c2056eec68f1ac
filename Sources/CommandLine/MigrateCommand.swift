import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `migrate LOG -o OUT`: migrates a log to the current schema version.
enum MigrateCommand: Command {
  static let syntax = CommandSyntax(
    name: "migrate",
    summary: "update a log of an older schema version",
    operands: [.log],
    options: [
      .output, .force, .feature,
      CommandSyntax.Option(
        name: "--plain-patches",
        summary: "write patches with the operations of RFC 6902 only"
      ),
    ],
    discussion: """
      Applies the feature's migrations to states and actions. A log of the current version stays as it is. 'run' does the
      same on its own, without changing the log. --plain-patches is for tools that know only RFC 6902: a text that changes
      in a part is written as a whole. It also works for a feature that the host does not have.
      """
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let output = arguments.value("--output")
    try LogOutput.check(output, arguments)
    // Before any code of the app runs: its output must not get into the log.
    context.console.reserveStreams()
    ParentMonitor.watch(context.console, environment: context.environment)
    let features = context.features
    let feature = arguments.value("--feature")
    var reader = try context.console.logReader(of: arguments.operands[0])
    let writesPlainPatches = arguments.isOn("--plain-patches")
    func plan(_ header: LogEvent.Header) throws -> MigrationPlan? {
      do { return try MigrationPlan(try features.entry(for: header, named: feature)) } catch {
        guard writesPlainPatches, feature == nil else { throw error }
        return nil
      }
    }
    let events = LogMigrator.events(
      { try reader.next()?.event },
      writesPlainPatches,
      plan: plan
    )
    try context.console.write(to: output) { sink in
      while let event = try events() {
        try sink.write(event.written(by: syntax.name, to: output).line + [0x0A])
      }
    }
    return .same
  }
}
