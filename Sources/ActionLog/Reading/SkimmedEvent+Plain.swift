extension SkimmedEvent {
  /// Skims the line of an event in the form that recorders give it; `nil` for any other, and for what is no event.
  init?(_ line: Text) {
    var parser = JSON.Parser(bytes: line)
    parser.isCompact = true
    // The event itself.
    parser.depth = 1
    let event: SkimmedEvent?
    if parser.take(#"{"kind":"action","seq":"#) {
      event = parser.skimmedAction().map { .action($0) }
    } else if parser.take(#"{"kind":"change","seq":"#) {
      event = parser.skimmedChange().map { .change($0) }
    } else if parser.take(#"{"kind":"read","seq":"#) {
      event = parser.skimmedRead().map { .read($0) }
    } else if parser.take(#"{"kind":"effect","id":""#) {
      event = parser.plainEffect().map { .effect($0) }
    } else if parser.take(#"{"kind":"checkpoint","seq":"#) {
      event = parser.skimmedCheckpoint().map { .checkpoint($0) }
    } else {
      event = nil
    }
    guard let event, parser.position == line.count else { return nil }
    self = event
  }
}

extension JSON.Parser {
  fileprivate mutating func skimmedAction() -> SkimmedEvent.Action? {
    guard let seq = plainNumber(), take(#","at":"#), let at = plainNumber(), take(#","origin":"#),
      let origin = plainOrigin(), take(#","action":"#), let action = skippedValue(), take("}")
    else { return nil }
    return SkimmedEvent.Action(seq: seq, at: at, origin: origin, action: action)
  }

  fileprivate mutating func skimmedRead() -> SkimmedEvent.Read? {
    guard let seq = plainNumber(), take(#","key":""#), let key = plainText(),
      take(#","value":"#), let value = skippedValue(), take("}")
    else { return nil }
    return SkimmedEvent.Read(
      seq: seq,
      key: String(decoding: key, as: UTF8.self),
      value: value
    )
  }

  fileprivate mutating func skimmedChange() -> SkimmedEvent.Change? {
    guard let seq = plainNumber(), take(#","patch":"#), let patch = skimmedPatch() else {
      return nil
    }
    var effects = EffectTexts()
    var us: Int?
    if take(#","effects":"#) {
      guard let texts = effectTexts() else { return nil }
      effects = texts
    }
    if take(#","us":"#) {
      us = plainNumber()
      guard us != nil else { return nil }
    }
    guard take("}") else { return nil }
    return SkimmedEvent.Change(seq: seq, patch: patch, effects: effects, us: us)
  }

  fileprivate mutating func skimmedCheckpoint() -> SkimmedEvent.Checkpoint? {
    guard let seq = plainNumber(), take(#","state":"#), let state = skippedValue(),
      take(#","effects":"#), let effects = effectTexts()
    else { return nil }
    if take(#","nextStackElement":"#), plainNumber() == nil { return nil }
    if take(#","shared":"#) {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "["), skipValue() else {
        return nil
      }
    }
    guard take("}") else { return nil }
    return SkimmedEvent.Checkpoint(seq: seq, state: state, effects: effects)
  }

  /// A string without escapes and in ASCII whose opening quote has been taken.
  mutating func plainText() -> UnsafeBufferPointer<UInt8>? {
    let start = position
    // What is not UTF-8 is found out the long way.
    guard passPlainBytes(), take(UInt8(ascii: "\"")) else { return nil }
    return UnsafeBufferPointer(rebasing: bytes[start..<(position - 1)])
  }
}
