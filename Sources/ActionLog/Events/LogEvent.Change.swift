extension LogEvent {
  /// What the reducer made of an action.
  public struct Change: Sendable, Equatable {
    /// The action.
    public var seq: Int
    /// What turns the state before the action into the state after it.
    public var patch: JSON.Patch {
      get { logged.patch }
      set { logged = .patch(newValue) }
    }
    /// The effects that the reducer returned.
    public var effects: [EffectDescription]
    /// How long the reducer took, in microseconds.
    public var us: Int?
    /// Members that this version does not know.
    public var rest: JSON.Object {
      get { unknown.object }
      set { unknown.object = newValue }
    }
    /// The patch, which may still be text.
    package var logged: LoggedPatch
    private var unknown = UnknownMembers()

    /// A change.
    public init(seq: Int, patch: JSON.Patch, effects: [EffectDescription] = [], us: Int? = nil) {
      self.init(seq: seq, logged: .patch(patch), effects: effects, us: us)
    }

    /// A change whose patch may still be text.
    package init(
      seq: Int,
      logged: LoggedPatch,
      effects: [EffectDescription] = [],
      us: Int? = nil
    ) {
      self.seq = seq
      self.logged = logged
      self.effects = effects
      self.us = us
    }

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      logged = .patch(
        try members.required("patch", "a JSON Patch (RFC 6902)") { try? JSON.Patch(json: $0) }
      )
      effects = try members.effects()
      us = try members.optional("us", "a whole number") { $0.int }
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("change")
      encoder.field("seq", seq)
      encoder.field("patch", logged)
      if !effects.isEmpty { encoder.field("effects", effects) }
      encoder.field("us", ifPresent: us)
      encoder.endEvent(rest)
    }
  }
}
