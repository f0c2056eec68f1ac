import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Words that move through the log.
extension DebuggerCommands {
  static let steps: [DebuggerCommand] = [
    DebuggerCommand(
      name: "step",
      abbreviations: ["s"],
      arguments: "[N]",
      summary: "go to the next action, or N actions forward",
      isRepeated: true
    ) { shell, call in shell.answer(to: try shell.session.step(try call.count())) },
    DebuggerCommand(
      name: "next",
      abbreviations: ["n"],
      arguments: "[N]",
      summary: "go to the next action that this one did not cause",
      discussion: """
        Skips the actions that the current action sent, itself or through its effects, and the actions that those sent.
        Stops at breakpoints among them.
        """,
      isRepeated: true
    ) { shell, call in try repeated(shell, call) { try $0.next() } },
    DebuggerCommand(
      name: "finish",
      abbreviations: ["fin"],
      summary: "go to the end of the action's effects",
      discussion: """
        Continues until no effect is alive that the current action started, or that an action caused by it started. An
        effect that never ends leads to the end of the log.
        """,
      isRepeated: true
    ) { shell, call in
      try call.none()
      let start = shell.session.current.id
      return shell.answer(to: try shell.session.finish(), from: start)
    },
    DebuggerCommand(
      name: "continue",
      abbreviations: ["c"],
      arguments: "[N]",
      summary: "continue to the next breakpoint, or the Nth, or the end",
      isRepeated: true
    ) { shell, call in try repeated(shell, call) { try $0.resume() } },
    DebuggerCommand(
      name: "until",
      abbreviations: ["u", "advance"],
      arguments: "[SEQ | TIME | ACTION | EXPR]",
      summary: "continue to an action, a time, or until a condition holds",
      discussion: """
        until 12, until 1.2s     that action, that time
        until .saved(.failure)   the next such action, as in 'break'
        until count > 3          the next action after which this holds
        Stops at breakpoints on the way. Without arguments, 'until' is the same as 'next'.
        """,
      completions: [.actions, .places],
      isRepeated: true
    ) { shell, call in
      guard !call.text.isEmpty else { return shell.answer(to: try shell.session.next()) }
      return shell.answer(to: try moveForward(shell.session, until: call.text))
    },
    DebuggerCommand(
      name: "run",
      abbreviations: ["r"],
      summary: "go to the start, then continue to the first breakpoint or the end"
    ) { shell, call in
      try call.none()
      _ = try shell.session.goToStart()
      return shell.answer(to: try shell.session.resume())
    },
    DebuggerCommand(
      name: "reverse-step",
      abbreviations: ["rs"],
      arguments: "[N]",
      summary: "go back to the previous action, or N actions",
      isRepeated: true
    ) { shell, call in shell.answer(to: try shell.session.reverseStep(try call.count())) },
    DebuggerCommand(
      name: "reverse-next",
      abbreviations: ["rn"],
      arguments: "[N]",
      summary: "go back over an action and everything that it caused",
      isRepeated: true
    ) { shell, call in try repeated(shell, call) { try $0.reverseNext() } },
    DebuggerCommand(
      name: "reverse-finish",
      abbreviations: ["rfin"],
      summary: "go back to the action that sent this one",
      isRepeated: true
    ) { shell, call in
      try call.none()
      let step = shell.session.current
      guard let stop = try shell.session.reverseFinish() else {
        throw DebugError.noSender(step.id, step.origin)
      }
      return shell.answer(to: stop)
    },
    DebuggerCommand(
      name: "reverse-continue",
      abbreviations: ["rc"],
      arguments: "[N]",
      summary: "go back to the previous breakpoint, or the Nth, or the start",
      isRepeated: true
    ) { shell, call in try repeated(shell, call) { try $0.reverseResume() } },
    DebuggerCommand(
      name: "goto",
      abbreviations: ["g", "jump"],
      arguments: "SEQ | +N | -N | TIME | start | end | BOOKMARK",
      summary: "go to an action, to the last action at a time such as 1.2s, or to a bookmark",
      discussion: """
        goto 12, goto +3, goto -2   action 12, 3 forward, 2 back
        goto 1.2s                   a time as in 'show --since': 250ms, 1.2s, 5min, 1:12:03
        goto start, goto end
        goto paid                   the bookmark of that name
        Does not stop at breakpoints.
        """,
      completions: [.words(["start", "end"]), .bookmarks]
    ) { shell, call in shell.answer(to: try go(shell, to: call)) },
    DebuggerCommand(
      name: "search",
      abbreviations: ["forward-search"],
      arguments: "TEXT",
      summary: "go to the next action whose 'frame' contains a text",
      discussion: """
        search milk, search "not found"
        Searches the action, the reads, the changes, the effects and the notes, and ignores case. Does not stop at
        breakpoints.
        """,
      isRepeated: true
    ) { shell, call in try search(shell, call, .forth) },
    DebuggerCommand(
      name: "reverse-search",
      arguments: "TEXT",
      summary: "go back to the previous action whose 'frame' contains a text",
      isRepeated: true
    ) { shell, call in try search(shell, call, .back) },
  ]

  @MainActor private static func search(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call,
    _ direction: DebugSession.Direction
  ) throws -> DebugAnswer {
    let typed = unquoted(try call.required())
    let text = typed.lowercased()
    let writer = StepText(style: Style(hasColor: false, notation: Notation(limits: .none)))
    let start = shell.session.current.id
    let stop = try shell.session.search(direction) { step in
      writer.details(step).contains { $0.lowercased().contains(text) }
    }
    guard let stop else { throw DebugError.notFound(typed, from: start, direction) }
    return shell.answer(to: stop)
  }

  /// Moves forward to a typed target, which is an action number, a time, a pattern of actions, or a condition.
  private static func moveForward(_ session: DebugSession, until text: String) throws -> Stop {
    if let id = StepID(text) {
      guard let step = try session.log.step(at: id) else { throw try session.noStep(id) }
      guard id > session.current.id else {
        throw DebugError.isBehind(id, current: session.current.id)
      }
      return try session.resume(until: step.id)
    }
    if let time = RelativeTime(text) { return try session.resume(until: time) }
    let target: Breakpoint.Target =
      text.hasPrefix(".") || text.hasPrefix("--")
      ? try self.target(text) : .condition(try parsed(text).condition)
    return try session.resume(until: target)
  }

  @MainActor private static func repeated(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call,
    _ go: (DebugSession) throws -> Stop
  ) throws -> DebugAnswer {
    let count = try call.count()
    var stop = try go(shell.session)
    for _ in 1..<max(count, 1) {
      guard ![.start, .end, .damaged, .interrupted].contains(stop.reason) else { break }
      stop = try go(shell.session)
    }
    return shell.answer(to: stop)
  }

  @MainActor private static func go(
    _ shell: DebugShell,
    to call: DebuggerCommand.Call
  ) throws -> Stop {
    let session = shell.session
    let text = try call.required()
    switch text {
    case "start": return try session.goToStart()
    case "end": return try session.goToEnd()
    default: break
    }
    if let id = StepID(text) { return try session.go(to: id) }
    if text.hasPrefix("+") || text.hasPrefix("-"), let count = Int(text) {
      return try session.go(by: count)
    }
    if let time = RelativeTime(text) { return try session.go(to: time) }
    if let bookmark = shell.bookmarks.first(where: { $0.name == text }) {
      return try session.go(to: bookmark.id)
    }
    guard shell.bookmarks.isEmpty else {
      throw DebugError.noBookmark(text, known: shell.bookmarks.map(\.name))
    }
    throw DebugError.badValue(
      text,
      expected:
        "the number of an action, +N or -N, a time from the start such as 1.2s, start, end or a bookmark"
    )
  }
}

extension StepID {
  /// Parses the number of an action, or an id such as `7+1` for an external change after the action.
  init?(_ text: String) {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let seq = parts[0], seq >= 0 else { return nil }
    guard parts.count == 2 else {
      self.init(seq: seq)
      return
    }
    guard let part = parts[1], part > 0 else { return nil }
    self.init(seq: seq, part: part)
  }
}
