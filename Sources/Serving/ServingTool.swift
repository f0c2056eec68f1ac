import ActionLog
import ReplayCommands
import ReplayEngine

/// The command line of a host that answers `tca-replay` and has no commands for people except `features`.
///
/// ```swift
/// exit(await ServingTool.main(arguments: Array(CommandLine.arguments.dropFirst()), features: features))
/// ```
public enum ServingTool {
  /// Runs the command that the arguments name.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - features: The features of the host.
  /// - Returns: The exit status for the process.
  @MainActor public static func main(
    arguments: [String],
    features: @autoclosure () -> [FeatureEntry]
  ) async -> Int32 {
    await program.main(
      arguments: arguments,
      features: features().map(\.withoutRecording),
      program: Program(version: Version.current)
    )
  }

  package static let program = CommandLineProgram(
    commands: [ReplayCommand.self, MigrateCommand.self, FeaturesCommand.self],
    makeUnknownCommandError: { name, _ in CommandError.hostOnlyAnswers(command: name) }
  )
}

extension FeatureEntry {
  /// The entry for a host that does not contain the code of `record`.
  fileprivate var withoutRecording: FeatureEntry {
    var entry = self
    entry.record = nil
    return entry
  }
}
