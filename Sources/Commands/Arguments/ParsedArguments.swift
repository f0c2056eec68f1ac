import ActionLog
import ReplayEngine

/// The arguments of one command, parsed with the command's own table.
package struct ParsedArguments: Equatable {
  package let command: String
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var switches: Set<String> = []

  /// Parses arguments.
  ///
  /// - Throws: `UsageError` if the arguments don't match the command's table.
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
    try checkForms(syntax)
    try checkRequirements(syntax)
  }

  private mutating func parse(
    _ argument: String,
    _ rest: inout ArraySlice<String>,
    _ syntax: CommandSyntax
  ) throws(UsageError) {
    let options = syntax.options + [.help]
    var parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // A short option may include its value, such as `-j4`.
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
  /// Checks that the arguments fit one of the command's forms.
  private func checkForms(_ syntax: CommandSyntax) throws(UsageError) {
    guard !syntax.forms.isEmpty else { return }
    let formNames = syntax.formNames
    let given = givenNames(syntax).filter { formNames.contains($0) }
    let fitting = syntax.forms.filter { form in form.names.isSuperset(of: given) }
    guard !fitting.isEmpty else {
      let (first, second) = Self.conflict(in: given, syntax)
      throw .conflict(first, second, command: command)
    }
    let missing = fitting.map { $0.needs.filter { Set($0).isDisjoint(with: given) } }
    guard missing.allSatisfy({ !$0.isEmpty }) else { return }
    let synopses = missing.map { groups in
      groups.map { syntax.synopsis(anyOf: $0) }.joined(separator: " ")
    }
    throw .missingForm(synopses, command: command)
  }

  /// Returns two arguments that no form has both, or the first and the last one if only more exclude each other.
  private static func conflict(in given: [String], _ syntax: CommandSyntax) -> (String, String) {
    for (index, first) in given.enumerated() {
      for second in given[(index + 1)...]
      where !syntax.forms.contains(where: { Set([first, second]).isSubset(of: $0.names) }) {
        return (first, second)
      }
    }
    return (given.first ?? "", given.last ?? "")
  }

  /// Checks that each given option comes with an option that it requires.
  private func checkRequirements(_ syntax: CommandSyntax) throws(UsageError) {
    for option in syntax.options where isGiven(option.name) {
      guard let requirement = option.requirement else { continue }
      let words = requirement.split(separator: " ", maxSplits: 1)
      let names = words[0].split(separator: "|").map(String.init)
      let choices = words.count > 1 ? words[1].split(separator: "|").map(String.init) : nil
      let isMet = names.contains { choices?.contains(value($0) ?? "") ?? isGiven($0) }
      guard isMet else { throw .goesWith(option.name, requirement, command: command) }
    }
  }

  /// Returns the names of the given operands and options, in the order of the command's table.
  private func givenNames(_ syntax: CommandSyntax) -> [String] {
    // Further operands are values of the last one.
    syntax.operands.prefix(operands.count).map(\.name)
      + syntax.options.map(\.name).filter(isGiven)
  }

  /// Returns whether the user gave a switch or an option.
  package func isGiven(_ option: String) -> Bool { isOn(option) || values[option] != nil }

  /// Returns whether the user gave a switch.
  package func isOn(_ option: String) -> Bool { switches.contains(option) }

  /// Returns the value of an option, or the first value if the option is repeated, or `nil` if it was not given.
  package func value(_ option: String) -> String? { values[option]?.first }

  /// Returns the value of a required option.
  ///
  /// - Throws: `UsageError` if the option was not given.
  package func value(of option: CommandSyntax.Option) throws(UsageError) -> String {
    guard let value = value(option.name) else {
      throw .missingOption(option.name, value: option.value ?? "", command: command)
    }
    return value
  }

  /// Returns all values of an option that may be repeated, in order.
  package func values(_ option: String) -> [String] { values[option] ?? [] }

  /// Whether the user requested the result as JSON.
  package var isJSON: Bool { value("--format") == "json" }

  /// Returns the value of an option as a positive integer, or `nil` if the option was not given.
  package func positiveCount(_ option: String) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .badValue(text, option: option, expected: "a whole number from 1", command: command)
    }
    return count
  }

  /// Returns the value `I/N` of an option as a shard, where the first shard is 1, or `nil` if the option was not given.
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

  /// Returns the value of an option as a time in seconds, or `nil` if the option was not given.
  package func seconds(_ option: String) throws(UsageError) -> Double? {
    guard let text = value(option) else { return nil }
    guard let seconds = Double(text), seconds > 0 else {
      throw .badValue(text, option: option, expected: "a time in seconds", command: command)
    }
    return seconds
  }

  /// Returns the value of an option as a path in the state, or `nil` if the option was not given.
  package func valuePath(_ option: String) throws(UsageError) -> ValuePath? {
    guard let text = value(option) else { return nil }
    return try valuePath(text, option)
  }

  /// Returns all values of an option as paths in the state.
  package func valuePaths(_ option: String) throws(UsageError) -> [ValuePath] {
    var places: [ValuePath] = []
    for text in values(option) { places.append(try valuePath(text, option)) }
    return places
  }

  /// Returns all values of an option as paths with wildcards, in which rows can't be selected by an ID.
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

  /// Returns an operand as a path in the state.
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
