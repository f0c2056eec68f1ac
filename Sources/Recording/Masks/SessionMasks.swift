import ActionLog

/// Applies the masks of a session to each event before it is written.
///
/// A reducer can store any text of an action in a masked path. Therefore, events with such texts wait until the reducer
/// has returned and the masker knows the new state.
struct SessionMasks: Sendable {
  private var masker: LogMasker?
  /// The masker's version when the state was last written.
  ///
  /// The log's state may show texts that were learned later.
  private var stateVersion = 0
  /// The masker's version when earlier lines were last searched.
  private var searchedVersion = 0
  /// The action in the reducer.
  private var open: OpenAction?
  /// The most recent calls before masking, and the masker's version when they were last scanned.
  ///
  /// A later action can store a call's result in a masked path.
  private var calls = (recent: [LogEvent.Call](), version: 0)
  private static let mostCalls = 16
  /// The number of reported paths of raw values.
  private var reportedRawPlaces = 0

  private struct OpenAction {
    /// The action before masking; `nil` if a filter excludes it.
    let event: LogEvent.Action?
    let isWithheld: Bool
    /// The events since the action that wait for its end.
    var waiting: [LogEvent] = []
    /// The waiting reads.
    var reads: [LogEvent.Read] = []
  }

  init(_ configuration: RecorderConfiguration) {
    guard !configuration.masks.isEmpty else { return }
    masker = LogMasker(configuration.masks, secret: configuration.maskSecret, isMarked: true)
  }

  /// The masks that have matched no value so far, such as `state /user/emial`.
  var unmatched: [String] {
    masker?.unmatched.map { "\($0.subject.rawValue) \($0.path)" } ?? []
  }

  /// Learns the secrets in a value that is not written, so that later events don't show them.
  mutating func learn(_ json: JSON, in subject: LogMasks.Subject, key: String? = nil) {
    masker?.learn(json, in: subject, key: key)
  }
}

extension SessionMasks {
  /// Begins an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - cases: The names of its nested cases.
  /// - Returns: The event to write before the reducer runs: the masked action, or a placeholder if the action has to
  ///   wait.
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

  /// Returns the masked event; `nil` if it waits for the end of the action.
  mutating func admitted(_ event: LogEvent) -> LogEvent? {
    guard let masked = masker?.masked(event) else { return event }
    if case .call(let call) = event {
      calls.recent.append(call)
      if calls.recent.count > Self.mostCalls { calls.recent.removeFirst() }
    }
    guard let action = open else { return masked }
    // Once an event waits, all later ones wait, to keep their order.
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
    // The session writes the state only when no action is open.
    default: return false
    }
  }

  /// Drops the open action and its waiting events, because the log ends before its change.
  mutating func abandon() { open = nil }

  /// Ends the action after the masker has seen its change.
  ///
  /// - Returns: The masked events that have waited.
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
  /// Returns the masked change of an action.
  mutating func masked(_ patch: JSON.Patch, _ effects: [EffectDescription]) -> MaskedChange {
    guard masker != nil else { return MaskedChange(patch: patch) }
    // This only teaches the masker. The effects are masked again when they are written.
    if !effects.isEmpty { _ = masker?.masked(effects) }
    var result = MaskedChange(patch: masker?.masked(patch))
    // The log's state has a different name on this path.
    if masker?.changesNames(of: patch, since: stateVersion) == true { result.patch = nil }
    if let masker, masker.version != stateVersion { result.learned = (masker, stateVersion) }
    return result
  }

  /// Returns the masked effects of an action.
  mutating func masked(_ effects: [EffectDescription]) -> [EffectDescription] {
    effects.isEmpty ? [] : masker?.masked(effects) ?? effects
  }

  /// Returns the masked change between two states, or a replacement if the old state is unknown.
  mutating func change(from old: JSON?, to state: JSON) -> JSON.Patch {
    let before = old.flatMap { masker?.masked(state: $0, asOf: stateVersion) }
    let after = masker?.masked(state: state) ?? .null
    noteStateWritten()
    guard let before, let masker else {
      return JSON.Patch([.replace(JSON.Pointer(), after)])
    }
    return masker.patch(from: before, to: after)
  }

  /// Returns the paths of shared values with masked names.
  mutating func masked(shared: JSON, of state: JSON) -> JSON? {
    guard let masked = masker?.masked(state: state) else { return nil }
    return masker?.masked(shared: shared, of: masked)
  }

  /// Marks the log's state as free of all texts that the masker knows now.
  mutating func noteStateWritten() { stateVersion = masker?.version ?? 0 }

  /// Marks the log's state as free of the texts that a version of the masker knew.
  mutating func noteStateWritten(version: Int) { stateVersion = version }

  /// Whether the masker holds so many texts that it should forget those that the state no longer contains.
  var isOverfull: Bool { masker?.isOverfull == true }

  /// Forgets texts that a state doesn't contain.
  mutating func forget(besides state: JSON) { masker?.forget(besides: state) }

  /// Returns the texts that were learned since the last call.
  mutating func takeNewTexts() -> [[UInt8]] {
    guard let masker, masker.version != searchedVersion else { return [] }
    defer { searchedVersion = masker.version }
    return masker.texts(since: searchedVersion)
  }
}

extension SessionMasks {
  /// Returns the paths of raw values with masked texts that earlier calls haven't returned.
  mutating func takeNewRawPlaces() -> [LogMasker.RawValuePath] {
    guard let places = masker?.rawPlaces, places.count > reportedRawPlaces else { return [] }
    defer { reportedRawPlaces = places.count }
    return Array(places[reportedRawPlaces...])
  }
}

/// The masked change of an action.
struct MaskedChange: Sendable {
  /// The patch; `nil` if the two states have to be compared.
  var patch: JSON.Patch?
  /// The masker and the version of the log's state, if the masker has learned texts since then.
  var learned: (masker: LogMasker, version: Int)?
}
