// The events of which there is one for each action, written without a tree of their values.
extension LogEncoder {
  /// Writes the line of an action.
  package mutating func writeAction(seq: Int, at: Int, origin: LogEvent.Origin, _ action: some Any)
  {
    beginEvent("action")
    field("seq", seq)
    field("at", at)
    key(unescaped: "origin")
    if case .view = origin { encode("view") } else { value(origin.json) }
    key(unescaped: "action")
    value(action)
    endEvent()
    endLine()
  }

  /// Writes the line of a read.
  package mutating func writeRead(seq: Int, key name: String, _ value: some Any) {
    beginEvent("read")
    field("seq", seq)
    field("key", name)
    key(unescaped: "value")
    self.value(value)
    endEvent()
    endLine()
  }

  /// Begins the line of a change, up to the array of the patch's operations.
  package mutating func beginChange(seq: Int) {
    beginEvent("change")
    field("seq", seq)
    key(unescaped: "patch")
    beginArray()
  }

  /// Ends the line of a change behind the patch's operations.
  package mutating func endChange(effects: [EffectDescription], us: Int) {
    endArray()
    if !effects.isEmpty { field("effects", effects) }
    field("us", us)
    endEvent()
    endLine()
  }

  private mutating func field(_ name: String, _ value: Int) {
    key(unescaped: name)
    encode(value)
  }

  private mutating func field(_ name: String, _ value: String) {
    key(unescaped: name)
    encode(value)
  }
}
