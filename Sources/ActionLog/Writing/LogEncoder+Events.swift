// Functions that write the events of an action without creating trees for the events' values.
extension LogEncoder {
  /// Writes the line of an `action` event.
  package mutating func writeAction<Action>(
    seq: Int,
    at: Int,
    origin: LogEvent.Origin,
    _ action: Action,
    by write: LogCoding<Action>.Encode,
    shared: () -> JSON?
  ) {
    verbatim(#"{"kind":"action","seq":"#)
    encode(seq)
    verbatim(#","at":"#)
    encode(at)
    verbatim(#","origin":"#)
    if case .view = origin { verbatim(#""view""#) } else { value(origin.json) }
    verbatim(#","action":"#)
    let written = SharedWriteCounter.count
    write(action, &self)
    if SharedWriteCounter.count != written, let shared = shared() {
      verbatim(#","shared":"#)
      value(shared)
    }
    verbatim("}\n")
  }

  /// Writes the line of a `read` event.
  package mutating func writeRead(seq: Int, key name: String, _ value: some Any) {
    verbatim(#"{"kind":"read","seq":"#)
    encode(seq)
    verbatim(#","key":"#)
    encode(name)
    verbatim(#","value":"#)
    self.value(value)
    verbatim("}\n")
  }

  /// Writes the line of a `change` event, up to the start of the patch's array.
  package mutating func beginChange(seq: Int) {
    verbatim(#"{"kind":"change","seq":"#)
    encode(seq)
    verbatim(#","patch":["#)
  }

  /// Writes the end of a `change` event's line, after the patch's operations.
  package mutating func endChange(effects: [EffectDescription], us: Int) {
    verbatim("]")
    if !effects.isEmpty {
      verbatim(#","effects":"#)
      value(effects)
    }
    verbatim(#","us":"#)
    encode(us)
    verbatim("}\n")
  }

  /// Writes the line of an `excluded` event, up to the start of the patch's array.
  package mutating func beginExcluded(seq: Int, at: Int, origin: LogEvent.Origin) {
    verbatim(#"{"kind":"excluded","seq":"#)
    encode(seq)
    verbatim(#","at":"#)
    encode(at)
    verbatim(#","origin":"#)
    value(origin.json)
    verbatim(#","patch":["#)
  }

  /// Writes the end of an `excluded` event's line, after the patch's operations.
  package mutating func endExcluded(effects: [EffectDescription], shared: JSON?) {
    verbatim("]")
    if !effects.isEmpty {
      verbatim(#","effects":"#)
      value(effects)
    }
    if let shared {
      verbatim(#","shared":"#)
      value(shared)
    }
    verbatim("}\n")
  }
}
