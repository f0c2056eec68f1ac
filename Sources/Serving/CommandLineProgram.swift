import ActionLog
import Dispatch
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The commands of a program, and the code that runs them.
///
/// ```swift
/// let program = CommandLineProgram(commands: [FeaturesCommand.self])
/// await program.main(arguments: ["features"], features: features, program: Program(version: "1"))
/// ```
package struct CommandLineProgram: Sendable {
  private let commands: [any Command.Type]
  private let privateCommands: [any Command.Type]
  private let makeUnknownCommandError: @Sendable (_ name: String, _ known: [String]) -> any Error

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - commands: The commands that help lists.
  ///   - privateCommands: The commands that only other programs use, which help and suggestions omit.
  ///   - makeUnknownCommandError: A closure that makes the error for a name that no command has, from the name and the
  ///     names of `commands`.
  package init(
    commands: [any Command.Type],
    privateCommands: [any Command.Type] = [ServeCommand.self],
    makeUnknownCommandError: @escaping @Sendable (_ name: String, _ known: [String]) -> any Error =
      {
        UsageError.unknownCommand($0, known: $1 + ["--help", "--version"])
      }
  ) {
    self.commands = commands
    self.privateCommands = privateCommands
    self.makeUnknownCommandError = makeUnknownCommandError
  }

  /// Runs the command that the arguments of this process name.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - features: The features of the host.
  ///   - program: The program to which the commands belong.
  ///   - configure: A closure that adds what only some programs have.
  /// - Returns: The exit status for the process.
  @MainActor package func main(
    arguments: [String],
    features: @autoclosure () -> [FeatureEntry],
    program: Program,
    configure: (inout CommandContext) -> Void = { _ in }
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
    configure(&context)
    let progress = context.console.progress
    progress.begin()
    let status = await run(arguments, in: &context)
    progress.end()
    if let signal = Interruption.process.signal { CleanupRegistry.terminate(by: signal) }
    return status.rawValue
  }

  /// Runs the command that the arguments name in a context.
  @MainActor package func run(
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

  @MainActor private func dispatch(
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
        try context.console.print(help(context).overview(of: syntaxes))
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
      throw makeUnknownCommandError(name, syntaxes.map(\.name))
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

  private func help(_ context: CommandContext) -> HelpText {
    HelpText(program: context.program.name, width: context.console.width)
  }

  /// Returns the name of the only log that a command reads, or `nil` if the command may read several.
  private func onlyLog(of arguments: ParsedArguments, _ syntax: CommandSyntax) -> String? {
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
