import ActionLog
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
import ReplayServing

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
    await Self.program.main(
      arguments: arguments,
      features: features(),
      program: program
    ) { context in
      context.makeProver = { HostedLogChecker.prover() }
      context.cacheFolder =
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
        .appendingPathComponent("tca-replay").path
      context.makeSearchHost = ServingHost.searching
      context.makeSearchService = { SearchService($0, page: $1) }
      context.makePictureHost = ServingHost.drawing
    }
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

  private static let program = CommandLineProgram(commands: commands)

  @MainActor package static func run(
    _ arguments: [String],
    in context: inout CommandContext
  ) async -> ExitStatus {
    await program.run(arguments, in: &context)
  }
}
