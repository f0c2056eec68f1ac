extension LogEvent {
  /// The whole state at a place in the log: where a replay can begin.
  public struct Checkpoint: Sendable, Equatable {
    /// The action after which this is the state; 0 before the first one.
    public var seq: Int
    /// The state.
    public var state: JSON
    /// The effects that are alive, as they were described when they were started.
    public var effects: [EffectDescription]
    /// The id that the next element of a stack gets, by its number.
    public var nextStackElement: Int?
    /// Which places of the state hold one and the same shared value, or parts of it; nil when none do.
    public var shared: JSON?
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// A checkpoint.
    public init(
      seq: Int,
      state: JSON,
      effects: [EffectDescription] = [],
      nextStackElement: Int? = nil,
      shared: JSON? = nil
    ) {
      self.seq = seq
      self.state = state
      self.effects = effects
      self.nextStackElement = nextStackElement
      self.shared = shared
    }

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      state = try members.required("state", "a value") { $0 }
      effects = try members.effects()
      nextStackElement = try members.optional("nextStackElement", "a whole number from 0") {
        $0.int.flatMap { $0 < 0 ? nil : $0 }
      }
      shared = try members.shared()
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("checkpoint")
      encoder.field("seq", seq)
      encoder.field("state", state)
      encoder.field("effects", effects)
      encoder.field("nextStackElement", ifPresent: nextStackElement)
      encoder.field("shared", ifPresent: shared)
      encoder.endEvent(rest)
    }
  }
}

extension EventMembers {
  /// What a member `shared` says of shared values.
  func shared() throws(LogEvent.SyntaxError) -> JSON? {
    try optional("shared", "an array of places") { $0.array == nil ? nil : $0 }
  }

  /// The descriptions of effects in a member `effects`, which may be left out when there are none.
  func effects() throws(LogEvent.SyntaxError) -> [EffectDescription] {
    guard let json = json("effects") else { return [] }
    guard let elements = json.array else { throw error("effects", "an array of effects") }
    var effects: [EffectDescription] = []
    for element in elements { effects.append(try EffectDescription(json: element)) }
    return effects
  }
}
