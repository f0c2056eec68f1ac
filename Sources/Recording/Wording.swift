import ActionLog

/// The messages of the recorder.
enum Wording {
  static func limit(_ count: Int, _ noun: String, a window: String) -> String {
    "the recorder's limit of \(count) \(noun)\(count == 1 ? "" : "s") a \(window) is reached"
  }

  /// Returns a message that reports a masked text which remains visible as the raw value of an enum.
  static func rawPlace(_ place: LogMasker.MaskedRawValuePath, of feature: String) -> String {
    let subject = place.subject.rawValue
    return
      "the log of \(feature) has the raw value of an enum in the \(subject) at \(Notation.visible(place.path.description)) that is equal to a"
      + " masked text or contains one. Masks leave raw values as they are; add the pattern to the \(subject) masks if the value is secret."
  }

  /// Returns a message that reports an earlier line with a text that was masked later.
  ///
  /// The message doesn't contain the text.
  static func earlierLine(
    _ number: Int,
    of path: String,
    maskedBy option: (name: String, pattern: MaskPath)?
  ) -> String {
    let found =
      "line \(number) of \(Notation.visible(path)) shows a text that is masked by now: it was written before the text came to a"
      + " masked place."
    guard let option else {
      return "\(found) No pattern leads there; take the line out before you share the log."
    }
    return
      "\(found) 'tca-replay mask \(ShellWord.quoted(path)) \(option.name)"
      + " \(ShellWord.quoted("\(option.pattern)")) -o masked.jsonl' makes a log without it."
  }
}
