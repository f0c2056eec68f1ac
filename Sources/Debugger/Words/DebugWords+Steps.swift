import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The words that go through the log.
extension DebugWords {
  static let steps: [DebugWord] = [
    DebugWord(
      name: "step",
      abbreviations: ["s"],
      arguments: "[N]",
      summary: "go to the next action, or N actions on",
      isRepeated: true
    ) { shell, call in shell.answer(to: try shell.session.step(try call.count())) },
    DebugWord(
      name: "next",
      abbreviations: ["n"],
      arguments: "[N]",
      summary: "go to the next action that this one has not caused",
      discussion: """
        Passes the actions that the current one has sent, itself or by its effects, and those that these have sent. Stops at
        breakpoints among them.
        """,
      isRepeated: true
    ) { shell, call in try repeated(shell, call) { try $0.next() } },
    DebugWord(
      name: "finish",
      abbreviations: ["fin"],
      summary: "go to the end of the effects of the action",
      discussion: """
        Goes on until no effect is alive that the current action started, nor one of an action that it caused. An effect that
        never ends leads to the end of the log.
        """,
      isRepeated: true
    ) { shell, call in
      try call.none()
      let start = shell.session.current.id
      return shell.answer(to: try shell.session.finish(), from: start)
    },
    DebugWord(
      name: "continue",
      abbreviations: ["c"],
      arguments: "[N]",
      summary: "go on to the next breakpoint, or the Nth, or the end",
      isRepeated: true
    ) { shell, call in try repeated(shell, call) { try $0.resume() } },
    DebugWord(
      name: "reverse-step",
      abbreviations: ["rs"],
      arguments: "[N]",
      summary: "go back to the action before, or N actions",
      isRepeated: true
    ) { shell, call in shell.answer(to: try shell.session.reverseStep(try call.count())) },
    DebugWord(
      name: "reverse-next",
      abbreviations: ["rn"],
      arguments: "[N]",
      summary: "go back over an action and everything that it caused",
      isRepeated: true
    ) { shell, call in try repeated(shell, call) { try $0.reverseNext() } },
    DebugWord(
      name: "reverse-finish",
      abbreviations: ["rfin", "up"],
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
    DebugWord(
      name: "reverse-continue",
      abbreviations: ["rc"],
      arguments: "[N]",
      summary: "go back to the last breakpoint, or the Nth, or the start",
      isRepeated: true
    ) { shell, call in try repeated(shell, call) { try $0.reverseResume() } },
    DebugWord(
      name: "goto",
      abbreviations: ["g", "jump"],
      arguments: "SEQ | TIME | start | end",
      summary: "go to an action, or to the last one at a time, such as 1.2s",
      discussion:
        "Passes breakpoints. A time is what 'show --since' takes: 250ms, 1.2s, 5min, 1:12:03.",
      completions: [.words(["start", "end"])]
    ) { shell, call in shell.answer(to: try go(shell.session, to: call)) },
  ]

  @MainActor private static func repeated(
    _ shell: DebugShell,
    _ call: DebugWord.Call,
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

  private static func go(_ session: DebugSession, to call: DebugWord.Call) throws -> Stop {
    let text = try call.required()
    switch text {
    case "start": return try session.goToStart()
    case "end": return try session.goToEnd()
    default: break
    }
    if let id = StepID(text) { return try session.go(to: id) }
    if let time = RelativeTime(text) { return try session.go(to: time) }
    throw DebugError.badValue(
      text,
      expected: "the number of an action, a time from the start such as 1.2s, start or end"
    )
  }
}

extension StepID {
  /// Reads the number of an action, or `7+1` for a change from outside after it.
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
