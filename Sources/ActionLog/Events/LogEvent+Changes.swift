extension LogEvent {
  /// The complete state at some point in the log, from which a replay can start.
  ///
  /// ```json
  /// {"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]}
  /// ```
  public struct Checkpoint: Sendable, Equatable {
    /// The number of the action before the checkpoint, or 0 before the first action.
    public var seq: Int
    /// The complete state as a JSON value.
    public var state: JSON {
      get { logged.json }
      set { logged = JSONText(newValue) }
    }
    /// The state, possibly as unparsed text.
    package var logged: JSONText
    /// The effects that have not ended at the checkpoint.
    ///
    /// Parts that have ended are omitted.
    public var effects: [EffectDescription]
    /// The id that the next stack element gets, counted from 0.
    ///
    /// `nil` if no element was pushed yet.
    ///
    /// ```swift
    /// checkpoint.nextStackElement  // 3, after screens with the ids 0, 1, and 2
    /// ```
    public var nextStackElement: Int?
    /// The paths in the state at which the same shared value, or parts of it, are found.
    ///
    /// `nil` if the state contains no shared value.
    public var shared: JSON?
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// Creates a checkpoint from a state and the effects that have not ended.
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

  /// The result of an action: the state's change and the effects.
  ///
  /// ```json
  /// {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}],"us":54}
  /// ```
  public struct Change: Sendable, Equatable {
    /// The number of the action that caused the change.
    public var seq: Int
    /// The patch from the state before the action to the state after it.
    public var patch: JSON.Patch {
      get { logged.patch }
      set { logged = PatchText(newValue) }
    }
    /// The effects that the reducer returned.
    public var effects: [EffectDescription]
    /// The time that the reducer took, in microseconds, if it was measured.
    public var us: Int?
    /// The members that this version doesn't know, kept for encoding.
    public var rest: JSON.Object {
      get { unknown.object }
      set { unknown.object = newValue }
    }
    /// The patch, possibly as unparsed text.
    package var logged: PatchText
    private var unknown = UnknownMembers()

    /// Creates the event of an action's result.
    public init(seq: Int, patch: JSON.Patch, effects: [EffectDescription] = [], us: Int? = nil) {
      self.init(seq: seq, logged: PatchText(patch), effects: effects, us: us)
    }

    /// Creates the event of an action's result, possibly from the unparsed text of a patch.
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

  /// A state change that no recorded action made: by a reducer around the recorded one, or through a shared value.
  ///
  /// A replay treats the change as input and applies it before the next action.
  ///
  /// ```json
  /// {"kind":"external","seq":4,"patch":[{"op":"replace","path":"/isCompact","value":true}]}
  /// ```
  public struct External: Sendable, Equatable {
    /// The number of the last action before the recorder noticed the change.
    public var seq: Int
    /// The time in microseconds since the start of the recording, when the recorder noticed the change.
    public var at: Int
    /// The patch from the state after action `seq` to the state before the next action.
    public var patch: JSON.Patch {
      get { logged.patch }
      set { logged = PatchText(newValue) }
    }
    /// The patch, possibly as unparsed text.
    package var logged: PatchText
    /// The paths in the changed state at which the same shared value, or parts of it, are found.
    ///
    /// `nil` if the state contains no shared value.
    public var shared: JSON?
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// Creates the event of a change from outside.
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

  /// An action that the recording's filter left out.
  ///
  /// The log has the action's origin and result, but not the action itself.
  ///
  /// A replay treats the event as input. It applies the patch and starts the effects without running the reducer.
  ///
  /// ```json
  /// {"kind":"excluded","seq":5,"at":1043580,"origin":{"effect":"4.0"},"patch":[{"op":"replace","path":"/count","value":2}]}
  /// ```
  public struct Excluded: Sendable, Equatable {
    /// The action's number.
    ///
    /// Excluded and other actions are numbered together, from 1.
    public var seq: Int
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The sender of the action.
    public var origin: Origin
    /// The patch from the state before the action to the state after it.
    public var patch: JSON.Patch {
      get { logged.patch }
      set { logged = PatchText(newValue) }
    }
    /// The patch, possibly as unparsed text.
    package var logged: PatchText
    /// The effects that the reducer returned.
    public var effects: [EffectDescription]
    /// The paths in the changed state at which the same shared value, or parts of it, are found.
    ///
    /// `nil` if the state contains no shared value.
    public var shared: JSON?
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// Creates the event of an excluded action.
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
