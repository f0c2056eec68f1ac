import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Words that inspect a step and its surroundings.
extension DebuggerCommands {
  static let queries: [DebuggerCommand] = [
    DebuggerCommand(
      name: "print",
      abbreviations: ["p"],
      arguments: "EXPR",
      summary: "show the value of a path in the state, or of an expression",
      discussion: """
        print todos[*].title            paths in the state after the action
        print before.todos[0]           a path in the state before it
        print action                    the action, or action.saved.revision for a part of it
        print reads, print effects      what the reducer read, what it returned
        print count > 3                 an expression, as in 'show --when'
        print $.reads[0].value          a query (RFC 9535)
        """,
      completions: [.places, .words(["before", "action", "reads", "effects", "state"])]
    ) { shell, call in
      let value = try StepExpression(parsing: call.text.isEmpty ? "state" : call.text)
        .value(in: shell.session.frame.step)
      return shell.answer {
        ValueText(style: shell.style).lines(value)
      } json: {
        StepJSON.object(value)
      }
    },
    picture,
    DebuggerCommand(
      name: "display",
      arguments: "[EXPR]",
      summary: "show a value after each step",
      completions: [.places]
    ) { shell, call in
      if !call.text.isEmpty {
        let number = shell.addDisplay(try StepExpression(parsing: call.text))
        return displays(shell, shell.displays.filter { $0.number == number })
      }
      return displays(shell, shell.displays)
    },
    DebuggerCommand(
      name: "undisplay",
      arguments: "[NUMBER]",
      summary: "stop showing a value, or all values"
    ) { shell, call in
      let number = Int(call.text)
      guard call.text.isEmpty || number != nil else { throw call.badArguments }
      let known = shell.displays.map(\.number)
      guard shell.removeDisplay(number) || number == nil else {
        throw DebugError.noDisplay(number ?? 0, known: known)
      }
      return DebugAnswer()
    },
    DebuggerCommand(
      name: "frame",
      abbreviations: ["f", "here"],
      arguments: "[N]",
      summary: "show the action in full (reads, changes, effects), or select cause N of 'where'",
      discussion: """
        Frame 0 is the current action, frame 1 the one that sent it. What prints and what changes history is about the frame that is looked
        at. What goes through the log starts from the current action, and leads back to frame 0.
        """
    ) { shell, call in
      guard !call.text.isEmpty else { return frame(shell) }
      guard let depth = Int(call.text), depth >= 0 else { throw call.badArguments }
      try shell.session.select(depth: depth)
      return frameLine(shell)
    },
    DebuggerCommand(
      name: "up",
      arguments: "[N]",
      summary: "select the action that sent this one, or the Nth cause up",
      isRepeated: true
    ) { shell, call in
      try shell.session.selectCause(try call.count())
      return frameLine(shell)
    },
    DebuggerCommand(
      name: "down",
      arguments: "[N]",
      summary: "select the action that this one led to, toward the current action",
      isRepeated: true
    ) { shell, call in
      try shell.session.selectEffect(try call.count())
      return frameLine(shell)
    },
    DebuggerCommand(
      name: "list",
      abbreviations: ["l"],
      arguments: "[SEQ | FIRST,[LAST] | -]",
      summary: "list the actions around the current one, around another one, or in a range",
      discussion: """
        list 20, list 20,25   around action 20; actions 20 to 25
        list 20,              ten actions from action 20 on
        A repeated 'list' shows the actions after those, and 'list -' the actions before.
        """,
      isRepeated: true
    ) { shell, call in try list(shell, call) },
    DebuggerCommand(
      name: "where",
      abbreviations: ["bt", "backtrace", "causes"],
      summary: "show the causes of the action, and what it caused"
    ) { shell, call in
      try call.none()
      return try causes(shell)
    },
    DebuggerCommand(
      name: "bookmark",
      abbreviations: ["checkpoint"],
      arguments: "[NAME]",
      summary: "give the current action a name for 'goto'",
      discussion:
        "Without a name, the bookmark gets a letter. When history changes, bookmarks keep the numbers of their actions."
    ) { shell, call in try addBookmark(shell, call) },
    DebuggerCommand(
      name: "info",
      abbreviations: ["i"],
      arguments: infoTopics.joined(separator: " | "),
      summary: "show information about the action or about the session",
      completions: [.words(infoTopics)]
    ) { shell, call in try info(shell, call) },
    DebuggerCommand(
      name: "blame",
      arguments: "PLACE",
      summary: "find the action that last changed a value, and its causes",
      completions: [.places]
    ) { shell, call in try blame(shell, try call.valuePath()) },
    DebuggerCommand(
      name: "history",
      arguments: "PLACE",
      summary: "show every change of the value at a path",
      completions: [.places]
    ) { shell, call in try history(shell, try call.valuePath()) },
  ]

  private static let infoTopics = [
    "action", "alive", "bookmarks", "breakpoints", "causes", "change", "display", "effects", "log",
    "reads",
  ]

  @MainActor private static func info(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call
  ) throws -> DebugAnswer {
    let text = try call.required()
    let meant = infoTopics.filter { $0.hasPrefix(text) }
    // As in gdb, 'info b' and 'info watchpoints' both list breakpoints.
    let topic =
      text == "watchpoints" || text == "b"
      ? "breakpoints"
      : text == "checkpoints"
        ? "bookmarks" : text == "a" ? "action" : text == "c" ? "change" : meant.first
    guard let topic, meant.count <= 1 || topic == text || text.count == 1 else {
      if meant.count > 1 { throw DebugError.ambiguousWord(text, meant: meant) }
      throw DebugError.badValue(
        text,
        expected: Wording.oneOf(infoTopics) + Wording.suggestion(for: text, among: infoTopics)
      )
    }
    let step = shell.session.frame.step
    let notation = shell.style.notation
    switch topic {
    case "bookmarks": return bookmarks(shell)
    case "action": return frame(shell)
    case "causes": return try causes(shell)
    case "display": return displays(shell, shell.displays)
    case "alive":
      let alive = step.alive
      return shell.answer {
        alive.isEmpty ? [Wording.noneAlive] : alive.map { Wording.line($0) }
      } json: {
        ["alive": .array(alive.map { .object(StepJSON.object($0)) })]
      }
    case "change":
      return shell.answer {
        let lines = StepText(style: shell.style).changes(step)
        return lines.isEmpty ? [Wording.changedNothing] : lines
      } json: {
        var object = JSON.Object()
        object["patch"] = step.patch?.json
        return object
      }
    case "effects": return effects(shell, step)
    case "reads":
      return shell.answer {
        step.reads.isEmpty
          ? [Wording.readNothing]
          : step.reads.map { "\(Notation.visible($0.key))  \(notation.value($0.value))" }
      } json: {
        [
          "reads": .array(step.reads.map { ["key": .string($0.key), "value": $0.value] })
        ]
      }
    case "log": return try log(shell)
    default:
      let breakpoints = shell.session.breakpoints
      return shell.answer {
        breakpoints.isEmpty
          ? [Wording.noBreakpoints] : breakpoints.flatMap { Wording.lines($0) }
      } json: {
        ["breakpoints": .array(breakpoints.map { .object(json($0)) })]
      }
    }
  }

  // MARK: - The step

  @MainActor private static func frameLine(_ shell: DebugShell) -> DebugAnswer {
    let frame = shell.session.frame
    shell.listed = nil
    return shell.answer {
      Wording.frame(frame.depth, StepText(style: shell.style).lines(frame.step))
    } json: {
      ["frame": .number(JSON.Number(frame.depth)), "step": .object(StepJSON.object(frame.step))]
    }
  }

  @MainActor private static func frame(_ shell: DebugShell) -> DebugAnswer {
    let step = shell.session.frame.step
    return shell.answer {
      var lines = StepText(style: shell.style).details(step)
      let alive = step.alive
      if !alive.isEmpty { lines.append("    alive: \(Wording.alive(alive))") }
      return lines
    } json: {
      ["step": .object(StepJSON.object(step))]
    }
  }

  @MainActor private static func effects(_ shell: DebugShell, _ step: LogStep) -> DebugAnswer {
    shell.answer {
      let own = step.effects.flatMap(\.own)
      var turns: [String] = []
      step.forEachTurn { turn, known in
        turns.append("  \(Wording.turn(turn, shell.style.notation, known))")
      }
      let alive = step.alive
      var lines: [String] = []
      if !own.isEmpty {
        lines += [Wording.started]
        lines += own.flatMap { $0.lines(indent: "  ", shell.style.notation) }
      }
      if !turns.isEmpty {
        lines += [Wording.turned] + turns
      }
      if !alive.isEmpty { lines += [Wording.aliveAfter] + alive.map { "  \(Wording.line($0))" } }
      return lines.isEmpty ? [Wording.noEffects] : lines
    } json: {
      let object = StepJSON.object(step)
      return [
        "effects": object["effects"] ?? [], "turns": object["turns"] ?? [],
        "alive": object["alive"] ?? [],
      ]
    }
  }

  // MARK: - Bookmarks

  @MainActor private static func addBookmark(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call
  ) throws(DebugError) -> DebugAnswer {
    let taken = shell.bookmarks.map(\.name)
    let name = call.text.isEmpty ? Bookmark.letters.first { !taken.contains($0) } : call.text
    guard let name, name.first?.isLetter == true, !name.contains(" "), name != "start",
      name != "end",
      RelativeTime(name) == nil
    else {
      throw .badValue(call.text, expected: "a name of one word that begins with a letter")
    }
    let bookmark = Bookmark(name: name, id: shell.session.current.id)
    shell.bookmarks.removeAll { $0.name == name }
    shell.bookmarks.append(bookmark)
    return bookmarks(shell, [bookmark])
  }

  @MainActor static func deleteBookmark(
    _ shell: DebugShell,
    _ name: String
  ) throws(DebugError) -> DebugAnswer {
    guard shell.bookmarks.contains(where: { $0.name == name }) else {
      throw .noBookmark(name, known: shell.bookmarks.map(\.name))
    }
    shell.bookmarks.removeAll { $0.name == name }
    return bookmarks(shell)
  }

  @MainActor private static func bookmarks(
    _ shell: DebugShell,
    _ bookmarks: [Bookmark]? = nil
  ) -> DebugAnswer {
    let bookmarks = bookmarks ?? shell.bookmarks
    return shell.answer {
      bookmarks.isEmpty
        ? [Wording.noBookmarks] : bookmarks.map { "\($0.name)  \(Wording.stepText($0.id))" }
    } json: {
      [
        "bookmarks": .array(
          bookmarks.map { ["name": .string($0.name), "seq": .number(JSON.Number($0.id.seq))] }
        )
      ]
    }
  }

  @MainActor private static func displays(
    _ shell: DebugShell,
    _ displays: [(number: Int, expression: StepExpression)]
  ) -> DebugAnswer {
    shell.answer {
      displays.isEmpty ? [Wording.noDisplays] : displays.flatMap { shell.displayLines($0) }
    } json: {
      ["displays": .array(displays.map { .object(shell.displayJSON($0)) })]
    }
  }

  @MainActor private static func log(_ shell: DebugShell) throws -> DebugAnswer {
    let log = shell.session.log
    let last = try log.last()
    let (problem, tornTail) = try log.ending()
    return try shell.answer {
      let first = try log.first()?.seq ?? 0
      var lines = [Wording.title(log.header)]
      let time = last?.at.map { RelativeTime(microseconds: $0).description }
      lines.append(Wording.extent(first: first + 1, last: last?.seq ?? 0, time))
      if let problem { lines.append("\(problem)") }
      if let tornTail { lines.append(Wording.tornTail(tornTail)) }
      return lines
    } json: {
      var object: JSON.Object = [
        "id": .string(log.header.id), "feature": .string(log.header.feature),
        "startedAt": .string(log.header.startedAt), "file": .string(log.slice.name),
        "last": .number(JSON.Number(last?.seq ?? 0)),
      ]
      object["problem"] = problem.map { .string("\($0)") }
      return object
    }
  }
}

extension Bookmark {
  /// The default names of bookmarks, from `a` to `z`.
  fileprivate static let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map {
    String(decoding: [$0], as: UTF8.self)
  }
}

/// Wording for queries.
extension Wording {
  static let noneAlive = "no effect is alive"
  static let changedNothing = "it changed nothing"
  static let readNothing = "the reducer read nothing"
  static let noEffects = "it started no effects, and none is alive"
  static let started = "it returned"
  static let turned = "until the next action"
  static let aliveAfter = "alive after it"
  static let noBreakpoints = "there are no breakpoints; 'break' and 'watch' add them"
  static let noBookmarks = "there are no bookmarks; 'bookmark' adds one"

  /// Returns the lines of a step with the number of its frame.
  static func frame(_ depth: Int, _ lines: [String]) -> [String] {
    lines.enumerated().map { ($0.offset == 0 ? "#\(depth)" : "  ") + $0.element }
  }

  static let noDisplays = "nothing is displayed; 'display' adds a value"
  static let noMoreSteps = "there are no more"
  static let ledTo = "it led to"
  static let neverChanges = "nothing in the log changes it"

  static func changesBefore(_ count: Int) -> String {
    "… \(count == 1 ? "1 change" : "\(count) changes") before these"
  }

  static func changesAfter(_ count: Int) -> String {
    "… \(count == 1 ? "1 change" : "\(count) changes") after these"
  }

  /// Returns a line such as `save 6.0  SampleFeatures/Draft.swift:67`.
  static func line(_ effect: PositionState.AliveEffect) -> String {
    alive([effect]) + (effect.source.map { "  \(Notation.visible($0))" } ?? "")
  }

  static func extent(first: Int, last: Int, _ time: String?) -> String {
    guard last >= first else { return "no actions" }
    let rest = time.map { ", the last one at \($0)" } ?? ""
    return last == first ? "action \(first)\(rest)" : "actions \(first) to \(last)\(rest)"
  }

  static func tornTail(_ tail: LogReader.TornTail) -> String {
    "cut: from line \(tail.line) on, \(tornText(tail)) not a whole event"
  }
}
