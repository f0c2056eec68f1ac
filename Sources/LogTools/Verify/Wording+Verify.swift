import ActionLog
import ReplayCommands
import ReplayEngine

/// The messages of `verify`, and the problems that they describe.
extension Wording {
  /// A problem that the verifier found in the events of a log.
  enum LogInconsistency {
    case secondHeader
    case afterEnd(String)
    case noCheckpoint
    case wrongNumber(Int, expected: Int)
    case notOpen(String, Int, open: Int?)
    case noChange(Int)
    case wrongCheckpoint(Int, last: Int)
    case contradiction(JSON.Difference)
    case effectAtCheckpoint(CheckpointEffectContradiction)
    case lowerStackElement(Int, last: Int)
    case patch(JSON.Patch.ApplyError)
    case unknownEffect(EffectID)
    case foreignEffect(EffectID)
    case effectTwice(EffectID)
    case endedTwice(EffectID)
    case turn(EffectEventChecker.EffectContradiction, of: EffectID)
    case laterCause(Int)
    case cancelledByNoAction(EffectID, Int, last: Int)
    case wrongEnd(Int, last: Int)
  }

  static func describe(_ flaw: LogInconsistency) -> String {
    switch flaw {
    case .secondHeader: "a second header within a log; expected it after the end"
    case .afterEnd(let kind): afterEnd(kind)
    case .noCheckpoint: "an action before the first checkpoint; expected the state it starts from"
    case .wrongNumber(let found, let expected): "action \(found); expected action \(expected)"
    case .notOpen(let kind, let seq, let open):
      "a \(kind) of action \(seq); expected "
        + (open.map { "one of action \($0), which is being reduced" } ?? "an action before it")
    case .noChange(let seq): "action \(seq) has no change; expected it before this event"
    case .wrongCheckpoint(let seq, let last): "a checkpoint of action \(seq); expected \(last)"
    case .contradiction(let difference):
      "the checkpoint has \(found(difference.actual)) at '\(difference.places.place ?? Notation().pathText(difference.path))'; expected"
        + " \(found(difference.expected)), to which the patches lead"
    case .effectAtCheckpoint(let contradiction): describe(contradiction)
    case .lowerStackElement(let number, let last):
      "the checkpoint says that the next element of a stack gets the number \(number); expected at least \(last), as at"
        + " the checkpoint before"
    case .patch(let error): "the patch does not fit the state: \(error)"
    case .unknownEffect(let id): "effect \(id), which no action before has started"
    case .foreignEffect(let id): "effect \(id) among those of another action"
    case .effectTwice(let id): "effect \(id), which was there before"
    case .endedTwice(let id): "effect \(id), which has ended before"
    case .turn(.sentFewer(let said, let sent), let id):
      "effect \(id) finished after \(actions(said)); expected \(sent) or more, as many as it has sent"
    case .turn(.sentAfterCancellation, let id):
      "an action of effect \(id), which was canceled before"
    case .turn(.cancelledTwice, let id): "effect \(id), which was canceled before"
    case .laterCause(let seq): "sent while action \(seq) was handled, which comes later"
    case .cancelledByNoAction(let id, let seq, let last):
      "effect \(id), canceled by action \(seq), which is not before it; expected "
        + (last == 0 ? "an action before it" : "one of the actions through \(last)")
    case .wrongEnd(let seq, let last): "the end after action \(seq); expected action \(last)"
    }
  }

  private static func found(_ json: JSON?) -> String {
    json.map { Notation().value($0) } ?? "nothing"
  }

  static func sound(_ lines: Int, _ actions: Int, isClosed: Bool) -> String {
    let text = "sound, \(counted(lines, "line")), \(self.actions(actions))"
    return isClosed ? text : text + ", not closed"
  }

  static func notReadBack(_ errors: [UncomparedValue]) -> String {
    "read back as LoggedError: \(UncomparedValue.list(errors))"
  }

  static func problems(_ count: Int) -> String { counted(count, "problem") }

  static func unlisted(_ count: Int) -> String {
    "\(problems(count)) more after these; repair these first"
  }

  static func glued(line: Int, _ count: Int) -> String {
    "line \(line) is not one event but \(count): the line feeds between them are missing; --repair puts them there"
  }

  static func tornStart(_ count: Int) -> String {
    count == 1
      ? "a whole event follows without a line feed before it"
      : "\(count) whole events follow without a line feed before them"
  }

  static func tornTail(_ tail: LogReader.TornTail) -> String {
    "\(tornText(tail)) not a whole event: the writer was stopped"
  }

  /// Returns a phrase such as `the last 8 bytes are`, for a log that ends in the middle of an event.
  package static func tornText(_ tail: LogReader.TornTail) -> String {
    tail.bytes == 1 ? "the last byte is" : "the last \(tail.bytes) bytes are"
  }

  static func repaired(_ path: String, actions: Int, of all: Int) -> String {
    "\(path == "-" ? standardOutput : path): \(actions) of \(self.actions(all)) kept"
  }
}
