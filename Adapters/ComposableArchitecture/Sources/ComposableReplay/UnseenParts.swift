import ActionLog

/// What the library does not show, so that no verdict says anything of it.
enum UnseenParts {
  /// A finding for each.
  static func all(at seq: Int) -> [LogEvent.Finding] {
    [
      "the ids by which effects are cancelled, and what cancelled them",
      "the parts of merged and concatenated effects",
      "the actions of .send, which are replayed as recorded",
      "the answers of dependency clients to reducers",
    ]
    .map { finding($0, at: seq) }
  }

  /// A finding for the effects of an action after the replay began in mid-presentation.
  static func effects(ofAction seq: Int) -> LogEvent.Finding {
    finding(
      "the effects of action \(seq), with which presentations go on that began earlier",
      of: JSON.Pointer(["\(seq)"]),
      at: seq
    )
  }

  // The place is that of an action; it is empty for what no log shows, which a run says once.
  private static func finding(
    _ text: String,
    of place: JSON.Pointer = JSON.Pointer(),
    at seq: Int
  ) -> LogEvent.Finding {
    let value = UncomparedValue(.opaque, in: .effects, at: place, type: text)
    return LogEvent.Finding(seq: seq, code: .opaque, subject: text, expected: value.json)
  }
}
