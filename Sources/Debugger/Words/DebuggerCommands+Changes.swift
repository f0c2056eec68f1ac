import ActionLog
import ReplayCommands
import ReplayEngine

/// Words that edit the history.
///
/// A host replays the events after the edit.
extension DebuggerCommands {
  static let changes: [DebuggerCommand] = [
    edit(
      "skip",
      "[SEQ | ACTION]",
      "leave out an action, and what cannot happen without it",
      """
      The remaining actions are replayed without the action. What can no longer happen is left out and listed, for
      example actions of effects that never start. The session continues on the new timeline; 'undo' goes back.
      """
    ),
    edit(
      "edit",
      "[SEQ] ACTION | [SEQ] PLACE = VALUE",
      "replace an action, or change a part of it",
      """
      edit 12 .titleChanged(id: _, "Milk")   another action; _ keeps the recorded value
      edit 12 titleChanged.1 = "Milk"        a part of the action
      edit 12 {"titleChanged":{…}}           an action as in the log
      """
    ),
    edit("insert", "[SEQ] ACTION", "insert an action of the view after this one"),
    edit(
      "reorder",
      "[SEQ | ACTION] before | after SEQ | ACTION",
      "move an action to an earlier or later position"
    ),
    edit(
      "answer",
      "[SEQ] KEY = VALUE | EFFECT ANSWER",
      "change the answer of a dependency or of an effect",
      """
      answer 5 uuid = "…", answer 5 uuid[1] = "…"   a read of the action, or its second read with this key
      answer 4.0 .loaded(.failure(…))               what the effect sends
      answer 4.0 failed "offline"                   the effect throws
      answer 4.0 cancelled, answer 4.0 nothing      the effect is canceled, or ends without an action
      """
    ),
    edit("set", "[SEQ] [var] PLACE = VALUE", "change the state from outside, after this action"),
    DebuggerCommand(name: "edits", summary: "list the edits of this timeline") { shell, call in
      try call.none()
      let edits = shell.timelines?.edits ?? []
      return shell.answer {
        edits.isEmpty
          ? [Wording.noEdits]
          : edits.enumerated().map { "\($0.offset + 1)  \($0.element.text(shell.style.notation))" }
      } json: {
        ["edits": .array(edits.map(\.json))]
      }
    },
    DebuggerCommand(
      name: "undo",
      arguments: "[all]",
      summary: "go back to the timeline before the last edit, or to the recorded one",
      completions: [.words(["all"])]
    ) { shell, call in
      guard call.text.isEmpty || call.text == "all" else { throw call.badArguments }
      let undone =
        call.text.isEmpty ? shell.timelines?.undo() : shell.timelines?.undoAll()
      guard let undone, let log = shell.timelines?.current else { throw DebugError.isRecorded }
      try shell.switchTimeline(log, to: undone.place)
      return shell.answer {
        [Wording.undone(undone.fork.edits, isAll: !call.text.isEmpty)] + shell.here()
      } json: {
        ["step": .object(StepJSON.object(shell.session.current))]
      }
    },
    DebuggerCommand(
      name: "fork",
      arguments: "-o FILE [--force]",
      summary: "write this timeline as a log that 'run' accepts",
      completions: [.files(after: ["-o", "--output"]), .words(["-o", "--force"])]
    ) { shell, call in try fork(shell, call) },
  ]

  private static func edit(
    _ name: String,
    _ arguments: String,
    _ summary: String,
    _ discussion: String = ""
  ) -> DebuggerCommand {
    DebuggerCommand(
      name: name,
      arguments: arguments,
      summary: summary,
      discussion: discussion,
      completions: [.actions, .places]
    ) { shell, call in
      let place = shell.session.frame.step.id
      // As in gdb, `set var x = 1` is also valid.
      let text = (name == "set" ? call.after("var") : nil) ?? call.text
      let edit = try edit(name, text, at: place, in: shell.session.log.slice)
      guard let fork = try shell.timelines?.apply(edit, at: place) else {
        throw DebugError.cannotFork
      }
      try shell.switchTimeline(fork.log, to: fork.place)
      let report = ForkReport(fork)
      return shell.answer {
        report.lines(shell.style) + [""] + shell.here()
      } json: {
        var object = report.json.object ?? JSON.Object()
        object["step"] = .object(StepJSON.object(shell.session.current))
        return object
      }
    }
  }

  /// The edits that can be placed after an external change as well as after an action.
  private static let editsOfPlaces: Set = ["insert", "set"]

  /// Parses an edit, with the current action as the default.
  private static func edit(
    _ word: String,
    _ text: String,
    at place: StepID,
    in log: LogSlice
  ) throws -> TimelineEdit {
    let named = { ActionMatches($0, in: log) }
    if place.part == 0 || editsOfPlaces.contains(word) {
      return try TimelineEdit(word: word, text, at: place.seq, named: named)
    }
    do throws(EditSyntaxError) { return try TimelineEdit(word: word, text, named: named) } catch {
      // Checks whether the edit is valid apart from the missing number.
      _ = try TimelineEdit(word: word, text, at: place.seq, named: named)
      throw DebugError.needsAction(word: word, place)
    }
  }

  private static let forkSyntax = CommandSyntax(
    name: ForkCommand.syntax.name,
    summary: ForkCommand.syntax.summary,
    options: [.optionalOutput, .force]
  )

  @MainActor private static func fork(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call
  ) throws -> DebugAnswer {
    let arguments = try ParsedArguments(call.words, syntax: forkSyntax)
    guard let output = arguments.value("--output") else { throw call.badArguments }
    guard let timelines = shell.timelines, let fork = timelines.branches.last?.fork else {
      throw DebugError.isRecorded
    }
    try OverwriteGuard.check(output, arguments)
    try shell.context.console.write(to: output) { sink in
      try fork.write(to: sink, output, by: ForkCommand.syntax.name)
    }
    let verdict = try timelines.check()
    return shell.answer {
      [Wording.wroteFork(output)]
        + (verdict.map { [Wording.runs($0, through: fork.last.fork, shell.style.notation)] } ?? [])
    } json: {
      var object: JSON.Object = ["output": .string(output)]
      object["isSame"] = verdict.map { .bool($0.isSame) }
      return object
    }
  }
}

extension DebugShell {
  /// Continues on another timeline with the breakpoints of the current one.
  fileprivate func switchTimeline(_ slice: LogSlice, to id: StepID) throws {
    let log = try DebuggedLog(slice, cache: nil)
    let other = try DebugSession(log, breakpointsOf: session)
    // An external change is a part of its own, which may not exist on the other timeline.
    if let step = try log.step(before: StepID(seq: id.seq + 1)) { try other.go(to: step.id) }
    session = other
    listed = nil
  }
}

extension Wording {
  static let noEdits = "none: this is the recorded timeline"

  static func undone(_ edits: [TimelineEdit], isAll: Bool) -> String {
    isAll
      ? "back on the recorded timeline"
      : "undone: \(edits.map(\.description).joined(separator: ", "))"
  }

  static func runs(_ verdict: Verdict, through seq: Int, _ notation: Notation) -> String {
    "replayed again: \(line(verdict, through: seq, notation))"
  }
}
