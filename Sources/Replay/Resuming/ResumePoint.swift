public import ActionLog

/// A position in a log from which a store can resume: the state, and the effects that were alive.
///
/// ```swift
/// let point = try ResumePoint(.file("bug.jsonl"), through: 12, of: feature)
/// _ = try engine.load(point.checkpoint, header: point.header)  // the engine is where the log was after action 12
/// ```
public struct ResumePoint {
  /// The header of the log.
  public let header: LogEvent.Header
  /// The checkpoint that the log would have after the action.
  public let checkpoint: LogEvent.Checkpoint
  /// The actions since the preceding checkpoint, and the earlier actions that started effects in `checkpoint`.
  ///
  /// The keys are action numbers. Actions that the log does not contain are missing.
  package let starters: [Int: JSON]

  /// Finds the state after an action.
  ///
  /// The state is computed from the preceding checkpoint and the recorded patches. Patches don't contain the identity
  /// of shared values, the number of the next stack element, and the cancellation IDs of effects. This data comes from
  /// a replay of the actions since the checkpoint.
  ///
  /// - Parameters:
  ///   - log: The log that contains the action.
  ///   - seq: The number of the action, or `nil` for the last completed one.
  ///   - plan: The steps that migrate an older log, or `nil` to read the log unchanged.
  ///   - stateType: The expected type of the state, or `nil` for any type.
  ///   - makeEngine: A closure that makes the engine for the replay.
  /// - Throws: `ResumeError` if the log can't be read or has no state after the action.
  package init(
    _ log: RecordedLog,
    through seq: Int?,
    plan: MigrationPlan? = nil,
    stateType: String?,
    makeEngine: () throws -> any FeatureEngine
  ) throws(ResumeError) {
    do {
      let part = try Self.part(of: log, through: seq, stateType: stateType)
      let events = try Self.events(of: part, through: seq, plan: plan)
      var position = LogPositionTracker()
      for event in events { try position.apply(event) }
      guard let header = position.header, let state = position.cursor.state else {
        throw ResumeError.noState
      }
      if let seq, position.seq != seq { throw try Self.missing(seq, in: events, part) }
      self.header = header
      var checkpoint = LogEvent.Checkpoint(
        seq: position.seq,
        state: state,
        effects: position.effects.described,
        nextStackElement: position.nextStackElement,
        shared: position.shared
      )
      if let first = Self.firstAction(ofAlikeIDsIn: checkpoint.effects) {
        let events = try Self.events(of: part, through: seq, from: first, plan: plan)
        try Self.replay(events, to: &checkpoint, with: makeEngine())
      } else if position.hasActions {
        try Self.replay(events, to: &checkpoint, with: makeEngine())
      }
      self.checkpoint = checkpoint
      let ids = checkpoint.effects.flatMap(\.flattened).compactMap(\.id)
      let unknown = Set(ids.map(\.seq)).subtracting(position.actions.keys)
      starters = try part.actions(unknown).merging(position.actions) { $1 }
    } catch {
      throw ResumeError(error)
    }
  }

  /// Finds the state after an action of a feature.
  ///
  /// If a folder contains several logs, the feature's state type selects one.
  ///
  /// - Parameters:
  ///   - log: The log that contains the action.
  ///   - seq: The number of the action, or `nil` for the last completed one.
  ///   - feature: The feature that replays the actions since the preceding checkpoint.
  /// - Throws: `ResumeError` if the log can't be read or has no state after the action.
  public init(_ log: RecordedLog, through seq: Int?, of feature: FeatureEntry) throws(ResumeError) {
    let plan: MigrationPlan?
    do { plan = try MigrationPlan(feature) } catch { throw ResumeError(error) }
    try self.init(
      log,
      through: seq,
      plan: plan,
      stateType: feature.stateType,
      makeEngine: feature.makeEngine
    )
  }

  /// Returns the headers of the logs, from which the caller can choose a feature.
  package static func headers(of log: RecordedLog) throws(ResumeError) -> [LogEvent.Header] {
    do { return try log.parts().map(\.header) } catch { throw ResumeError(error) }
  }

  /// Returns the segment that contains an action, or the last segment if `seq` is `nil`.
  ///
  /// A log without segments counts as its only segment.
  private static func part(
    of log: RecordedLog,
    through seq: Int?,
    stateType: String?
  ) throws -> LogSegment {
    let segments = try LogSegment.segments(of: log, stateType: stateType)
    guard let earliest = segments.first, let latest = segments.last else {
      throw ResumeError.noState
    }
    guard let seq else { return latest }
    // A segment starts with the state after the last action of the previous segment, which contains that action's
    // events.
    if let part = segments.last(where: { ($0.checkpoints.first ?? 0) < seq }) { return part }
    guard earliest.checkpoints.first == seq else {
      let last = try latest.stretch(through: nil).compactMap(\.finishedSeq).max() ?? 0
      throw ResumeError.noSuchAction(seq, first: earliest.checkpoints.first ?? 0, last: last)
    }
    return earliest
  }

  /// Returns the header, and the events from the last checkpoint before an action to the state after the action.
  ///
  /// If there is a migration plan, the events are migrated.
  private static func events(
    of part: LogSegment,
    through seq: Int?,
    from first: Int? = nil,
    plan: MigrationPlan?
  ) throws -> [LogEvent] {
    let recorded = [.header(part.header)] + (try part.stretch(through: seq, from: first))
    guard let plan else { return recorded }
    let migrator = LogMigrator { _ in plan }
    var rest = recorded.makeIterator()
    var events: [LogEvent] = []
    while let event = try migrator.next({ rest.next() }) { events.append(event) }
    return events
  }

  /// Returns the first action that started effects whose cancellation IDs or element IDs have the same text.
  ///
  /// The log does not distinguish such IDs, so the actions must be replayed to assign the IDs of the code.
  private static func firstAction(ofAlikeIDsIn effects: [EffectDescription]) -> Int? {
    var ids: [EffectDescription.CancelID.TypeAndValue: Set<Int>] = [:]
    var elements: [JSON: Set<Int>] = [:]
    for id in effects.flatMap(\.flattened).compactMap(\.cancelID) {
      ids[id.text, default: []].insert(id.number)
      for element in id.path.map(\.elementName) {
        elements[element.text, default: []].insert(element.number)
      }
    }
    func isAlike(_ id: EffectDescription.CancelID) -> Bool {
      ids[id.text, default: []].count > 1
        || id.path.contains { elements[$0.elementName.text, default: []].count > 1 }
    }
    return effects.filter { $0.flattened.compactMap(\.cancelID).contains(where: isAlike) }
      .flatMap(\.flattened).compactMap { $0.id?.seq }.min()
  }

  private static func missing(
    _ seq: Int,
    in events: [LogEvent],
    _ part: LogSegment
  ) throws -> ResumeError {
    let isThere = events.contains { event in
      switch event {
      case .action(let action): action.seq == seq
      case .withheld(let action): action.seq == seq
      default: false
      }
    }
    let last = try part.stretch(through: nil).compactMap(\.finishedSeq).max() ?? 0
    if isThere, last < seq { return .unfinishedAction(seq) }
    return .noSuchAction(seq, first: part.checkpoints.first ?? 0, last: last)
  }

  /// Replays the actions since the checkpoint, and adds the data that the log's patches lack.
  ///
  /// If the replay does not reach the end, the data of the last checkpoint is kept.
  private static func replay(
    _ events: [LogEvent],
    to checkpoint: inout LogEvent.Checkpoint,
    with engine: any FeatureEngine
  ) throws {
    var rest = events.filter { !$0.isEndOfStore }.makeIterator()
    var session = ReplaySession(isResyncing: true) {
      rest.next()
    } makeEngine: { _ in
      engine
    }
    try session.start()
    try engine.withContext { while try session.next() != nil {} }
    guard !session.isStopped, session.seq == checkpoint.seq, let engine = session.engine else {
      return
    }
    checkpoint.copyNextStackElement(of: engine)
    checkpoint.shared = engine.sharedPlaces
    checkpoint.effects = session.effects.identified(checkpoint.effects)
  }
}

/// A position in a log, computed from the log's events without a replay.
private struct LogPositionTracker {
  private(set) var header: LogEvent.Header?
  private(set) var cursor = LogCursor()
  private(set) var effects = UnfinishedEffects()
  /// The number of the last completed action.
  private(set) var seq = 0
  private(set) var actions: [Int: JSON] = [:]
  private(set) var nextStackElement: Int?
  private(set) var shared: JSON?
  /// Whether the events contain actions to replay.
  private(set) var hasActions = false

  mutating func apply(_ event: LogEvent) throws {
    try cursor.move(to: event)
    try cursor.apply()
    seq = event.finishedSeq ?? seq
    switch event {
    case .header(let header): self.header = header
    case .checkpoint(let checkpoint):
      effects = UnfinishedEffects(checkpoint)
      nextStackElement = checkpoint.nextStackElement
      shared = checkpoint.shared
    case .action(let action):
      hasActions = true
      actions[action.seq] = action.action
      arrive(action.origin)
    case .effect(let effect): if !event.isEndOfStore { effects.apply(effect) }
    default:
      guard let change = event.stateChange else { break }
      if let beginning = change.beginning {
        hasActions = true
        beginning.origin.map { arrive($0) }
      }
      effects.start(change.effects, of: change.seq)
      shared = change.shared ?? shared
    }
  }

  private mutating func arrive(_ origin: LogEvent.Origin) {
    if case .effect(let id, nil) = origin { effects.arrive(id) }
  }
}

extension LogEvent {
  /// Whether the event cancels an effect because the recorded store was released.
  ///
  /// Such events are ignored, because the resumed store still exists.
  fileprivate var isEndOfStore: Bool {
    guard case .effect(let effect) = self, case .cancelled(by: .store, _) = effect.event else {
      return false
    }
    return true
  }

  /// The number of the action whose resulting state is known after this event, or `nil` for other events.
  ///
  /// Such events are checkpoints, changes by actions, and actions that the log omits.
  package var finishedSeq: Int? {
    if case .checkpoint(let checkpoint) = self { return checkpoint.seq }
    return isFromOutside ? nil : stateChange?.seq
  }
}
