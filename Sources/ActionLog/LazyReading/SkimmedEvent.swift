/// An event with its values left as text: for who counts events, or follows the state from one to the next.
///
/// The text stands where the line was read into, until the next event is asked for. What is large and rare stands elsewhere, for
/// events are handed on by copying them.
package enum SkimmedEvent {
  /// An action.
  case action(Action)
  /// A value that the reducer asked for.
  case read(Read)
  /// What the reducer made of an action.
  case change(Change)
  /// A turn in the life of an effect.
  indirect case effect(LogEvent.Effect)
  /// The whole state.
  case checkpoint(Checkpoint)
  /// Any other event, and any that is written in another way than recorders write.
  indirect case whole(LogEvent)

  /// JSON text without blanks around it.
  package typealias Text = UnsafeBufferPointer<UInt8>

  /// An action without its value.
  package struct Action {
    package let seq: Int
    package let at: Int
    package let origin: LogEvent.Origin
    package let action: Text
  }

  /// A read without the answer.
  package struct Read {
    package let seq: Int
    package let key: String
    package let value: Text
  }

  /// A change without the values of its patch.
  package struct Change {
    package let seq: Int
    package let patch: PatchText
    package let effects: EffectTexts
    package let us: Int?
  }

  /// A checkpoint without its state.
  package struct Checkpoint {
    package let seq: Int
    package let state: Text
    package let effects: EffectTexts
  }
}

/// The name and number of an effect that was described.
package struct SkimmedEffect {
  package let id: EffectID?
  /// The name that the app gave it.
  package let name: String?
  package let operation: EffectDescription.Operation

  /// Of a description.
  package init(_ effect: EffectDescription) {
    (id, name, operation) = (effect.id, effect.name, effect.operation)
  }

  /// Of a description that is text.
  package init(_ effect: EffectText) {
    id = effect.id
    name = effect.name.map { String(decoding: $0, as: UTF8.self) }
    operation = effect.operation
  }
}

extension SkimmedEvent {
  /// The event's name in its `kind` member.
  package var kind: String {
    switch self {
    case .action: "action"
    case .read: "read"
    case .change: "change"
    case .effect: "effect"
    case .checkpoint: "checkpoint"
    case .whole(let event): event.kind
    }
  }

  /// The sequence number that the event carries, when it carries one.
  package var seq: Int? {
    switch self {
    case .action(let event): event.seq
    case .read(let event): event.seq
    case .change(let event): event.seq
    case .effect: nil
    case .checkpoint(let event): event.seq
    case .whole(let event): event.seq
    }
  }
}

extension LogReader {
  /// An event without its values, and where it stands.
  package struct SkimmedEntry {
    /// The line, counted from 1.
    package let line: Int
    /// The event.
    package let event: SkimmedEvent
    /// How many bytes the line has, without its end.
    package let bytes: Int
    /// The line, where it is written as recorders write.
    package let text: SkimmedEvent.Text?
  }

  /// The next event without its values; `nil` behind the last whole one.
  ///
  /// - Throws: `LogReadError` with the line that is no event, for the same lines as `next()`.
  package mutating func nextSkimmed() throws(LogReadError) -> SkimmedEntry? {
    let entry = try next(
      plain: { text in SkimmedEvent(text).map { (event: $0, text: Optional(text)) } },
      other: { (event: .whole($0), text: nil) }
    )
    return entry.map {
      SkimmedEntry(line: line, event: $0.event.event, bytes: $0.bytes, text: $0.event.text)
    }
  }
}

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
