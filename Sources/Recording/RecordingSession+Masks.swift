import ActionLog
import Synchronization

extension RecordingSession {
  /// What an action has changed and started, without what is masked.
  ///
  /// - Parameters:
  ///   - patch: What has changed in the state.
  ///   - effects: The effects that were started.
  ///   - old: The state before that; where others may change it, what stands in its place is not looked at.
  ///   - new: The state.
  /// - Returns: The patch and the effects as they may be written.
  func masked<State>(
    _ patch: JSON.Patch,
    _ effects: [EffectDescription],
    from old: State,
    to new: State
  ) -> (patch: JSON.Patch, effects: [EffectDescription]) {
    let masked = contents.withLock { $0.mask(patch, effects) }
    if let sound = masked.patch {
      guard let lesson = masked.lesson else { return (sound, masked.effects) }
      // A value that was learned just now may show in parts of the state that nothing has changed, and those were there
      // before. Where it was, it may be in what has changed alone.
      let (masker, version) = lesson
      let wasThere =
        !isOnlyWriter || masker.shows(since: version, in: LogEncoder(writing: old).take())
      if !wasThere
        || !masker.shows(since: version, in: LogEncoder(writing: new).take(), besides: patch)
      {
        contents.withLock { $0.stateVersion = masker.version }
        return (sound, masked.effects)
      }
    }
    // What lies behind references shows in the old state, too.
    let isPlain = contents.withLock { $0.tracker?.isPlain == true }
    let before = isPlain ? JSON(logging: old) : nil
    let after = JSON(logging: new)
    return (contents.withLock { $0.mask(after, from: before) }, masked.effects)
  }

  /// Adds an event that was masked in its parts.
  func writeMasked(_ event: LogEvent) {
    contents.withLock { $0.write(masked: event) }
  }

  /// The places of shared values in a state, as they may be written.
  func places<State>(in state: State) -> JSON? {
    guard !contents.withLock({ $0.tracker?.isPlain == true }),
      let shared = model.sharedPlaces(in: state)
    else { return nil }
    guard isMasked else { return shared }
    let json = JSON(logging: state)
    return contents.withLock { $0.mask(shared, of: json) }
  }
}

extension SessionContents {
  /// What came of an action, without what is masked.
  struct Masked: Sendable {
    /// What has changed; nil when that can only be told by all of the state.
    var patch: JSON.Patch?
    var effects: [EffectDescription]
    /// The masker, when it has learned something since the state was last written, and how much it knew then.
    var lesson: (masker: LogMasker, version: Int)?
  }

  mutating func mask(_ patch: JSON.Patch, _ effects: [EffectDescription]) -> Masked {
    guard masker != nil else { return Masked(patch: patch, effects: effects) }
    // First what they teach.
    var result = Masked(effects: effects.isEmpty ? [] : masker?.masked(effects) ?? [])
    result.patch = masker?.masked(patch)
    if let masker, masker.version != stateVersion { result.lesson = (masker, stateVersion) }
    return result
  }

  /// Compares a state with the one before it, or writes it as a whole.
  mutating func mask(_ state: JSON, from old: JSON?) -> JSON.Patch {
    let before = old.flatMap { masker?.masked(state: $0, asOf: stateVersion) }
    let after = masker?.masked(state: state) ?? .null
    stateVersion = masker?.version ?? 0
    guard let before else { return JSON.Patch([.replace(JSON.Pointer(), after)]) }
    return JSON.Patch(from: before, to: after)
  }

  mutating func mask(_ shared: JSON, of state: JSON) -> JSON? {
    guard let masked = masker?.masked(state: state) else { return nil }
    return masker?.masked(shared: shared, of: masked)
  }

  /// Takes note of a value that is not written.
  mutating func learn(_ json: JSON, in subject: LogMasks.Subject, key: String? = nil) {
    masker?.learn(json, in: subject, key: key)
  }
}
