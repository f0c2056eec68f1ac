import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

extension CommandSyntax.Option {
  package static let when = Self(
    name: "--when",
    value: "EXPR",
    summary: "a condition on an action, such as '$.state.count < 0 && $.seq > 10'"
  )
  package static let jobs = Self(
    name: "--jobs",
    short: "-j",
    value: "N",
    summary: "how many hosts run at the same time (the number of processors)"
  )
  static let budget = Self(
    name: "--budget",
    value: "SECONDS",
    summary: "end the search after this time with the best found so far"
  )
}

extension ParsedArguments {
  /// The value of an option as the seed of a random generator.
  func seed(_ option: String) throws(UsageError) -> UInt64? {
    guard let text = value(option) else { return nil }
    guard let seed = UInt64(text) else {
      throw .badValue(text, option: option, expected: "a whole number from 0", command: command)
    }
    return seed
  }

  /// The value of an option, a time in seconds, as the end of this time from now on; `nil` for one that nobody lives to see.
  package func deadline(_ option: String) throws(UsageError) -> ContinuousClock.Instant? {
    guard let seconds = try seconds(option), seconds < Watchdog.forever else { return nil }
    return .now + .seconds(seconds)
  }

  /// The value of an option as a condition on actions.
  func condition(_ option: String) throws(UsageError) -> Condition? {
    guard let text = value(option) else { return nil }
    do throws(JSONPath.SyntaxError) {
      return Condition(try JSONPath.Expression(parsing: text))
    } catch {
      throw .badExpression(option: option, error, command: command)
    }
  }
}

extension CommandContext {
  /// Warns of members that no action has.
  func warn(of condition: Condition) {
    for name in condition.unknownMembers { complain(Wording.unknownMember(name)) }
  }

  /// Warns of what a condition asks for in vain.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - option: The option that states it.
  ///   - log: The log that it is asked of.
  ///   - isOfReplays: Whether it is asked of replays, which may have what this log has not.
  func warn(of condition: Condition, _ option: String, in log: LogSlice, isOfReplays: Bool = false)
  {
    // What cannot be read is told by the command itself.
    guard let events = try? log.events(), let scan = try? ConditionScan(events, for: condition)
    else { return }
    warn(of: isOfReplays ? scan.certainDoubts : scan.doubts, option)
  }

  /// Warns of what a condition has asked for in vain.
  func warn(of doubts: [ConditionSurvey.Doubt], _ option: String) {
    for doubt in doubts { complain(Wording.doubt(doubt, option)) }
  }

  /// How an analysis replays logs.
  func replayOptions(_ arguments: ParsedArguments) throws -> ReplayOptions {
    let settings = try settings()
    return ReplayOptions(
      host: try host(arguments) ?? program.executable,
      feature: arguments.value("--feature"),
      timeout: try arguments.seconds("--timeout") ?? settings.timeout
        ?? ReplayOptions.defaultTimeout,
      comparison: LogComparison.Options(ignored: settings.ignored)
    )
  }
}
