import ActionLog
import ReplayCommands
import ReplayEngine

extension RunRequest {
  /// Opens the file that `--results` names, or returns `nil` if the option was not given.
  ///
  /// - Throws: `UsageError` for conflicting options, or `StreamError` or `ResultsError` if the file can't be used.
  @MainActor func results(
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> ResultsFile? {
    let isResumed = arguments.isOn("--resume")
    guard let path = arguments.value("--results") else { return nil }
    if isWatching {
      throw UsageError.conflict("--watch", "--results", command: arguments.command)
    }
    if isResumed, path == "-" {
      throw UsageError.badValue(
        path,
        option: "--results",
        expected: Wording.fileToResume,
        command: arguments.command
      )
    }
    let host = runner.options.host
    let setting = RunResult.Configuration(
      host: FileDigest(of: host)?.digest ?? host,
      options: try Self.optionsOfVerdicts(arguments, context)
    )
    return try ResultsFile(
      path,
      setting,
      isContinued: isResumed,
      isForced: arguments.isOn("--force")
    )
  }

  /// Returns the options that affect verdicts, as they would be typed on a command line.
  private static func optionsOfVerdicts(
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> String {
    var words: [String] = []
    for name in ["--expected", "--strict", "--continue", "--aligned"] where arguments.isOn(name) {
      words.append(name)
    }
    for place in try context.settings().ignored.map({ "\($0)" }) + arguments.values("--ignore") {
      words += ["--ignore", place]
    }
    for name in ["--until", "--feature", "--timeout"] {
      if let value = arguments.value(name) { words += [name, value] }
    }
    if let path = arguments.value("--reference-host") {
      words += ["--reference-host", FileDigest(of: path)?.digest ?? path]
    }
    if let path = arguments.value("--invariants") {
      words += ["--invariants", FileDigest(of: path)?.digest ?? path]
    }
    return words.joined(separator: " ")
  }

  /// Opens the list that `--files-from` names, or returns `nil` if the option was not given.
  ///
  /// - Throws: `UsageError` for conflicting options, or `LogReadError` if the list can't be opened.
  @MainActor func pathList(
    _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> LogPathList? {
    guard let path = arguments.value("--files-from") else { return nil }
    // The listed options require all logs before the first replay, or read the logs more than once.
    for option in ["--shard", "--resume", "--watch", "--pause-before"]
    where arguments.isOn(option) || arguments.value(option) != nil {
      throw UsageError.conflict("--files-from", option, command: arguments.command)
    }
    if path == "-", arguments.operands.contains("-") {
      throw UsageError.standardInputTwice(command: arguments.command)
    }
    return try LogPathList(path, input: context.console.input)
  }

  /// Returns the options for the build that serves as the reference, or `nil` if the recordings are the reference.
  ///
  /// - Throws: `UsageError` for conflicting options.
  static func reference(
    _ arguments: ParsedArguments,
    _ options: ReplayOptions
  ) throws(UsageError) -> ReplayOptions? {
    let isAligned = arguments.isOn("--aligned")
    guard let path = arguments.value("--reference-host") else { return nil }
    // The listed options can be used only if a single replay is compared with a recording.
    for option in ["--invariants", "--pause-before"]
    where isAligned && arguments.value(option) != nil {
      throw UsageError.conflict("--aligned", option, command: arguments.command)
    }
    for option in ["--accept", "--expected"] where arguments.isOn(option) {
      throw UsageError.conflict("--reference-host", option, command: arguments.command)
    }
    var reference = options
    reference.host = path
    reference.pauseBefore = nil
    reference.isContinuing = false
    reference.comparison = LogComparison.Options()
    return reference
  }
}
