import ActionLog
import Dispatch
import Foundation
import LogTools
import ReplayAnalyses
import ReplayAssistant
import ReplayCommands
import ReplayDebugAdapter
import ReplayDebugger
import ReplayEngine
import ReplayHosts
import ReplayPage
import ReplayPictures

/// The command line of a host: all commands for the features that the host offers.
///
/// ```swift
/// let status = await CommandLineTool.main(arguments: Array(CommandLine.arguments.dropFirst()), features: features)
/// exit(status)
/// ```
public enum CommandLineTool {
  /// The program to which the commands belong: its name in help and messages, its version, and its path.
  public typealias Program = ReplayCommands.Program

  /// Runs the command that the arguments name.
  ///
  /// Results go to standard output, and diagnostics go to standard error. `replay` and `record` reserve standard output
  /// for the log, so that output from `print` calls in a feature doesn't get into the log.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - features: The features of the host.
  ///   - program: The program to which the commands belong.
  /// - Returns: The exit status for the process.
  @MainActor public static func main(
    arguments: [String],
    features: @autoclosure () -> [FeatureEntry],
    program: Program = Program(version: Version.current)
  ) async -> Int32 {
    HashSeed.applyFromEnvironment()
    ProcessLocale.applyFromEnvironment()
    // A closed pipe is reported by the failed write. The command then ends without a message and with status 0.
    signal(SIGPIPE, SIG_IGN)
    // A file that exceeds the size limit is also reported by the failed write.
    signal(SIGXFSZ, SIG_IGN)
    FileDescriptorSetup.openClosed()
    let room = FileDescriptorSetup.freeDescriptors()
    guard room == FileDescriptorSetup.fewestFiles else {
      // Without free descriptors, dispatch queues would terminate the process, so it ends here with a message.
      _ = Array("\(program.name): \(Wording.fewDescriptors(room))\n".utf8).write(to: STDERR_FILENO)
      return ExitStatus.inputOutput.rawValue
    }
    // The dispatch queues open their descriptors now, while descriptors are free.
    DispatchSource.makeTimerSource().activate()
    CleanupRegistry.watchSignals()
    let environment = ProcessInfo.processInfo.environment
    var context = CommandContext(
      program: program,
      features: FeatureCatalog(features()),
      console: .standard(environment: environment),
      environment: environment,
      interruption: .process,
      makeReplayStarter: PersistentHost.starter,
      makeChecker: { HostedLogChecker.maker() }
    )
    context.makeProver = { HostedLogChecker.prover() }
    context.cacheFolder =
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
      .appendingPathComponent("tca-replay").path
    context.makeSearchHost = ServingHost.searching
    context.makePictureHost = ServingHost.drawing
    let progress = context.console.progress
    progress.begin()
    let status = await run(arguments, in: &context)
    progress.end()
    if let signal = Interruption.process.signal { CleanupRegistry.terminate(by: signal) }
    return status.rawValue
  }

  static let commands: [any Command.Type] = [
    RunCommand.self, ReplayCommand.self, RecordCommand.self, ShowCommand.self, ViewCommand.self,
    DebugCommand.self, DapCommand.self, MCPCommand.self, DiffCommand.self, BlameCommand.self,
    StatsCommand.self, PicturesCommand.self,
    CoverageCommand.self,
    TraceCommand.self, VerifyCommand.self, TestCommand.self, BisectCommand.self,
    MinimizeCommand.self, AuditCommand.self, ExploreCommand.self, FuzzCommand.self,
    ForkCommand.self,
    SummarizeCommand.self, MigrateCommand.self,
    MaskCommand.self, FeaturesCommand.self, CompletionsCommand.self,
    ManualCommand.self,
  ]

  /// The commands that only other programs use, which help and suggestions omit.
  private static let privateCommands: [any Command.Type] = [ServeCommand.self]

  @MainActor package static func run(
    _ arguments: [String],
    in context: inout CommandContext
  ) async -> ExitStatus {
    do {
      // Skipped if a migration is to be suggested, because the check would fail on the missing migration.
      if !MigrateCommand.isSuggesting(arguments) { try context.features.checkMigrations() }
      return try await dispatch(arguments, in: &context)
    } catch let error as StreamError where error.isClosedPipe {
      // It is not an error if the reader closes the pipe early.
      return .same
    } catch {
      // An error after the signal results from the signal, so only the signal is reported.
      if let signal = context.interruption.signal {
        context.complain("\(Interrupted(signal: signal))")
        return .hostFailed
      }
      context.complain("\(error)")
      for line in (error as? HostFailure)?.standardErrorLines ?? [] {
        context.console.complain("  \(line)")
      }
      if let error = error as? UsageError {
        let command = error.command.map { " \($0)" } ?? ""
        context.console.complain("see '\(context.program.name)\(command) --help'")
      }
      return ExitStatus(error)
    }
  }

  @MainActor private static func dispatch(
    _ arguments: [String],
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let syntaxes = commands.map { $0.syntax }
    guard let name = arguments.first else { throw UsageError.noCommand }
    switch name {
    case "--version":
      try context.console.print("\(context.program.name) \(context.program.version)\n")
      return .same
    case "--help", "-h", "help":
      guard let topic = arguments.dropFirst().first, !topic.hasPrefix("-") else {
        try context.console.print(
          help(context).overview(of: syntaxes)
        )
        return .same
      }
      guard let syntax = syntaxes.first(where: { $0.name == topic }) else {
        throw UsageError.unknownCommand(topic, known: syntaxes.map(\.name))
      }
      try context.console.print(help(context).help(for: syntax))
      return .same
    default: break
    }
    let known = commands + privateCommands
    guard let command = known.first(where: { $0.syntax.name == name }) else {
      throw UsageError.unknownCommand(
        name,
        known: syntaxes.map(\.name) + ["--help", "--version"]
      )
    }
    let parsed = try ParsedArguments(arguments.dropFirst(), syntax: command.syntax)
    guard !parsed.isOn("--help") else {
      try context.console.print(help(context).help(for: command.syntax))
      return .same
    }
    do { return try await command.run(parsed, in: &context) } catch {
      throw onlyLog(of: parsed, command.syntax).map { CommandError.naming($0, in: error) } ?? error
    }
  }

  private static func help(_ context: CommandContext) -> HelpText {
    HelpText(program: context.program.name, width: context.console.width)
  }

  /// Returns the name of the only log that a command reads, or `nil` if the command may read several.
  private static func onlyLog(of arguments: ParsedArguments, _ syntax: CommandSyntax) -> String? {
    let log = CommandSyntax.Operand.log.name
    if let option = syntax.options.first(where: { $0.value == log }) {
      return arguments.value(option.name)
    }
    guard let operand = syntax.operands.first, operand.name == log, !operand.isRepeated,
      !syntax.operands.dropFirst().contains(where: { $0.name == log }),
      let name = arguments.operands.first
    else { return nil }
    return name == "-" ? Wording.standardInput : name
  }
}
