extension LogEvent {
  /// What the reducer made of an action.
  public struct Change: Sendable, Equatable {
    /// The action.
    public var seq: Int
    /// What turns the state before the action into the state after it.
    public var patch: JSON.Patch
    /// The effects that the reducer returned.
    public var effects: [EffectDescription]
    /// How long the reducer took, in microseconds.
    public var us: Int?
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// A change.
    public init(seq: Int, patch: JSON.Patch, effects: [EffectDescription] = [], us: Int? = nil) {
      self.seq = seq
      self.patch = patch
      self.effects = effects
      self.us = us
    }

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      patch = try members.required("patch", "a JSON Patch (RFC 6902)") { try? JSON.Patch(json: $0) }
      effects = try members.effects()
      us = try members.optional("us", "a whole number") { $0.int }
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("change")
      encoder.field("seq", seq)
      encoder.field("patch", patch.json)
      if !effects.isEmpty { encoder.field("effects", effects) }
      encoder.field("us", ifPresent: us)
      encoder.endEvent(rest)
    }
  }
}
