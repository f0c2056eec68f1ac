import ActionLog

/// Properties that the library does not reveal, so that no verdict covers them.
enum UnseenParts {
  /// Returns a finding for each property.
  static func all(at seq: Int) -> [LogEvent.Finding] {
    [
      "the ids by which effects are canceled, and what canceled them",
      "the parts of merged and concatenated effects",
      "the actions of .send, which are replayed as recorded",
      "the answers of dependency clients to reducers, other than endpoints with .reading",
    ]
    .map { finding($0, at: seq) }
  }

  /// Returns a finding for the effects of an action after a replay that began during a presentation.
  static func effects(ofAction seq: Int) -> LogEvent.Finding {
    finding(
      "the effects of action \(seq), with which presentations go on that began earlier",
      of: JSON.Pointer(["\(seq)"]),
      at: seq
    )
  }

  // The path of an action, or empty for properties that no log contains. A run reports the latter once.
  private static func finding(
    _ text: String,
    of place: JSON.Pointer = JSON.Pointer(),
    at seq: Int
  ) -> LogEvent.Finding {
    let value = UncomparedValue(.opaque, in: .effects, at: place, type: text)
    return LogEvent.Finding(seq: seq, code: .opaque, subject: text, expected: value.json)
  }
}
