import ActionLog

/// Applies the masks of a session: whatever the session writes goes through here first.
struct SessionMasks: Sendable {
  private var masker: LogMasker?
  /// How much the masker knew when the state was last written: what it has learned since then, the log's state shows.
  private var stateVersion = 0

  init(_ configuration: RecorderConfiguration) {
    guard !configuration.masks.isEmpty else { return }
    masker = LogMasker(configuration.masks, secret: configuration.maskSecret)
  }

  /// The masks that have matched nothing so far, such as `state /user/emial`.
  var unmatched: [String] {
    masker?.unmatched.map { "\($0.subject.rawValue) \($0.path)" } ?? []
  }

  /// An event without what is masked.
  mutating func masked(_ event: LogEvent) -> LogEvent { masker?.masked(event) ?? event }

  /// The change and the effects of an action without what is masked.
  mutating func masked(_ patch: JSON.Patch, _ effects: [EffectDescription]) -> MaskedChange {
    guard masker != nil else { return MaskedChange(patch: patch, effects: effects) }
    // The effects come first, because the masker learns from them.
    var result = MaskedChange(effects: effects.isEmpty ? [] : masker?.masked(effects) ?? [])
    result.patch = masker?.masked(patch)
    if let masker, masker.version != stateVersion { result.learned = (masker, stateVersion) }
    return result
  }

  /// The change from a state to the next one without what is masked; of an unknown old state the whole new one.
  mutating func change(from old: JSON?, to state: JSON) -> JSON.Patch {
    let before = old.flatMap { masker?.masked(state: $0, asOf: stateVersion) }
    let after = masker?.masked(state: state) ?? .null
    noteStateWritten()
    guard let before else { return JSON.Patch([.replace(JSON.Pointer(), after)]) }
    return JSON.Patch(from: before, to: after)
  }

  /// The places of shared values without what is masked.
  mutating func masked(shared: JSON, of state: JSON) -> JSON? {
    guard let masked = masker?.masked(state: state) else { return nil }
    return masker?.masked(shared: shared, of: masked)
  }

  /// Takes note of a value that is not written, so that it is not written later either.
  mutating func learn(_ json: JSON, in subject: LogMasks.Subject, key: String? = nil) {
    masker?.learn(json, in: subject, key: key)
  }

  /// Takes note that the log's state shows nothing that the masker knows now.
  mutating func noteStateWritten() { stateVersion = masker?.version ?? 0 }

  /// Takes note that the log's state shows nothing that a masker of this version knew.
  mutating func noteStateWritten(version: Int) { stateVersion = version }
}

/// The change and the effects of an action, without what is masked.
struct MaskedChange: Sendable {
  /// What has changed; nil when only the whole state can tell.
  var patch: JSON.Patch?
  var effects: [EffectDescription]
  /// The masker, when it has learned something since the state was last written, and how much it knew then.
  var learned: (masker: LogMasker, version: Int)?
}
