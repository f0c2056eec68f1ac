import ActionLog

/// The masks that a session applies to each event before it is written.
///
/// A reducer can store any text of an action in a masked path. An event with such a text is therefore withheld until
/// the reducer has returned and the masker knows the new state.
struct SessionMasker: Sendable {
  private var masker: LogMasker?
  /// The masker's version when the state was last written.
  ///
  /// The state in the log may contain texts that the masker has learned since then.
  private var stateVersion = 0
  /// The texts of the state outside masked paths, since the last checkpoint that restarted the filter.
  ///
  /// They include those that the masker removes from the log, because a text that it learns later can overlap them.
  private var stateTexts: WrittenTextFilter?
  /// The masker's version when earlier lines were last searched.
  private var searchedVersion = 0
  /// The action that the reducer is handling, or `nil` between actions.
  private var open: OpenAction?
  /// The most recent calls before masking, and the masker's version when these calls were last scanned.
  ///
  /// A later action can store a call's result in a masked path.
  private var calls = (recent: [LogEvent.Call](), version: 0)
  private static let mostCalls = 16
  /// The number of paths with raw values that have already been reported.
  private var reportedRawPlaces = 0

  private struct OpenAction {
    /// The action before masking, or `nil` if a filter excludes the action.
    let event: LogEvent.Action?
    let isWithheld: Bool
    /// The events that are withheld until the action ends.
    var waiting: [LogEvent] = []
    /// The reads among the withheld events.
    var reads: [LogEvent.Read] = []
  }

  init(_ configuration: RecorderConfiguration) {
    guard !configuration.masks.isEmpty else { return }
    masker = LogMasker(configuration.masks, secret: configuration.maskSecret, isMarked: true)
  }

  /// Learns the secrets in a state, before the first line is written.
  mutating func start(with state: JSON) { restartStateTexts(with: state) }

  private mutating func restartStateTexts(with state: JSON) {
    guard let state = masker?.substituted(state: state) else { return }
    restartStateTexts(withSubstituted: state)
  }

  private mutating func restartStateTexts(withSubstituted state: JSON) {
    // The old filter is released first, so that its memory is not needed twice.
    stateTexts = nil
    var texts = WrittenTextFilter()
    texts.add(state)
    stateTexts = texts
  }

  /// The masks that have not yet matched a value, such as the misspelled `state /user/emial`.
  var unmatched: [String] {
    masker?.unmatched.map { "\($0.subject.rawValue) \($0.path)" } ?? []
  }

  /// Learns the secrets in a value that is not written, so that later events don't contain them.
  mutating func learn(_ json: JSON, in subject: LogMasks.Subject, key: String? = nil) {
    masker?.learn(json, in: subject, key: key)
  }
}

extension SessionMasker {
  /// Begins an action.
  ///
  /// - Parameters:
  ///   - action: The action before masking.
  ///   - cases: The names of the action's nested cases, which a placeholder contains.
  /// - Returns: The event to write before the reducer runs: the masked action, or a placeholder if the action must be
  ///   withheld.
  mutating func startAction(_ action: LogEvent.Action, cases: [String]) -> LogEvent {
    guard let masked = masker?.masked(.action(action)) else { return .action(action) }
    let isClear = masker?.isClear(action.action, in: .action) != false
    open = OpenAction(event: action, isWithheld: !isClear)
    if isClear { return masked }
    return .withheld(
      LogEvent.Withheld(seq: action.seq, at: action.at, origin: action.origin, cases: cases)
    )
  }

  /// Begins an action that a filter excludes from the log.
  mutating func beginExcluded(_ action: JSON) {
    guard masker != nil else { return }
    learn(action, in: .action)
    open = OpenAction(event: nil, isWithheld: false)
  }

  /// Returns the masked event, or `nil` if the event is withheld until the action ends.
  mutating func admitted(_ event: LogEvent) -> LogEvent? {
    guard let masked = masker?.masked(event) else { return event }
    if case .checkpoint(let checkpoint) = event, stateTexts?.isCrowded == true {
      restartStateTexts(with: checkpoint.state)
    }
    if case .call(let call) = event {
      calls.recent.append(call)
      if calls.recent.count > Self.mostCalls { calls.recent.removeFirst() }
    }
    guard let action = open else { return masked }
    // After one event has been withheld, all later events are withheld, so that their order is kept.
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
    // The session writes the state only between actions, so other events are withheld.
    default: return false
    }
  }

  /// Drops the current action and the withheld events, because the log ends before the action's change.
  mutating func abandon() { open = nil }

  /// Ends the action, after the masker has processed its change.
  ///
  /// - Returns: The withheld events, masked.
  mutating func endAction() -> [LogEvent] {
    guard let action = open.take(), masker != nil else { return [] }
    let withheld = action.isWithheld ? action.event.map { LogEvent.action($0) } : nil
    let events = ([withheld].compactMap(\.self) + action.waiting).map { masker?.masked($0) ?? $0 }
    // These paths are masked in later events only, because this action's change is already masked without them.
    if action.isWithheld, let event = action.event {
      masker?.recordCarriers(in: event.action, .action)
    }
    for read in action.reads { masker?.recordCarriers(in: read.value, .read, key: read.key) }
    if let version = masker?.version, version != calls.version {
      for call in calls.recent { masker?.recordCarriers(in: call) }
      calls.version = version
    }
    return events
  }
}

extension SessionMasker {
  /// Returns the masked state change of an action, and teaches the masker the texts in its effects.
  mutating func masked(_ patch: JSON.Patch, _ effects: [EffectDescription]) -> MaskedChange {
    guard masker != nil else { return MaskedChange(patch: patch) }
    // The result is ignored, because the effects are masked again when they are written.
    if !effects.isEmpty { _ = masker?.masked(effects) }
    let substituted = masker?.substituted(patch)
    defer { if let substituted { stateTexts?.add(substituted) } }
    var result = MaskedChange(patch: substituted.flatMap { masker?.cleaned($0) })
    // If the patch's path contains a name that the log's state shows differently, the states must be compared.
    if masker?.changesNames(of: patch, since: stateVersion) == true { result.patch = nil }
    guard let masker, masker.version != stateVersion else { return result }
    // Without the filter, the search of the state would take as long as writing it.
    if result.patch != nil, let stateTexts, !masker.mayShow(since: stateVersion, in: stateTexts) {
      stateVersion = masker.version
    } else {
      result.learned = (masker, stateVersion)
    }
    return result
  }

  /// Returns the effects that an action has started, after masking.
  mutating func masked(_ effects: [EffectDescription]) -> [EffectDescription] {
    effects.isEmpty ? [] : masker?.masked(effects) ?? effects
  }

  /// Returns a masked patch between two states, or a patch that replaces the state if the old one is unknown.
  mutating func change(from old: JSON?, to state: JSON) -> JSON.Patch {
    let before = old.flatMap { masker?.masked(state: $0, asOf: stateVersion) }
    var after = JSON.null
    if let substituted = masker?.substituted(state: state) {
      restartStateTexts(withSubstituted: substituted)
      after = masker?.cleaned(state: substituted) ?? .null
    }
    noteStateWritten()
    guard let before, let masker else {
      return JSON.Patch([.replace(JSON.Pointer(), after)])
    }
    return masker.patch(from: before, to: after)
  }

  /// Returns the paths of shared values, with the names in the paths masked.
  mutating func masked(shared: JSON, of state: JSON) -> JSON? {
    guard let masked = masker?.masked(state: state) else { return nil }
    return masker?.masked(shared: shared, of: masked)
  }

  /// Records that the log's state contains none of the texts that the masker knows now.
  mutating func noteStateWritten() { stateVersion = masker?.version ?? 0 }

  /// Records that the log's state contains none of the texts that a version of the masker knew.
  mutating func noteStateWritten(version: Int) { stateVersion = version }

  /// Whether the masker holds so many texts that it should forget those that the state no longer contains.
  var isOverfull: Bool { masker?.isOverfull == true }

  /// Removes the texts that a state doesn't contain from the masker.
  mutating func forget(besides state: JSON) { masker?.forget(besides: state) }

  /// Returns the texts that the masker has learned since the last call.
  mutating func takeNewTexts() -> [[UInt8]] {
    guard let masker, masker.version != searchedVersion else { return [] }
    defer { searchedVersion = masker.version }
    return masker.texts(since: searchedVersion)
  }
}

extension SessionMasker {
  /// Returns the paths of raw values with masked texts, as far as earlier calls haven't returned them.
  mutating func takeNewRawPlaces() -> [LogMasker.MaskedRawValuePath] {
    guard let places = masker?.rawPlaces, places.count > reportedRawPlaces else { return [] }
    defer { reportedRawPlaces = places.count }
    return Array(places[reportedRawPlaces...])
  }
}

/// The state change of an action after masking.
struct MaskedChange: Sendable {
  /// The masked patch, or `nil` if the states must be compared instead.
  var patch: JSON.Patch?
  /// The masker, and the version at which the state was last written, or `nil` if the masker has learned no texts since
  /// then.
  var learned: (masker: LogMasker, version: Int)?
}
