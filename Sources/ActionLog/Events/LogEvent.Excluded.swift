extension LogEvent {
  /// An action that a filter of the recording left out: what caused it and what came of it, but not the action itself.
  ///
  /// To a replay it is an input: its patch is applied, its effects count as started, and nothing is reduced.
  public struct Excluded: Sendable, Equatable {
    /// The action's number among all actions.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// What sent the action.
    public var origin: Origin
    /// What the reducer changed.
    public var patch: JSON.Patch
    /// The effects that the reducer returned.
    public var effects: [EffectDescription]
    /// Which places of the state behind it hold one and the same shared value, or parts of it; nil when none do.
    public var shared: JSON?
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// An action that was left out.
    public init(
      seq: Int,
      at: Int,
      origin: Origin,
      patch: JSON.Patch,
      effects: [EffectDescription] = [],
      shared: JSON? = nil
    ) {
      self.seq = seq
      self.at = at
      self.origin = origin
      self.patch = patch
      self.effects = effects
      self.shared = shared
    }

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.optional("at", "a whole number") { $0.int } ?? 0
      origin = try members.required("origin", Origin.expected) { Origin(json: $0) }
      patch = try members.required("patch", "a JSON Patch (RFC 6902)") { try? JSON.Patch(json: $0) }
      effects = try members.effects()
      shared = try members.shared()
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("excluded")
      encoder.field("seq", seq)
      encoder.field("at", at)
      encoder.field("origin", origin.json)
      encoder.field("patch", patch.json)
      if !effects.isEmpty { encoder.field("effects", effects) }
      encoder.field("shared", ifPresent: shared)
      encoder.endEvent(rest)
    }
  }
}
