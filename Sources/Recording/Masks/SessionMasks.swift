import ActionLog

/// Applies the masks of a session: whatever the session writes goes through here first.
///
/// Where a text goes, a reducer decides. So what an action shows of texts that might go into a masked place waits until the
/// reducer has returned, and with it all that happens meanwhile and shows such texts.
struct SessionMasks: Sendable {
  private var masker: LogMasker?
  /// How much the masker knew when the state was last written: what it has learned since then, the log's state shows.
  private var stateVersion = 0
  /// How much it knew when earlier lines were last searched for what it has learned.
  private var searchedVersion = 0
  /// The action that is being reduced.
  private var open: OpenAction?
  /// The last calls as they were made, and how much the masker knew when they were last looked at: what a call has given
  /// comes to a masked place with a later action.
  private var calls = (recent: [LogEvent.Call](), version: 0)
  private static let mostCalls = 16
  /// The number of places of raw values that were reported.
  private var reportedRawPlaces = 0

  private struct OpenAction {
    /// The action as it was sent, when it is written, or was to be.
    let event: LogEvent.Action?
    let isWithheld: Bool
    /// What has happened since and waits.
    var waiting: [LogEvent] = []
    /// All that the reducer has read, when something of it waits.
    var reads: [LogEvent.Read] = []
  }

  init(_ configuration: RecorderConfiguration) {
    guard !configuration.masks.isEmpty else { return }
    masker = LogMasker(configuration.masks, secret: configuration.maskSecret, isMarked: true)
  }

  /// The masks that have matched nothing so far, such as `state /user/emial`.
  var unmatched: [String] {
    masker?.unmatched.map { "\($0.subject.rawValue) \($0.path)" } ?? []
  }

  /// Takes note of a value that is not written, so that it is not written later either.
  mutating func learn(_ json: JSON, in subject: LogMasks.Subject, key: String? = nil) {
    masker?.learn(json, in: subject, key: key)
  }
}

extension SessionMasks {
  /// Begins an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - cases: The names of the cases that lead to it.
  /// - Returns: What is written before the reducer runs.
  mutating func startAction(_ action: LogEvent.Action, cases: [String]) -> LogEvent {
    guard let masked = masker?.masked(.action(action)) else { return .action(action) }
    let isClear = masker?.isClear(action.action, in: .action) != false
    open = OpenAction(event: action, isWithheld: !isClear)
    if isClear { return masked }
    return .withheld(
      LogEvent.Withheld(seq: action.seq, at: action.at, origin: action.origin, cases: cases)
    )
  }

  /// Begins an action that is left out of the log.
  mutating func beginExcluded(_ action: JSON) {
    guard masker != nil else { return }
    learn(action, in: .action)
    open = OpenAction(event: nil, isWithheld: false)
  }

  /// An event without what is masked; `nil` when it waits for the end of the action.
  mutating func admitted(_ event: LogEvent) -> LogEvent? {
    guard let masked = masker?.masked(event) else { return event }
    if case .call(let call) = event {
      calls.recent.append(call)
      if calls.recent.count > Self.mostCalls { calls.recent.removeFirst() }
    }
    guard let action = open else { return masked }
    // The order is that of the events.
    guard !action.isWithheld, action.waiting.isEmpty, isClear(event) else {
      open?.waiting.append(event)
      if case .read(let read) = event { open?.reads.append(read) }
      return nil
    }
    return masked
  }

  private func isClear(_ event: LogEvent) -> Bool {
    guard let masker else { return true }
    switch event {
    case .read(let read):
      return masker.isClear(read.key) && masker.isClear(read.value, in: .read, key: read.key)
    case .effect(let effect):
      guard case .failed(let error) = effect.event else { return true }
      return masker.isClear(error)
    case .call(let call): return masker.isClear(call)
    case .note(let note): return masker.isClear(note.text)
    case .gap(let gap): return masker.isClear(gap.reason)
    // What the session writes of the state comes when no action is open.
    default: return false
    }
  }

  /// Gives up the action, which will have no change in this log, and all that waits for that.
  mutating func abandon() { open = nil }

  /// Ends the action: its change is known.
  ///
  /// - Returns: What has waited, without what is masked.
  mutating func endAction() -> [LogEvent] {
    guard let action = open.take(), masker != nil else { return [] }
    var events: [LogEvent] = []
    if let event = action.event, action.isWithheld {
      masker?.noteCarriers(in: event.action, .action)
      events.append(.action(event))
    }
    for read in action.reads { masker?.noteCarriers(in: read.value, .read, key: read.key) }
    if let version = masker?.version, version != calls.version {
      for call in calls.recent { masker?.noteCarriers(in: call) }
      calls.version = version
    }
    return (events + action.waiting).map { masker?.masked($0) ?? $0 }
  }
}

extension SessionMasks {
  /// The change of an action without what is masked.
  mutating func masked(_ patch: JSON.Patch, _ effects: [EffectDescription]) -> MaskedChange {
    guard masker != nil else { return MaskedChange(patch: patch) }
    // The masker learns from the effects, which are written when all is known.
    if !effects.isEmpty { _ = masker?.masked(effects) }
    var result = MaskedChange(patch: masker?.masked(patch))
    // The log's state has another name there.
    if masker?.changesNames(of: patch, since: stateVersion) == true { result.patch = nil }
    if let masker, masker.version != stateVersion { result.learned = (masker, stateVersion) }
    return result
  }

  /// The effects of an action without what is masked.
  mutating func masked(_ effects: [EffectDescription]) -> [EffectDescription] {
    effects.isEmpty ? [] : masker?.masked(effects) ?? effects
  }

  /// The change from a state to the next one without what is masked; of an unknown old state the whole new one.
  mutating func change(from old: JSON?, to state: JSON) -> JSON.Patch {
    let before = old.flatMap { masker?.masked(state: $0, asOf: stateVersion) }
    let after = masker?.masked(state: state) ?? .null
    noteStateWritten()
    guard let before, let masker else {
      return JSON.Patch([.replace(JSON.Pointer(), after)])
    }
    return masker.patch(from: before, to: after)
  }

  /// The places of shared values without what is masked.
  mutating func masked(shared: JSON, of state: JSON) -> JSON? {
    guard let masked = masker?.masked(state: state) else { return nil }
    return masker?.masked(shared: shared, of: masked)
  }

  /// Takes note that the log's state shows nothing that the masker knows now.
  mutating func noteStateWritten() { stateVersion = masker?.version ?? 0 }

  /// Takes note that the log's state shows nothing that a masker of this version knew.
  mutating func noteStateWritten(version: Int) { stateVersion = version }

  /// Whether so many texts are known that those are to be forgotten that the state does not have any more.
  var isOverfull: Bool { masker?.isOverfull == true }

  /// Forgets texts that the state does not have.
  mutating func forget(besides state: JSON) { masker?.forget(besides: state) }

  /// The texts that were learned since they were last asked for.
  mutating func takeNewTexts() -> [[UInt8]] {
    guard let masker, masker.version != searchedVersion else { return [] }
    defer { searchedVersion = masker.version }
    return masker.texts(since: searchedVersion)
  }
}

extension SessionMasks {
  /// The places of raw values that show a masked text, as far as they were not returned before.
  mutating func takeNewRawPlaces() -> [LogMasker.RawPlace] {
    guard let places = masker?.rawPlaces, places.count > reportedRawPlaces else { return [] }
    defer { reportedRawPlaces = places.count }
    return Array(places[reportedRawPlaces...])
  }
}

/// The change of an action, without what is masked.
struct MaskedChange: Sendable {
  /// What has changed; nil when only the whole state can tell.
  var patch: JSON.Patch?
  /// The masker, when it has learned something since the state was last written, and how much it knew then.
  var learned: (masker: LogMasker, version: Int)?
}
