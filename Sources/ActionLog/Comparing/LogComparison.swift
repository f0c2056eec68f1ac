/// The comparison of two logs, event by event; a replay, `diff` and the tests share it.
///
/// It compares values, not bytes: another patch that leads to the same state is not a difference. It ignores informational
/// members (times, durations, places in the source) and the library's own effects.
///
/// ```swift
/// var comparison = LogComparison(recorded: { try a.next()?.event }, replayed: { try b.next()?.event })
/// try comparison.run().differences
/// ```
public struct LogComparison {
  /// Returns the next event of a log, `nil` after the last one.
  public typealias Events = () throws -> LogEvent?

  private var recorded: ComparedEvents
  private var replayed: ComparedEvents
  private var states: ComparedStates
  /// The effects that send an action at once, in either log; their actions are the reducer's own.
  private var sends: Set<EffectID> = []
  /// The places in the reducer's own actions that only one of the logs has.
  private var driftedActions: Set<JSON.Pointer> = []
  private let extent: Extent
  /// Whether the second log is made from the first by code that finds its patches by comparing states.
  package var isReplay = false
  /// Skips the next actions that are known to be the same in both logs; their events are not read here.
  package var alike: (() throws -> PassedActions?)?
  private let options: Options
  private var result = Result()

  /// A comparison of two logs.
  public init(
    recorded: @escaping Events,
    replayed: @escaping Events,
    extent: Extent = .first,
    options: Options = Options()
  ) {
    self.recorded = ComparedEvents(recorded)
    self.replayed = ComparedEvents(replayed)
    self.extent = extent
    self.options = options
    states = ComparedStates(options)
  }

  /// Compares.
  ///
  /// - Throws: The errors of the sources.
  public mutating func run() throws -> Result {
    var left = try recorded.next()
    var right = try replayed.next()
    while left != nil || right != nil {
      var step = compare(left, right)
      step.differences = states.opaque.classified(step.differences)
      add(step.differences)
      result.unknown = recorded.unknown
      if let stop = step.stop {
        // The second log continues after a difference, but not after the end of a log.
        if extent == .resynced, stop == .differs, try realign(&left, &right) { continue }
        result.stop = try settled(stop)
        break
      }
      if !step.differences.isEmpty, extent != .resynced {
        result.stop = .differs
        if extent == .first { break }
      }
      if step.advance == .both, try !passAlike() {
        result.stop = .differs
        if extent == .first { break }
      }
      if step.advance != .replayed { left = try recorded.next() }
      if step.advance != .recorded { right = try replayed.next() }
      if extent != .all, left?.isHeader ?? true, right?.isHeader ?? true { break }
    }
    result.matchedIgnores = states.matchedIgnores
    result.notes += states.opaque.findings(at: result.seq)
    return result
  }

  /// Applies actions that are known to be the same in both logs to the states.
  ///
  /// - Returns: Whether their patches fit.
  private mutating func passAlike() throws -> Bool {
    guard let alike, recorded.isBetweenActions, replayed.isBetweenActions, states.followPatches
    else { return true }
    guard let passed = try alike() else { return true }
    result.seq = passed.seq
    let differences = states.pass(passed.patches)
    add(differences)
    return differences.isEmpty
  }

  /// Adds the differences of one event, or of several that were applied together.
  private mutating func add(_ differences: [LogDifference]) {
    if result.differences.isEmpty { result.firstDifferences = differences.count }
    result.differences += differences
  }

  /// Looks for the other log's change of the action within which the recording stops.
  private mutating func settled(_ stop: Stop) throws -> Stop {
    guard case .recordingStops(let open?, isReplayed: false) = stop else { return stop }
    while let element = try replayed.next() {
      if element.content.isChange(of: open) {
        return .recordingStops(openAction: open, isReplayed: true)
      }
      if case .stop = element.content { break }
    }
    return stop
  }

  /// The result of comparing two elements.
  private struct Step {
    var differences: [LogDifference] = []
    var stop: Stop?
    var advance = Side.both

    enum Side { case both, recorded, replayed }

    static func stop(_ stop: Stop, _ differences: [LogDifference] = []) -> Step {
      Step(differences: differences, stop: stop)
    }
  }
}

extension LogComparison {
  /// Compares the elements at the same place in both logs.
  private mutating func compare(
    _ left: ComparedEvents.Element?,
    _ right: ComparedEvents.Element?
  ) -> Step {
    let found = findings(left, right)
    switch (left?.content, right?.content) {
    case (.stop(let open), .stop(let other)) where extent == .all && open == other:
      return Step(differences: found)
    case (.stop(let open), let content) where extent != .all:
      guard found.isEmpty else { return .stop(.differs, found) }
      return .stop(
        .recordingStops(openAction: open, isReplayed: content?.isChange(of: open) ?? false)
      )
    case (_?, .stop(let open)) where extent != .all:
      guard found.isEmpty else { return .stop(.differs, found) }
      return .stop(.replayStops(openAction: open))
    case (_?, nil) where extent != .all:
      return .stop(.replayStops(openAction: nil))
    case _ where extent == .resynced && right?.isResynced == true && !found.isEmpty:
      return .stop(.differs, found)
    case (.event(let recorded), .event(let replayed)):
      return compare(recorded, left?.reads ?? [], replayed, right?.reads ?? [], found)
    default:
      return .stop(.differs, found + [.outOfStep(left?.content, right?.content, after: result.seq)])
    }
  }

  private mutating func compare(
    _ recorded: LogEvent,
    _ recordedReads: [LogEvent.Read],
    _ replayed: LogEvent,
    _ replayedReads: [LogEvent.Read],
    _ found: [LogDifference]
  ) -> Step {
    switch (recorded, replayed) {
    case (.header(let header), .header):
      states = newStates(masks: header.masked)
      sends = []
      driftedActions = []
      return Step(differences: found)
    case (.checkpoint(let old), .checkpoint(let new)) where old.seq == new.seq:
      let isExplained = found.contains { $0.cause == .sequence }
      let differing = states.compare(old, new)
      for effect in old.effects + new.effects { note(effect) }
      return Step(differences: found + (isExplained ? [] : differing))
    case (.action(let old), .action(let new)) where old.seq == new.seq:
      result.seq = old.seq
      return Step(differences: found + compare(old, new))
    case (.change(let old), .change(let new)) where old.seq == new.seq:
      for effect in old.effects + new.effects { note(effect) }
      let hasReadFindings = found.contains { $0.cause == .reads }
      let reads =
        hasReadFindings ? [] : LogDifference.reads(of: old.seq, recordedReads, replayedReads)
      let effects = EffectDescription.differences(
        of: old.seq,
        old.effects,
        new.effects,
        ignoring: driftedActions
      )
      return Step(
        differences: found + reads + states.compare(old.logged, new.logged, of: old.seq) + effects
      )
    case (.external(let old), .external(let new)) where old.seq == new.seq:
      return Step(differences: found + compare(old.patch, new.patch, of: old.seq))
    case (.excluded(let old), .excluded(let new)) where old.seq == new.seq:
      result.seq = old.seq
      if case .effect(let id, nil) = old.origin { sends.remove(id) }
      for effect in old.effects + new.effects { note(effect) }
      return Step(differences: found + compare(old.patch, new.patch, of: old.seq))
    case (.gap, .gap):
      // The checkpoint that comes next is independent of earlier events.
      states = newStates(masks: states.masks)
      sends = []
      return Step(differences: found)
    case (.effect(let old), .effect(let new)) where old.id == new.id && old.event == new.event:
      return Step(differences: found)
    case (.end(let old), .end(let new)) where old.seq == new.seq && old.reason == new.reason:
      return Step(differences: found)
    // Every kind, so that a new one is not forgotten above. Reads and findings belong to an action's element.
    case (.header, _), (.checkpoint, _), (.withheld, _), (.action, _), (.read, _), (.change, _),
      (.effect, _), (.call, _),
      (.external, _), (.excluded, _), (.gap, _), (.note, _), (.finding, _), (.end, _),
      (.unknown, _):
      return misaligned(recorded, replayed, found)
    }
  }

  private mutating func compare(
    _ old: JSON.Patch,
    _ new: JSON.Patch,
    of seq: Int
  ) -> [LogDifference] {
    states.compare(.patch(old), .patch(new), of: seq)
  }

  /// The states from the next checkpoint on, which says them anew.
  private func newStates(masks: LogMasks?) -> ComparedStates {
    let opaque = result.seq > 0 ? states.opaque : OpaqueComparison(isReplay: isReplay)
    return ComparedStates(options, masks: masks, isReplay: isReplay, opaque: opaque)
  }

  private mutating func note(_ effect: EffectDescription) {
    for leaf in effect.flattened where leaf.operation == .send {
      if let id = leaf.id { sends.insert(id) }
    }
  }

  private func isProduced(_ origin: LogEvent.Origin) -> Bool {
    if case .effect(let id, nil) = origin { sends.contains(id) } else { false }
  }

  private mutating func compare(
    _ old: LogEvent.Action,
    _ new: LogEvent.Action
  ) -> [LogDifference] {
    let isProduced = isProduced(old.origin) || isProduced(new.origin)
    defer {
      if case .effect(let id, nil) = old.origin { sends.remove(id) }
    }
    var differences: [LogDifference] = []
    if old.origin != new.origin {
      differences.append(
        LogDifference(
          seq: old.seq,
          cause: isProduced ? .producedAction : .origin,
          subject: "origin",
          expected: old.origin.json,
          actual: new.origin.json
        )
      )
    }
    guard old.logged != new.logged else { return differences }
    var (oldAction, newAction) = (old.action, new.action)
    if isProduced, !driftedActions.isEmpty {
      oldAction = oldAction.ignoring(Array(driftedActions))
      newAction = newAction.ignoring(Array(driftedActions))
    }
    return differences
      + JSON.differences(from: oldAction.ignoringSubstitutes, to: newAction.ignoringSubstitutes)
      .filter { states.masks == nil || !$0.isHiddenBySubstitutes }
      .map { LogDifference($0, seq: old.seq, cause: isProduced ? .producedAction : .action) }
  }
}

extension LogComparison {
  /// Moves to the place where both logs have the same event again, if the second one continued from the first one's state.
  ///
  /// - Returns: Whether there is such a place.
  private mutating func realign(
    _ left: inout ComparedEvents.Element?,
    _ right: inout ComparedEvents.Element?
  ) throws -> Bool {
    while let element = right, !element.isResynced {
      if element.isStop { return false }
      right = try replayed.next()
      if right?.isResynced == true { result.differences += findings(nil, right) }
    }
    guard let goal = right else { return false }
    // These are reported already.
    right?.findings = []
    while let element = left, !element.isSame(as: goal) {
      if element.isStop { return false }
      pass(element)
      left = try recorded.next()
    }
    states.adoptRecorded()
    return left != nil
  }

  /// Applies an event of the recording that the replay does not have.
  private mutating func pass(_ element: ComparedEvents.Element) {
    guard case .event(let event) = element.content else { return }
    if case .patch(let patch) = event.stateUpdate {
      _ = states.compare(patch, patch, of: event.seq ?? result.seq)
    }
    if case .action(let action) = event { result.seq = action.seq }
  }
}

extension LogComparison {
  /// The differences that findings of the second log alone report; those that are not differences become notes.
  private mutating func findings(
    _ left: ComparedEvents.Element?,
    _ right: ComparedEvents.Element?
  ) -> [LogDifference] {
    let known = left?.findings ?? []
    var differences: [LogDifference] = []
    for finding in right?.findings ?? [] where !known.contains(finding) {
      if finding.code == .resynced {
        states.adoptRecorded()
        continue
      }
      // A member that only one of them has cannot be compared.
      if finding.code == .schemaDrift { states.ignore(finding.subject) }
      if finding.code == .actionDrift, let place = try? JSON.Pointer(parsing: finding.subject) {
        driftedActions.insert(place)
      }
      if finding.code.isDrift, !options.isStrict {
        result.notes.append(finding)
      } else if let difference = LogDifference(finding) {
        differences.append(difference)
      } else if !result.notes.contains(where: { $0.subject == finding.subject }) {
        // The same place may report with every action; one note is enough.
        result.notes.append(finding)
      }
    }
    return differences
  }
}

extension LogComparison {
  /// The difference between logs that have different events at the same place.
  private func misaligned(
    _ recorded: LogEvent,
    _ replayed: LogEvent,
    _ found: [LogDifference]
  ) -> Step {
    // Cancellations by an action and actions of the reducer are part of its outcome: one of them may be
    // missing or new, and both logs continue together after it.
    if let seq = recorded.cancellingAction {
      let difference = LogDifference.cancellation(by: seq, expected: recorded, actual: nil)
      return Step(differences: found + [difference], advance: .recorded)
    }
    if let seq = replayed.cancellingAction {
      let difference = LogDifference.cancellation(by: seq, expected: nil, actual: replayed)
      return Step(differences: found + [difference], advance: .replayed)
    }
    if case .action(let action) = recorded, isProduced(action.origin), !replayed.isAction {
      return .stop(.differs, found + [.produced(action, expected: action.action)])
    }
    if case .action(let action) = replayed, isProduced(action.origin), !recorded.isAction {
      return .stop(.differs, found + [.produced(action, actual: action.action)])
    }
    return .stop(
      .differs,
      found + [.outOfStep(.event(recorded), .event(replayed), after: result.seq)]
    )
  }
}
