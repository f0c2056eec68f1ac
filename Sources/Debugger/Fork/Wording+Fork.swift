import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Wording for edits and for their errors.
extension Wording {
  static let skipForm = "the number of an action, or its case: skip 4, skip .saved"
  static let editForm =
    "an action, or a place in it and a value: edit 12 .rename(\"x\"), edit 12 rename.0 = \"x\""
  static let insertForm = "the number of an action and another to come after it: insert 4 .tapped"
  static let reorderForm = "two actions: reorder 7 before 4, reorder 4 after 9"
  static let answerForm =
    "a read and its answer, or an effect and what it does: answer 5 uuid = \"…\", answer 4.0 .loaded([]),"
    + " answer 4.0 failed \"offline\", answer 4.0 cancelled, answer 4.0 nothing"
  static let setForm = "a place in the state and a value: set 4 todos[0].title = \"x\""
  static let editObject =
    "an edit such as {\"skip\":4}, {\"edit\":12,\"action\":{…}}, {\"insert\":{…},\"after\":4}, {\"reorder\":7,\"before\":4},"
    + " {\"answer\":5,\"read\":\"uuid\",\"value\":…}, {\"answer\":\"4.0\",\"failed\":…} or {\"set\":\"/count\",\"value\":1,\"after\":4}"

  static func jsonAction(_ error: String) -> String { "an action as JSON: \(error)" }

  static func describe(_ error: EditSyntaxError) -> String {
    switch error.problem {
    case .expected(let expected): "found '\(Notation.visible(error.text))', expected \(expected)"
    case .notation(let problem): "\(problem)"
    case .unknownWord(let word):
      "'\(Notation.visible(word))' is not an edit\(suggestion(for: word, among: TimelineEdit.words));"
        + " expected \(oneOf(TimelineEdit.words))"
    case .noSuchAction(let text, let meant):
      "no action of the log is \(Notation.visible(text))"
        + (meant.map { "; did you mean \($0)?" } ?? "")
    case .severalActions(let text, let seqs):
      "\(actions(seqs.count)) of the log are \(Notation.visible(text)): \(numberList(seqs)); expected the number of one"
    }
  }

  static func describe(_ error: EditError) -> String {
    switch error {
    case .noSuchAction(let edit, let seq, let last):
      "\(edit): the log has no action \(seq); it has \(actionsThrough(last))"
    case .sentByReducer(let edit, let seq, let id):
      "\(edit): the reducer itself sends action \(seq), with effect \(id); edit or skip action \(id.seq), which leads to it"
    case .excluded(let edit, let seq):
      "\(edit): a filter has left action \(seq) out of the log, so that only its outcome is known; it can be skipped"
    case .twice(let first, let second):
      "\(second): \(first) is about the same action; expected one edit for each"
    case .inexact(let edit, let error): "\(edit): \(error)"
    case .unreadable(let edit, let problem): "\(edit): \(problem)"
    case .nothing(let edit, let place, let end):
      "\(edit): \(owner(edit)) has nothing at '\(place)'"
        + (end.map { nearest($0, root: root(edit), name: writer(of: "\(place)")) } ?? "")
        + newKey(edit, end)
    case .ambiguous(let edit, let place, let places):
      "\(edit): '\(place)' stands for \(places.count) places; expected one of"
        + " \(places.prefix(6).joined(separator: ", "))\(places.count > 6 ? ", …" : "")"
    case .noRead(let edit, let known):
      "\(edit): the action did not read that; "
        + (known.isEmpty ? "it read nothing" : "it read \(known.joined(separator: ", "))")
    case .noEffect(let edit, let id):
      "\(edit): the log has no effect \(id); expected one that 'info effects' or 'show' lists"
    case .sendsAtOnce(let edit, let id):
      "\(edit): the reducer itself sends an action with effect \(id); edit or skip action \(id.seq), which leads to it"
    case .sentMore(let edit, let id, let seqs):
      "\(edit): effect \(id) sent \(actions(seqs.count)), \(numberList(seqs)); edit one of them, as in 'edit \(seqs.first ?? 0) …'"
    case .beforeCause(let edit, let cause):
      "\(edit): the action follows from action \(cause); expected a place after that"
    case .toItself(let edit): "\(edit): expected two different actions"
    case .noState(let edit): "\(edit): the log has no state there"
    case .undecodable(_, _, let edit?, let problem, _) where edit.isOfRead:
      "\(edit): the host cannot read this answer: \(problem)"
    case .undecodable(let seq, let action, let edit, let problem, let meant):
      (edit.map { "\($0): " } ?? "") + "the host cannot read "
        + (action.map { "action \(seq), \(Notation().action($0))" }
          ?? "the state after action \(seq)")
        + ": \(problem)" + (meant.map { "; did you mean '\($0)'?" } ?? "")
    }
  }

  private static func actionsThrough(_ last: Int) -> String {
    last == 0 ? "none" : last == 1 ? "action 1 alone" : "actions 1 to \(last)"
  }

  private static func numberList(_ seqs: [Int]) -> String {
    seqs.prefix(6).map { "\($0)" }.joined(separator: ", ") + (seqs.count > 6 ? ", …" : "")
  }

  private static func owner(_ edit: TimelineEdit) -> String {
    if case .set(_, _, let seq) = edit { return "the state after action \(seq)" }
    return edit.seq.map { "action \($0)" } ?? "the action"
  }

  /// Returns a hint that shows how to type a new dictionary key.
  private static func newKey(_ edit: TimelineEdit, _ end: UnresolvedPath?) -> String {
    guard case .set(let place, _, _) = edit, let end, end.value.object != nil, end.meant == nil,
      let name = "\(place)".split(separator: ".").last, String(name).isSwiftIdentifier
    else { return "" }
    let key = Notation().pathText(JSON.ValueLocation(end.path.steps)) + "[\"\(name)\"]"
    return "; a new key of a dictionary is typed as '\(key)'"
  }

  private static func root(_ edit: TimelineEdit) -> String {
    if case .set = edit { "the state" } else { "the action" }
  }
}

/// Wording for reports about forks.
extension Wording {
  static func forked(_ fork: TimelineFork) -> String {
    let edits = fork.edits.count == 1 ? "1 edit" : "\(fork.edits.count) edits"
    guard let first = fork.firstDifference else {
      return "\(fork.base.name): the same timeline with \(edits), through action \(fork.last.fork)"
    }
    return "\(fork.base.name): another timeline from action \(first) on, with \(edits):"
      + " \(actions(fork.last.fork)) in the place of \(fork.last.base)"
  }

  static func trapped(_ fork: TimelineFork, _ signal: String) -> String {
    "the host trapped in action \(fork.last.fork) (\(signal)), at which the timeline ends"
  }

  static func otherCode(_ seq: Int) -> String {
    "the host does not replay the log as it was recorded: without any edit it differs from action \(seq) on"
  }

  static func endsAtGap(_ seq: Int) -> String {
    "the log has a gap after action \(seq): what follows cannot be replayed from another state"
  }

  /// Returns a summary of the actions that correspond in two timelines.
  static func aligned(_ logs: AlignedComparisonResult) -> String {
    AlignedText(logs, "the old timeline", "the new one").summary
  }

  static let leftOut = "left out"
  static let added = "new"
  static let changedReads = "other reads"
  static let sameEnd = "the same state at the end"
  static let atEnd = "at the end"

  static func describe(_ reason: TimelineFork.OmissionReason) -> String {
    switch reason {
    case .effectNeverStarts(let id): "effect \(id) never starts: action \(id.seq) does not come"
    case .effectNotReturned(let id): "action \(id.seq) does not start effect \(id) any more"
    case .effectCancelled(let id): "effect \(id) is canceled before"
    case .effectNotStarted(let id): "effect \(id) has not started by then"
    case .effectNotRunning(let id): "effect \(id) does not run then"
    case .notSent(let id): "the reducer does not send it any more, after action \(id.seq)"
    case .senderMissing: "the action during which it was sent does not come"
    case .changeDoesNotFit(let place):
      "the state has nothing at \(Notation().pathText((try? JSON.Pointer(parsing: place)) ?? JSON.Pointer()))"
        + " that a change from outside could change"
    case .afterEnd: "the timeline ends before"
    }
  }

  static func describe(_ added: TimelineFork.ForkOnlyAction) -> String {
    if added.isInserted {
      return added.origin == .view ? "inserted" : "inserted, \(sender(added))"
    }
    return sender(added)
  }

  private static func sender(_ added: TimelineFork.ForkOnlyAction) -> String {
    origin(added.origin, of: added.origin.cause)
  }

  /// Returns `action 8` or `actions 8 to 12`.
  static func range(_ seqs: ClosedRange<Int>) -> String {
    seqs.count == 1
      ? "action \(seqs.lowerBound)" : "actions \(seqs.lowerBound) to \(seqs.upperBound)"
  }

  static func describe(_ read: TimelineFork.AddedOrDroppedRead, _ notation: Notation) -> String {
    guard let standIn = read.standIn else {
      return "action \(read.seq) does not ask for \(read.key) any more"
    }
    return "action \(read.seq) asks for \(read.key), which was not recorded;"
      + " \(notation.value(standIn)) stands in"
  }

  package static func notTheSameAgain(_ line: String) -> String {
    "a replay of the new log comes out otherwise: \(line); 'audit' looks for what does not stay the same"
  }

  static func wroteFork(_ path: String) -> String { "written to \(path)" }
}
