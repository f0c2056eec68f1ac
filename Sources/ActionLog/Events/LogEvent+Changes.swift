extension LogEvent {
  /// The whole state at a place in the log, from which a replay can begin.
  ///
  /// ```json
  /// {"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]}
  /// ```
  public struct Checkpoint: Sendable, Equatable {
    /// The action after which this is the state; 0 before the first one.
    public var seq: Int
    /// The state.
    public var state: JSON {
      get { logged.json }
      set { logged = JSONText(newValue) }
    }
    /// The state, which may still be text.
    package var logged: JSONText
    /// The effects that are alive, as they were described when they were started.
    public var effects: [EffectDescription]
    /// The id that the next element of a stack gets, by its number from 0; `nil` when none was pushed yet.
    ///
    /// ```swift
    /// checkpoint.nextStackElement  // 3, after screens with the ids 0, 1 and 2
    /// ```
    public var nextStackElement: Int?
    /// The places of the state that hold one and the same shared value, or parts of it; nil when none do.
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
      logged = JSONText(state)
      self.effects = effects
      self.nextStackElement = nextStackElement
      self.shared = shared
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      logged = try members.requiredText("state")
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
      encoder.field("state", logged)
      encoder.field("effects", effects)
      encoder.field("nextStackElement", ifPresent: nextStackElement)
      encoder.field("shared", ifPresent: shared)
      encoder.endEvent(rest)
    }
  }

  /// The outcome of an action: the change of the state and the effects.
  ///
  /// ```json
  /// {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}],"us":54}
  /// ```
  public struct Change: Sendable, Equatable {
    /// The action.
    public var seq: Int
    /// The patch from the state before the action to the state after it.
    public var patch: JSON.Patch {
      get { logged.patch }
      set { logged = PatchText(newValue) }
    }
    /// The effects that the reducer returned.
    public var effects: [EffectDescription]
    /// The time that the reducer took, in microseconds.
    public var us: Int?
    /// Members that this version does not know.
    public var rest: JSON.Object {
      get { unknown.object }
      set { unknown.object = newValue }
    }
    /// The patch, which may still be text.
    package var logged: PatchText
    private var unknown = UnknownMembers()

    /// A change.
    public init(seq: Int, patch: JSON.Patch, effects: [EffectDescription] = [], us: Int? = nil) {
      self.init(seq: seq, logged: PatchText(patch), effects: effects, us: us)
    }

    /// A change whose patch may still be text.
    package init(
      seq: Int,
      logged: PatchText,
      effects: [EffectDescription] = [],
      us: Int? = nil
    ) {
      self.seq = seq
      self.logged = logged
      self.effects = effects
      self.us = us
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      logged = try members.patch()
      effects = try members.effects()
      us = try members.number("us")
      unknown = members.unknown
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

  /// A change of the state that no recorded action made: by a reducer around the recorded one, or through a shared value.
  ///
  /// To a replay it is an input: it is applied before the next action.
  ///
  /// ```json
  /// {"kind":"external","seq":4,"patch":[{"op":"replace","path":"/isCompact","value":true}]}
  /// ```
  public struct External: Sendable, Equatable {
    /// The last action before the change was noticed.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// The patch from the state after that action to the state before the next one.
    public var patch: JSON.Patch {
      get { logged.patch }
      set { logged = PatchText(newValue) }
    }
    /// The patch, which may still be text.
    package var logged: PatchText
    /// The places of the state after it that hold one and the same shared value, or parts of it; nil when none do.
    public var shared: JSON?
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// A change from outside.
    public init(seq: Int, at: Int, patch: JSON.Patch, shared: JSON? = nil) {
      self.seq = seq
      self.at = at
      logged = PatchText(patch)
      self.shared = shared
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.number("at") ?? 0
      logged = try members.patch()
      shared = try members.shared()
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("external")
      encoder.field("seq", seq)
      encoder.field("at", at)
      encoder.field("patch", logged)
      encoder.field("shared", ifPresent: shared)
      encoder.endEvent(rest)
    }
  }

  /// An action that a filter of the recording left out: its origin and its outcome, but not the action itself.
  ///
  /// To a replay it is an input: its patch is applied, its effects count as started, and nothing is reduced.
  ///
  /// ```json
  /// {"kind":"excluded","seq":5,"at":1043580,"origin":{"effect":"4.0"},"patch":[{"op":"replace","path":"/count","value":2}]}
  /// ```
  public struct Excluded: Sendable, Equatable {
    /// The action's number among all actions.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// The sender of the action.
    public var origin: Origin
    /// The change that the reducer made.
    public var patch: JSON.Patch {
      get { logged.patch }
      set { logged = PatchText(newValue) }
    }
    /// The patch, which may still be text.
    package var logged: PatchText
    /// The effects that the reducer returned.
    public var effects: [EffectDescription]
    /// The places of the state after it that hold one and the same shared value, or parts of it; nil when none do.
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
      logged = PatchText(patch)
      self.effects = effects
      self.shared = shared
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.number("at") ?? 0
      origin = try members.required("origin", Origin.expected) { Origin($0) }
      logged = try members.patch()
      effects = try members.effects()
      shared = try members.shared()
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("excluded")
      encoder.field("seq", seq)
      encoder.field("at", at)
      encoder.field("origin", origin.json)
      encoder.field("patch", logged)
      if !effects.isEmpty { encoder.field("effects", effects) }
      encoder.field("shared", ifPresent: shared)
      encoder.endEvent(rest)
    }
  }
}
