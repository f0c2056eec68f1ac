import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Words for breakpoints and watchpoints.
extension DebuggerCommands {
  static let breakpointWords: [DebuggerCommand] = [
    DebuggerCommand(
      name: "break",
      abbreviations: ["b"],
      arguments: "ACTION | SEQ | --effect NAME | --read KEY | --when EXPR [if EXPR]",
      summary: "stop at actions, effects or reads, or when a condition holds",
      discussion: """
        break .saved(.failure)          matching actions, as in 'show --action'
        break .path[*].delete           for any element
        break 12                        action 12
        break --effect save             when the effect starts, sends or ends
        break --read uuid               when the reducer reads it
        break --when 'count < 0'        when the expression holds
        break .saved if isSaving
        """,
      completions: [
        .actions, .words(["--effect", "--read", "--when", "if"]), .effects,
      ]
    ) { shell, call in try addBreakpoint(shell, call, isTemporary: false) },
    DebuggerCommand(
      name: "tbreak",
      abbreviations: ["tb"],
      arguments: "ACTION | SEQ | --effect NAME | --read KEY | --when EXPR [if EXPR]",
      summary: "set a breakpoint that stops once",
      completions: [.actions, .words(["--effect", "--read", "--when", "if"]), .effects]
    ) { shell, call in try addBreakpoint(shell, call, isTemporary: true) },
    DebuggerCommand(
      name: "logpoint",
      abbreviations: ["dprintf"],
      arguments: "ACTION | SEQ | --effect NAME | --read KEY | --when EXPR \"MESSAGE\" [if EXPR]",
      summary: "print a message instead of stopping",
      discussion: """
        logpoint .saved "saved {count} rows: {todos[*].title}"
        Expressions in braces are those of 'print', evaluated after the action. '\\{' is a brace.
        """,
      completions: [.actions, .words(["--effect", "--read", "--when", "if"]), .effects]
    ) { shell, call in try addLogpoint(shell, call) },
    DebuggerCommand(
      name: "watch",
      abbreviations: ["w"],
      arguments: "PLACE [if EXPR]",
      summary: "stop when the value at a path changes",
      discussion: "A path such as todos[*].title watches all values that it matches.",
      completions: [.places, .words(["if"])]
    ) { shell, call in
      let (text, condition) = try split(call)
      let watch: PathWatch
      do throws(NotationSyntaxError) { watch = PathWatch(try ValuePath(parsing: text)) } catch {
        throw DebugError.badExpression("\(error)")
      }
      return added(shell, .change(watch), text, condition)
    },
    DebuggerCommand(
      name: "condition",
      abbreviations: ["cond"],
      arguments: "NUMBER [EXPR]",
      summary: "set the condition of a breakpoint, or remove it"
    ) { shell, call in
      let (number, rest) = try number(call, shell)
      let condition = try rest.isEmpty ? nil : parsed(rest)
      if let condition { shell.warn(of: condition.condition, "condition") }
      return try changeBreakpoints(shell, [number]) { $0.condition = condition }
    },
    DebuggerCommand(
      name: "ignore",
      arguments: "NUMBER COUNT",
      summary: "skip a breakpoint the next COUNT times"
    ) { shell, call in
      let (number, rest) = try number(call, shell)
      guard let count = Int(rest), count >= 0 else { throw call.badArguments }
      return try changeBreakpoints(shell, [number]) { $0.ignoreCount = count }
    },
    DebuggerCommand(
      name: "commands",
      arguments: "[NUMBER]",
      summary: "execute the lines up to 'end' when a breakpoint stops",
      discussion: """
        commands 1
        print count
        continue
        end
        Without a number, the lines belong to the last breakpoint. 'silent' as the first line suppresses the report of
        the stop. Without lines, the commands are removed.
        """
    ) { shell, call in
      let number =
        try call.text.isEmpty ? lastBreakpoint(shell) : breakpointNumber(call.text, shell)
      shell.collect(for: number)
      return DebugAnswer()
    },
    DebuggerCommand(
      name: "save",
      arguments: "breakpoints FILE [--force]",
      summary: "write the breakpoints as lines that 'source' executes",
      completions: [.files(after: ["breakpoints"]), .words(["breakpoints", "--force"])]
    ) { shell, call in try save(shell, call) },
    DebuggerCommand(name: "enable", arguments: "[NUMBER...]", summary: "turn breakpoints on") {
      shell,
      call in
      try changeBreakpoints(shell, try numbers(call, shell)) { $0.isEnabled = true }
    },
    DebuggerCommand(name: "disable", arguments: "[NUMBER...]", summary: "turn breakpoints off") {
      shell,
      call in
      try changeBreakpoints(shell, try numbers(call, shell)) { $0.isEnabled = false }
    },
    DebuggerCommand(
      name: "delete",
      abbreviations: ["d"],
      arguments: "[NUMBER... | bookmark NAME]",
      summary: "delete breakpoints, all breakpoints, or a bookmark",
      completions: [.words(["bookmark"]), .bookmarks]
    ) { shell, call in
      if let name = call.after("bookmark") ?? call.after("checkpoint") {
        return try deleteBookmark(shell, name)
      }
      let numbers = try numbers(call, shell)
      for number in numbers { shell.session.deleteBreakpoint(number) }
      return shell.answer {
        []
      } json: {
        ["deleted": .array(numbers.map { .number(JSON.Number($0)) })]
      }
    },
  ]

  // MARK: - Adding breakpoints

  @MainActor private static func addBreakpoint(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call,
    isTemporary: Bool
  ) throws -> DebugAnswer {
    let (text, condition) = try split(call)
    return added(shell, try target(text), text, condition, isTemporary: isTemporary)
  }

  @MainActor private static func added(
    _ shell: DebugShell,
    _ target: Breakpoint.Target,
    _ text: String,
    _ condition: (text: String, condition: Condition)?,
    isTemporary: Bool = false,
    message: LogpointMessage? = nil
  ) -> DebugAnswer {
    shell.warn(of: target, text)
    if let condition { shell.warn(of: condition.condition, "if") }
    let breakpoint = shell.session.addBreakpoint(
      target,
      text: text,
      isTemporary: isTemporary,
      condition: condition,
      message: message
    )
    return shell.answer {
      [Wording.breakpoint(breakpoint)]
    } json: {
      ["breakpoint": .object(json(breakpoint))]
    }
  }

  @MainActor private static func addLogpoint(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call
  ) throws -> DebugAnswer {
    let (text, condition) = try split(call)
    guard text.hasSuffix("\""), let quote = text.dropLast().firstIndex(of: "\"") else {
      throw call.badArguments
    }
    let name = String(text[..<quote].reversed().drop { $0 == " " || $0 == "," }.reversed())
    guard !name.isEmpty else { throw call.badArguments }
    let message = try LogpointMessage(parsing: String(text[text.index(after: quote)...].dropLast()))
    return added(shell, try target(name), name, condition, message: message)
  }

  @MainActor private static func lastBreakpoint(_ shell: DebugShell) throws(DebugError) -> Int {
    guard let last = shell.session.breakpoints.last else { throw .noBreakpoint(1, known: []) }
    return last.number
  }

  @MainActor private static func breakpointNumber(
    _ text: String,
    _ shell: DebugShell
  ) throws(DebugError) -> Int {
    if text == last { return try lastBreakpoint(shell) }
    let known = shell.session.breakpoints.map(\.number)
    guard let number = Int(text) else {
      throw .badValue(text, expected: "the number of a breakpoint")
    }
    guard known.contains(number) else { throw .noBreakpoint(number, known: known) }
    return number
  }

  /// The variable that stands for the number of the last breakpoint, as in gdb.
  private static let last = "$bpnum"

  /// Sets the lines to run when a breakpoint stops.
  @MainActor static func setCommands(
    _ shell: DebugShell,
    _ lines: [String],
    of number: Int
  ) throws(DebugError) -> DebugAnswer {
    try changeBreakpoints(shell, [number]) { $0.commands = lines }
  }

  private static let saveSyntax = CommandSyntax(
    name: "save",
    summary: "write the breakpoints as lines",
    operands: [
      CommandSyntax.Operand(name: "breakpoints", summary: "what to write"),
      CommandSyntax.Operand(name: "FILE", summary: "the file to write to"),
    ],
    options: [.force]
  )

  private static let savedBeginning = "# breakpoints"

  @MainActor private static func save(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call
  ) throws -> DebugAnswer {
    let arguments = try ParsedArguments(call.words, syntax: saveSyntax)
    guard arguments.operands.count == 2, "breakpoints".hasPrefix(arguments.operands[0]) else {
      throw call.badArguments
    }
    let file = shell.path(arguments.operands[1])
    try OverwriteGuard.check(
      file,
      arguments,
      as: .text(beginning: savedBeginning, name: "a file of 'save breakpoints'")
    )
    let breakpoints = shell.session.breakpoints
    let lines = [savedBeginning] + breakpoints.flatMap(\.lines)
    try shell.context.console.write(to: file) { sink in
      try sink.write(lines.map { $0 + "\n" }.joined().utf8)
    }
    return shell.answer {
      [Wording.wroteFork(file)]
    } json: {
      ["output": .string(file), "breakpoints": .number(JSON.Number(breakpoints.count))]
    }
  }

  /// Splits the arguments into the text before `if` and the condition after it.
  private static func split(
    _ call: DebuggerCommand.Call
  ) throws(DebugError) -> (String, (text: String, condition: Condition)?) {
    let text = try call.required()
    guard let start = text.firstRange(of: " if ") else { return (text, nil) }
    let condition = String(text[start.upperBound...])
    return (String(text[..<start.lowerBound]), try parsed(condition))
  }

  /// Parses a condition.
  ///
  /// - Throws: `DebugError.badExpression`.
  package static func parsed(
    _ text: String
  ) throws(DebugError) -> (text: String, condition: Condition) {
    let text = unquoted(text)
    do throws(JSONPath.SyntaxError) {
      return (text, Condition(try JSONPath.Expression(parsing: text)))
    } catch {
      throw .badExpression("\(error)")
    }
  }

  /// Removes quotes around the entire text, because users of shells often type them.
  static func unquoted(_ text: String) -> String {
    guard text.count >= 2, let first = text.first, first == "'" || first == "\"",
      text.last == first, !text.dropFirst().dropLast().contains(first)
    else { return text }
    return String(text.dropFirst().dropLast())
  }

  /// Parses the target of a breakpoint.
  ///
  /// - Throws: `DebugError`.
  package static func target(_ text: String) throws(DebugError) -> Breakpoint.Target {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    let value = parts.count > 1 ? unquoted(parts[1]) : nil
    switch (parts.first, value) {
    case ("--effect", let name?): return .effect(name)
    case ("--read", let key?): return .read(key)
    case ("--when", let expression?): return .condition(try parsed(expression).condition)
    case ("--effect", nil), ("--read", nil), ("--when", nil):
      throw .badValue(text, expected: "a value after \(text)")
    default: break
    }
    if let seq = Int(text), seq >= 0 { return .number(seq) }
    do throws(NotationSyntaxError) {
      return .action(try ActionPattern(parsing: unquoted(text)))
    } catch {
      throw .badValue(text, expected: "an action such as .saved(.failure); \(error)")
    }
  }

  // MARK: - Changing breakpoints

  @MainActor private static func number(
    _ call: DebuggerCommand.Call,
    _ shell: DebugShell
  ) throws(DebugError) -> (Int, rest: String) {
    let parts = call.text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let first = parts.first else { throw call.badArguments }
    return (try breakpointNumber(first, shell), parts.count > 1 ? parts[1] : "")
  }

  /// Returns the breakpoint numbers in the arguments, or the numbers of all breakpoints if there are no arguments.
  @MainActor private static func numbers(
    _ call: DebuggerCommand.Call,
    _ shell: DebugShell
  ) throws(DebugError) -> [Int] {
    let known = shell.session.breakpoints.map(\.number)
    guard !call.text.isEmpty else { return known }
    var numbers: [Int] = []
    for word in call.words { numbers.append(try breakpointNumber(word, shell)) }
    return numbers
  }

  @MainActor private static func changeBreakpoints(
    _ shell: DebugShell,
    _ numbers: [Int],
    _ change: (inout Breakpoint) -> Void
  ) throws(DebugError) -> DebugAnswer {
    for number in numbers {
      guard shell.session.changeBreakpoint(number, change) else {
        throw .noBreakpoint(number, known: shell.session.breakpoints.map(\.number))
      }
    }
    let changed = shell.session.breakpoints.filter { numbers.contains($0.number) }
    return shell.answer {
      changed.flatMap { Wording.lines($0) }
    } json: {
      ["breakpoints": .array(changed.map { .object(json($0)) })]
    }
  }

  // MARK: - Showing breakpoints

  /// Returns a breakpoint as JSON.
  static func json(_ breakpoint: Breakpoint) -> JSON.Object {
    var object: JSON.Object = [
      "number": .number(JSON.Number(breakpoint.number)), "kind": .string(breakpoint.kind),
      "text": .string(breakpoint.text),
    ]
    object["condition"] = breakpoint.condition.map { .string($0.text) }
    object["enabled"] = .bool(breakpoint.isEnabled)
    object["temporary"] = .bool(breakpoint.isTemporary)
    object["hits"] = .number(JSON.Number(breakpoint.hits))
    object["ignore"] = .number(JSON.Number(breakpoint.ignoreCount))
    object["message"] = breakpoint.message.map { .string($0.source) }
    if !breakpoint.commands.isEmpty {
      object["commands"] = .array(breakpoint.commands.map { .string($0) })
    }
    return object
  }
}

extension Breakpoint {
  /// The word that adds this kind of breakpoint.
  var kind: String {
    if case .change = target { return "watch" }
    if message != nil { return "logpoint" }
    return isTemporary ? "tbreak" : "break"
  }

  /// The line that adds the breakpoint: the word with its arguments.
  fileprivate var definition: String {
    "\(kind) \(text)" + (message.map { " \"\($0.source)\"" } ?? "")
  }

  /// The lines that add the breakpoint and its commands again.
  fileprivate var lines: [String] {
    var lines = [definition + (condition.map { " if \($0.text)" } ?? "")]
    if !commands.isEmpty { lines += ["commands"] + commands.map { "  \($0)" } + ["end"] }
    if ignoreCount > 0 { lines.append("ignore $bpnum \(ignoreCount)") }
    if !isEnabled { lines.append("disable $bpnum") }
    return lines
  }
}

extension Wording {
  /// Returns a line such as `1  break .saved  if $.state.isSaving  met 2 times, disabled`.
  static func breakpoint(_ breakpoint: Breakpoint) -> String {
    var text = "\(breakpoint.number)  \(breakpoint.definition)"
    if let condition = breakpoint.condition { text += "  if \(condition.text)" }
    var notes: [String] = []
    if breakpoint.hits > 0 { notes.append("met \(times(breakpoint.hits))") }
    if breakpoint.ignoreCount > 0 {
      notes.append("passed \(times(breakpoint.ignoreCount)) more")
    }
    if !breakpoint.isEnabled { notes.append("disabled") }
    return notes.isEmpty ? text : "\(text)  \(notes.joined(separator: ", "))"
  }

  /// Returns a line for the breakpoint, followed by its commands.
  static func lines(_ breakpoint: Breakpoint) -> [String] {
    [Self.breakpoint(breakpoint)] + breakpoint.commands.map { "     \($0)" }
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
