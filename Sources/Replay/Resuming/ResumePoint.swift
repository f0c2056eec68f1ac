public import ActionLog

/// A place in a log from which a store can go on: the state, the effects that were alive, and what had started them.
///
/// ```swift
/// let point = try ResumePoint(.file("bug.jsonl"), through: 12, of: feature)
/// _ = try engine.load(point.checkpoint, header: point.header)  // the engine is where the log was after action 12
/// ```
public struct ResumePoint {
  /// The header of the log.
  public let header: LogEvent.Header
  /// The state after the action as a checkpoint there would have it.
  public let checkpoint: LogEvent.Checkpoint
  /// The actions that have started the effects, as far as the log has them.
  package let starters: [Int: JSON]

  /// Finds the state after an action.
  ///
  /// The state comes from a checkpoint before and the recorded changes. What these do not tell, which shared values are
  /// one, which number the next element of a stack gets and which cancellation ids effects have, comes from a replay of the actions
  /// since the checkpoint.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - seq: The action; `nil` for the last one that was finished.
  ///   - plan: The migrations of older logs.
  ///   - stateType: The type of the state that is to be read; `nil` for any.
  ///   - makeEngine: Makes the engine for the replay.
  /// - Throws: `ResumeError`.
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
      var position = FollowedPosition()
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

  /// A place in a log of a feature, by whose state type logs are chosen.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - seq: The action; `nil` for the last one that was finished.
  ///   - feature: The feature.
  /// - Throws: `ResumeError`.
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

  /// The headers of the logs, to find the feature.
  package static func headers(of log: RecordedLog) throws(ResumeError) -> [LogEvent.Header] {
    do { return try log.parts().map(\.header) } catch { throw ResumeError(error) }
  }

  /// The log, or the segment of it, that has the action.
  private static func part(
    of log: RecordedLog,
    through seq: Int?,
    stateType: String?
  ) throws -> LogPart {
    let segments = try LogPart.segments(of: log, stateType: stateType)
    guard let earliest = segments.first, let latest = segments.last else {
      throw ResumeError.noState
    }
    guard let seq else { return latest }
    // A segment begins with the state after the last action of the one before, which has what happened there.
    if let part = segments.last(where: { ($0.checkpoints.first ?? 0) < seq }) { return part }
    guard earliest.checkpoints.first == seq else {
      let last = try latest.stretch(through: nil).compactMap(\.finishedSeq).max() ?? 0
      throw ResumeError.noSuchAction(seq, first: earliest.checkpoints.first ?? 0, last: last)
    }
    return earliest
  }

  /// The events of a log up to an action, the header first.
  private static func events(
    of part: LogPart,
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

  /// The first of the actions that returned effects whose cancellation ids, or elements of their paths, print alike.
  ///
  /// Only a replay of these actions tells which id of the code is which.
  private static func firstAction(ofAlikeIDsIn effects: [EffectDescription]) -> Int? {
    var ids: [EffectDescription.CancelID.Text: Set<Int>] = [:]
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
    _ part: LogPart
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

  /// Replays the actions since the checkpoint, and takes over what the log does not tell of the state.
  ///
  /// Where the replay does not come to the end, what the last checkpoint says stays.
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
    checkpoint.takeNextStackElement(of: engine)
    checkpoint.shared = engine.sharedPlaces
    checkpoint.effects = session.effects.identified(checkpoint.effects)
  }
}

/// What the events of a log tell of a place in it.
private struct FollowedPosition {
  private(set) var header: LogEvent.Header?
  private(set) var cursor = LogCursor()
  private(set) var effects = LiveEffects()
  /// The last action that was finished.
  private(set) var seq = 0
  private(set) var actions: [Int: JSON] = [:]
  private(set) var nextStackElement: Int?
  private(set) var shared: JSON?
  /// Whether there is anything to replay.
  private(set) var hasActions = false

  mutating func apply(_ event: LogEvent) throws {
    try cursor.move(to: event)
    try cursor.apply()
    seq = event.finishedSeq ?? seq
    switch event {
    case .header(let header): self.header = header
    case .checkpoint(let checkpoint):
      effects = LiveEffects(checkpoint)
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
  /// Whether an effect is cancelled because the recorded store has gone; the store that goes on has not.
  fileprivate var isEndOfStore: Bool {
    guard case .effect(let effect) = self, case .cancelled(by: .store, _) = effect.event else {
      return false
    }
    return true
  }

  /// The action after which the event leads to the state.
  package var finishedSeq: Int? {
    if case .checkpoint(let checkpoint) = self { return checkpoint.seq }
    return isFromOutside ? nil : stateChange?.seq
  }
}
