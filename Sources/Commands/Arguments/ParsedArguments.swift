import ActionLog
import ReplayEngine

/// The arguments of one command, parsed by the command's own table.
package struct ParsedArguments: Equatable {
  package let command: String
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var switches: Set<String> = []

  /// Parses arguments.
  ///
  /// - Throws: `UsageError`.
  package init(_ arguments: some Sequence<String>, syntax: CommandSyntax) throws(UsageError) {
    command = syntax.name
    var rest = Array(arguments)[...]
    var isAfterDashes = false
    while let argument = rest.popFirst() {
      if !isAfterDashes, argument == "--" {
        isAfterDashes = true
      } else if !isAfterDashes, argument.hasPrefix("-"), argument != "-" {
        try parse(argument, &rest, syntax)
      } else {
        operands.append(argument)
      }
    }
    guard !isOn("--help") else { return }
    try checkOperands(syntax)
    for option in syntax.options where option.isRequired { _ = try value(of: option) }
  }

  private mutating func parse(
    _ argument: String,
    _ rest: inout ArraySlice<String>,
    _ syntax: CommandSyntax
  ) throws(UsageError) {
    let options = syntax.options + [.help]
    var parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // `-j4`, as other tools allow.
    if parts.count == 1, !argument.hasPrefix("--"), argument.count > 2,
      options.contains(where: { $0.short == String(argument.prefix(2)) && $0.value != nil })
    {
      parts = [argument.prefix(2), argument.dropFirst(2)]
    }
    let name = String(parts[0])
    guard let option = options.first(where: { $0.isNamed(name) }) else {
      throw .unknownOption(name, command: command, known: options.map(\.name))
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    guard let value = option.value else {
      if let attached { throw .unexpectedValue(attached, option: name, command: command) }
      switches.insert(option.name)
      return
    }
    guard let given = attached ?? rest.popFirst() else {
      throw .missingValue(option: name, value: value, command: command)
    }
    if !option.choices.isEmpty, !option.choices.contains(given) {
      throw .badValue(
        given,
        option: name,
        expected: Wording.oneOf(option.choices),
        command: command
      )
    }
    guard option.isRepeated || values[option.name] == nil else {
      throw .repeatedOption(option.name, command: command)
    }
    values[option.name, default: []].append(given)
  }

  private func checkOperands(_ syntax: CommandSyntax) throws(UsageError) {
    if operands.count < syntax.operands.count, !syntax.operands[operands.count].isOptional {
      throw .missingOperand(syntax.operands[operands.count].name, command: command)
    }
    if operands.count > syntax.operands.count, syntax.operands.last?.isRepeated != true {
      throw .extraOperand(operands[syntax.operands.count], command: command)
    }
  }
}

extension ParsedArguments {
  /// Whether a switch was given.
  package func isOn(_ option: String) -> Bool { switches.contains(option) }

  /// The value of an option.
  package func value(_ option: String) -> String? { values[option]?.first }

  /// Returns the value of a required option.
  ///
  /// - Throws: `UsageError` when it was not given.
  package func value(of option: CommandSyntax.Option) throws(UsageError) -> String {
    guard let value = value(option.name) else {
      throw .missingOption(option.name, value: option.value ?? "", command: command)
    }
    return value
  }

  /// The values of an option that may be given more than once.
  package func values(_ option: String) -> [String] { values[option] ?? [] }

  /// Whether the result is written as JSON.
  package var isJSON: Bool { value("--format") == "json" }

  /// The value of an option as a number of things, 1 or more.
  package func count(_ option: String) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .badValue(text, option: option, expected: "a whole number from 1", command: command)
    }
    return count
  }

  /// The value of an option as a part of many, `I/N`, the first being 1.
  package func shard(_ option: String) throws(UsageError) -> (index: Int, count: Int)? {
    guard let text = value(option) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], index >= 1, index <= count
    else {
      throw .badValue(
        text,
        option: option,
        expected: "a shard such as 2/8, of 8 the second",
        command: command
      )
    }
    return (index, count)
  }

  /// The value of an option as a time in seconds.
  package func seconds(_ option: String) throws(UsageError) -> Double? {
    guard let text = value(option) else { return nil }
    guard let seconds = Double(text), seconds > 0 else {
      throw .badValue(text, option: option, expected: "a time in seconds", command: command)
    }
    return seconds
  }

  /// The value of an option as a place in the state.
  package func valuePath(_ option: String) throws(UsageError) -> ValuePath? {
    guard let text = value(option) else { return nil }
    return try valuePath(text, option)
  }

  /// The values of an option as places.
  package func valuePaths(_ option: String) throws(UsageError) -> [ValuePath] {
    var places: [ValuePath] = []
    for text in values(option) { places.append(try valuePath(text, option)) }
    return places
  }

  /// The values of an option as places, each of which may stand for many, but not for rows with an id.
  package func patterns(_ option: String) throws(UsageError) -> [ValuePath] {
    var places: [ValuePath] = []
    for text in values(option) {
      let place = try valuePath(text, option)
      guard place.patterns != nil else {
        throw .badValue(text, option: option, expected: Wording.placeWithoutIDs, command: command)
      }
      places.append(place)
    }
    return places
  }

  /// An operand as a place in the state.
  package func valuePath(
    operand index: Int,
    of syntax: CommandSyntax
  ) throws(UsageError) -> ValuePath {
    let text = operands[index]
    do throws(NotationSyntaxError) { return try ValuePath(parsing: text) } catch {
      throw .badOperand(
        text,
        operand: syntax.operands[index].name,
        expected: Wording.expectedPath(error),
        command: command
      )
    }
  }

  private func valuePath(_ text: String, _ option: String) throws(UsageError) -> ValuePath {
    do throws(NotationSyntaxError) { return try ValuePath(parsing: text) } catch {
      throw .badValue(text, option: option, expected: Wording.expectedPath(error), command: command)
    }
  }
}

/// Invalid arguments of a command.
package enum UsageError: Error, Hashable, CustomStringConvertible {
  case noCommand
  case unknownCommand(String, known: [String])
  case unknownOption(String, command: String, known: [String])
  case missingValue(option: String, value: String, command: String)
  case unexpectedValue(String, option: String, command: String)
  case badValue(String, option: String, expected: String, command: String)
  case badOperand(String, operand: String, expected: String, command: String)
  /// An option that needs a single log.
  case oneLogOnly(option: String, found: Int, command: String)
  case repeatedOption(String, command: String)
  case missingOperand(String, command: String)
  case missingOption(String, value: String, command: String)
  case extraOperand(String, command: String)
  /// A value that is not an expression.
  case badExpression(option: String, JSONPath.SyntaxError, command: String)
  /// A value that is not an edit of a log.
  case badEdit(option: String, String, command: String)
  /// Both operands are standard input.
  case standardInputTwice(command: String)
  /// Options that exclude each other.
  case conflict(String, String, command: String)
  /// An option that needs another one.
  case goesWith(String, String, command: String)

  package var description: String { Wording.describe(self) }

  /// The command, when one was given.
  package var command: String? {
    switch self {
    case .noCommand, .unknownCommand: nil
    case .unknownOption(_, let command, _), .missingValue(_, _, let command),
      .unexpectedValue(_, _, let command), .badValue(_, _, _, let command),
      .badOperand(_, _, _, let command), .oneLogOnly(_, _, let command),
      .repeatedOption(_, let command), .missingOperand(_, let command),
      .missingOption(_, _, let command),
      .extraOperand(_, let command), .standardInputTwice(let command),
      .conflict(_, _, let command), .goesWith(_, _, let command), .badExpression(_, _, let command),
      .badEdit(_, _, let command):
      command
    }
  }
}
