import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `migrate LOG -o OUT`: migrates a log to the current schema version, or suggests the missing migration.
package enum MigrateCommand: Command {
  package static let syntax = CommandSyntax(
    name: "migrate",
    summary: "update a log of an older schema version",
    operands: [.log],
    options: [
      .output, .force, .host, .feature,
      CommandSyntax.Option(
        name: suggestOption,
        summary: "write the Swift code of the migration that the log needs"
      ),
      CommandSyntax.Option(
        name: "--plain-patches",
        summary: "write patches that use only the operations of RFC 6902"
      ),
    ],
    examples: [
      CommandSyntax.Example("old.jsonl -o new.jsonl", "update a log to the current version"),
      CommandSyntax.Example("old.jsonl --suggest", "write the code of a missing migration"),
    ],
    discussion: """
      Applies the feature's migrations to the values of a log. A log of the current version is not changed. 'run'
      migrates a log by itself, without changing the file.

      --plain-patches is for tools that support only RFC 6902: a text that changes in part is written in full. It also
      works for a feature that the host does not contain.

      --suggest compares the log with the code: states and actions with their types; reads, inputs of effects and
      cancellation ids with a replay. It writes a migration for what it can determine: renamed, added, removed and
      wrapped values. Everything else is noted in comments. If a log without a version matches the code's version, it
      reports that. Exits with status 0 if the log needs no migration, and with 1 if it needs one.
      """
  )

  private nonisolated static let suggestOption = "--suggest"

  /// Returns whether the arguments of `migrate` request a suggestion.
  static func isSuggesting(_ arguments: [String]) -> Bool {
    arguments.first == syntax.name && arguments.contains(suggestOption)
  }

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let output = arguments.value("--output")
    let isSuggesting = arguments.isOn(suggestOption)
    let writesPlainPatches = arguments.isOn("--plain-patches")
    if isSuggesting, writesPlainPatches {
      throw UsageError.conflict(suggestOption, "--plain-patches", command: syntax.name)
    }
    if let host = try context.host(arguments) { try become(host, arguments) }
    if !isSuggesting { try OverwriteGuard.check(output, arguments) }
    // Streams are reserved before any app code runs, because the app's output must not get into the log.
    context.console.reserveStreams()
    ParentMonitor.watch(context.console, environment: context.environment)
    let features = context.features
    let feature = arguments.value("--feature")
    if isSuggesting { return try suggest(arguments, context) }
    var reader = try context.console.logReader(of: arguments.operands[0])
    func plan(_ header: LogEvent.Header) throws -> MigrationPlan? {
      do { return try MigrationPlan(try features.entry(for: header, named: feature)) } catch {
        guard writesPlainPatches, feature == nil else { throw error }
        return nil
      }
    }
    let migrator = LogMigrator(writesPlainPatches: writesPlainPatches, plan: plan)
    var logs = 0
    try context.console.write(to: output) { sink in
      while let event = try migrator.next({ try reader.next()?.event }) {
        if case .header = event { logs += 1 }
        try sink.write(event.written(by: syntax.name, to: output).line + [0x0A])
      }
    }
    try report(migrator.findings, to: output, context)
    if ReplayHandshake(environment: context.environment) == nil {
      context.report(logs, logsOf: arguments.operands[0], command: syntax.name)
    }
    return .same
  }

  /// Writes the findings of a migration: as events for the tool that started this process, or as text for people.
  private static func report(
    _ findings: [LogEvent.Finding],
    to output: String?,
    _ context: CommandContext
  ) throws {
    guard ReplayHandshake(environment: context.environment) != nil else {
      for finding in findings { context.complain(Wording.noteText(finding)) }
      return
    }
    guard output != nil, output != "-" else { return }
    for finding in findings {
      try context.console.output.write(LogEvent.finding(finding).line + [0x0A])
    }
  }

  private static func become(_ host: String, _ arguments: ParsedArguments) throws {
    let flags = ["--force", suggestOption, "--plain-patches"].filter { arguments.isOn($0) }
    let values = ["--output", "--feature"].flatMap { name in
      arguments.value(name).map { [name, $0] } ?? []
    }
    try HostExecution.become(
      host,
      arguments: [syntax.name] + flags + values + ["--"] + arguments.operands
    )
  }

  private static func suggest(
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> ExitStatus {
    let (logs, spool) = try context.logs(arguments.operands[0])
    defer { withExtendedLifetime(spool) {} }
    let log = logs[0]
    if logs.count > 1 {
      context.reportFirstLog(of: arguments.operands[0], command: "\(syntax.name) \(suggestOption)")
    }
    guard let header = try log.header() else { throw LogReadError.empty }
    let entry = try context.features.entry(for: header, named: arguments.value("--feature"))
    if let version = entry.schemaVersion, version > 1, header.schemaVersion == nil,
      try MigrationSuggester.isOfCodeVersion(log, entry)
    {
      context.complain(Wording.unversioned(header, isSameAs: version))
      return .different
    }
    guard
      let suggestion = try MigrationSuggester(header, entry, events: { try log.events() })
        .suggestion()
    else {
      throw CommandError.unknownTypes(entry.name)
    }
    guard !suggestion.isEmpty || !suggestion.unclear.isEmpty else {
      context.complain(Wording.needsNoMigration(log.name, from: suggestion.version))
      return .same
    }
    try context.console.write(to: arguments.value("--output")) { sink in
      try sink.write(Array(suggestion.swift.utf8))
    }
    if (entry.schemaVersion ?? 1) <= suggestion.version {
      context.complain(Wording.raiseVersion(to: suggestion.version + 1, of: entry.stateType))
    }
    return .different
  }
}

extension Wording {
  static func needsNoMigration(_ log: String, from version: Int) -> String {
    "\(log) needs no migration from schema version \(version) that a comparison with the code shows"
  }

  static func raiseVersion(to version: Int, of stateType: String) -> String {
    "the migration leads to version \(version): 'extension \(stateType): SchemaVersioned {"
      + " public static let schemaVersion = \(version) }'"
  }
}
