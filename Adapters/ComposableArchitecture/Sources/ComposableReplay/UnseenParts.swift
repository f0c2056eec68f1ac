import ActionLog

/// What the library does not show, so that no verdict says anything of it.
enum UnseenParts {
  /// A finding for each.
  static func all(at seq: Int) -> [LogEvent.Finding] {
    [
      "the ids by which effects are cancelled, and what cancelled them",
      "the parts of merged and concatenated effects",
      "the actions of .send before they come",
      "the answers of dependency clients",
    ]
    .map { finding($0, at: seq) }
  }

  /// A finding for the effects of an action after the replay began in mid-presentation.
  static func effects(ofAction seq: Int) -> LogEvent.Finding {
    finding(
      "the effects of action \(seq), with which presentations go on that began earlier",
      at: seq
    )
  }

  private static func finding(_ text: String, at seq: Int) -> LogEvent.Finding {
    let value = UncomparedValue(.opaque, in: .effects, at: JSON.Pointer(), type: text)
    return LogEvent.Finding(seq: seq, code: .opaque, subject: text, expected: value.json)
  }
}
