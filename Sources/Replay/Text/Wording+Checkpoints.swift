import ActionLog

/// Messages about checkpoints that contradict the preceding events.
extension Wording {
  package static func describe(_ contradiction: CheckpointEffectContradiction) -> String {
    let id = contradiction.id
    return switch contradiction.problem {
    case .missing: "the checkpoint lacks effect \(id); expected it, because it is alive there"
    case .added: "the checkpoint has effect \(id); expected only effects that are alive there"
    case .cancelled(true):
      "the checkpoint has effect \(id) as canceled; expected it as the events before tell: not canceled"
    case .cancelled(false):
      "the checkpoint has effect \(id) as not canceled; expected it as the events before tell: canceled"
    }
  }

  static func wrongStackElement(_ number: Int, expected: Int) -> String {
    "the checkpoint says that the next element of a stack gets the number \(number); expected \(expected)"
  }

  package static func afterEnd(_ kind: String) -> String {
    "an event '\(Notation.visible(kind))' after the end; expected a header or nothing"
  }
}
