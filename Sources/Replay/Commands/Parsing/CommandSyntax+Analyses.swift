import ActionLog
import Foundation

extension CommandSyntax.Option {
  static let when = Self(
    name: "--when",
    value: "EXPR",
    summary: "a condition on an action, such as '$.state.count < 0 && $.seq > 10'"
  )
  static let jobs = Self(
    name: "--jobs",
    short: "-j",
    value: "N",
    summary: "how many hosts run at the same time (the number of processors)"
  )
  static let timeout = Self(
    name: "--timeout",
    value: "SECONDS",
    summary: "kill a host that takes longer for one replay (60)"
  )
  static let budget = Self(
    name: "--budget",
    value: "SECONDS",
    summary: "end the search after this time with the best found so far"
  )
}

extension ParsedArguments {
  /// The value of an option as a condition on actions.
  func condition(_ option: String) throws(UsageError) -> Condition? {
    guard let text = value(option) else { return nil }
    do throws(JSONPath.SyntaxError) {
      return Condition(try JSONPath.Expression(parsing: text))
    } catch {
      throw .badExpression(option: option, error, command: command)
    }
  }

  /// The value of `--jobs`, or how many processors there are.
  func jobs() throws(UsageError) -> Int {
    try count("--jobs") ?? ProcessInfo.processInfo.activeProcessorCount
  }

  /// The value of an option as a number of things, 1 at least.
  func count(_ option: String) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .badValue(text, option: option, expected: "a number from 1", command: command)
    }
    return count
  }
}

extension CommandContext {
  /// Warns of members that no action has.
  func warn(of condition: Condition) {
    for name in condition.unknownMembers {
      console.complain("\(program.name): \(Wording.unknownMember(name))")
    }
  }
}
