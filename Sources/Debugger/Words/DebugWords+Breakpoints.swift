import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The words for breakpoints and watched places.
extension DebugWords {
  static let breakpointWords: [DebugWord] = [
    DebugWord(
      name: "break",
      abbreviations: ["b"],
      arguments: "ACTION | SEQ | --effect NAME | --read KEY | --when EXPR [if EXPR]",
      summary: "stop at actions, effects, reads, or where a condition holds",
      discussion: """
        break .saved(.failure)          such actions, as 'show --action' takes them
        break .path[*].delete           of any element
        break 12                        action 12
        break --effect save             where the effect starts, sends or ends
        break --read uuid               where the reducer reads it
        break --when 'count < 0'        where the expression holds
        break .saved if isSaving
        """,
      completions: [
        .actions, .words(["--effect", "--read", "--when", "if"]), .effects,
      ]
    ) { shell, call in try addBreakpoint(shell, call, isTemporary: false) },
    DebugWord(
      name: "tbreak",
      abbreviations: ["tb"],
      arguments: "ACTION | SEQ | --effect NAME | --read KEY | --when EXPR [if EXPR]",
      summary: "stop at such a step once",
      completions: [.actions, .words(["--effect", "--read", "--when", "if"]), .effects]
    ) { shell, call in try addBreakpoint(shell, call, isTemporary: true) },
    DebugWord(
      name: "watch",
      abbreviations: ["w"],
      arguments: "PLACE [if EXPR]",
      summary: "stop where the value at a place changes",
      discussion: "A place such as todos[*].title watches all its values.",
      completions: [.places, .words(["if"])]
    ) { shell, call in
      let (text, condition) = try split(call)
      let watch: PlaceWatch
      do throws(NotationSyntaxError) { watch = PlaceWatch(try Place(parsing: text)) } catch {
        throw DebugError.badExpression("\(error)")
      }
      return added(shell, .change(watch), text, condition, isTemporary: false)
    },
    DebugWord(
      name: "condition",
      abbreviations: ["cond"],
      arguments: "NUMBER [EXPR]",
      summary: "give a breakpoint a condition, or none"
    ) { shell, call in
      let (number, rest) = try number(call)
      let condition = try rest.isEmpty ? nil : parsed(rest)
      if let condition { shell.warn(of: condition.condition, "condition") }
      return try change(shell, [number]) { $0.condition = condition }
    },
    DebugWord(
      name: "ignore",
      arguments: "NUMBER COUNT",
      summary: "pass a breakpoint COUNT times more"
    ) { shell, call in
      let (number, rest) = try number(call)
      guard let count = Int(rest), count >= 0 else { throw call.badArguments }
      return try change(shell, [number]) { $0.ignoreCount = count }
    },
    DebugWord(name: "enable", arguments: "[NUMBER...]", summary: "switch breakpoints on") {
      shell,
      call in
      try change(shell, try numbers(call, shell)) { $0.isEnabled = true }
    },
    DebugWord(name: "disable", arguments: "[NUMBER...]", summary: "switch breakpoints off") {
      shell,
      call in
      try change(shell, try numbers(call, shell)) { $0.isEnabled = false }
    },
    DebugWord(
      name: "delete",
      abbreviations: ["d"],
      arguments: "[NUMBER...]",
      summary: "delete breakpoints, or all"
    ) { shell, call in
      let numbers = try numbers(call, shell)
      for number in numbers { shell.session.deleteBreakpoint(number) }
      return shell.answer {
        []
      } json: {
        ["deleted": .array(numbers.map { .number(JSON.Number($0)) })]
      }
    },
  ]

  // MARK: - Adding

  @MainActor private static func addBreakpoint(
    _ shell: DebugShell,
    _ call: DebugWord.Call,
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
    isTemporary: Bool
  ) -> DebugAnswer {
    shell.warn(of: target, text)
    if let condition { shell.warn(of: condition.condition, "if") }
    let breakpoint = shell.session.addBreakpoint(
      target,
      text: text,
      isTemporary: isTemporary,
      condition: condition
    )
    return shell.answer {
      [Wording.breakpoint(breakpoint)]
    } json: {
      ["breakpoint": .object(json(breakpoint))]
    }
  }

  /// The arguments up to `if`, and the condition after it.
  private static func split(
    _ call: DebugWord.Call
  ) throws(DebugError) -> (String, (text: String, condition: Condition)?) {
    let text = try call.required()
    guard let start = text.firstRange(of: " if ") else { return (text, nil) }
    let condition = String(text[start.upperBound...])
    return (String(text[..<start.lowerBound]), try parsed(condition))
  }

  /// Reads a condition.
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

  /// The text within quotes around all of it, which people type as they do for a shell.
  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, let first = text.first, first == "'" || first == "\"",
      text.last == first, !text.dropFirst().dropLast().contains(first)
    else { return text }
    return String(text.dropFirst().dropLast())
  }

  /// Reads what a breakpoint stops at.
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

  // MARK: - Changing

  private static func number(
    _ call: DebugWord.Call
  ) throws(DebugError) -> (Int, rest: String) {
    let parts = call.text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let number = parts.first.flatMap({ Int($0) }) else { throw call.badArguments }
    return (number, parts.count > 1 ? parts[1] : "")
  }

  /// The numbers of breakpoints; all of them when none are given.
  @MainActor private static func numbers(
    _ call: DebugWord.Call,
    _ shell: DebugShell
  ) throws(DebugError) -> [Int] {
    let known = shell.session.breakpoints.map(\.number)
    guard !call.text.isEmpty else { return known }
    var numbers: [Int] = []
    for word in call.words {
      guard let number = Int(word) else { throw call.badArguments }
      guard known.contains(number) else { throw .noBreakpoint(number, known: known) }
      numbers.append(number)
    }
    return numbers
  }

  @MainActor private static func change(
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
      changed.map { Wording.breakpoint($0) }
    } json: {
      ["breakpoints": .array(changed.map { .object(json($0)) })]
    }
  }

  // MARK: - Showing

  /// A breakpoint for programs.
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
    return object
  }
}

extension Breakpoint {
  /// The word that adds such a one.
  var kind: String {
    if case .change = target { return "watch" }
    return isTemporary ? "tbreak" : "break"
  }
}

extension Wording {
  /// `1  break .saved  if $.state.isSaving  hit twice, disabled`.
  static func breakpoint(_ breakpoint: Breakpoint) -> String {
    var text = "\(breakpoint.number)  \(breakpoint.kind) \(breakpoint.text)"
    if let condition = breakpoint.condition { text += "  if \(condition.text)" }
    var notes: [String] = []
    if breakpoint.hits > 0 { notes.append("met \(times(breakpoint.hits))") }
    if breakpoint.ignoreCount > 0 {
      notes.append("passed \(times(breakpoint.ignoreCount)) more")
    }
    if !breakpoint.isEnabled { notes.append("disabled") }
    return notes.isEmpty ? text : "\(text)  \(notes.joined(separator: ", "))"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
