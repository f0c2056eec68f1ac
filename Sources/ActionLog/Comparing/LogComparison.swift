/// A comparison of two logs, event by event.
///
/// Replays, `diff`, and tests use it. The comparison considers values, not bytes: two patches that lead to the same
/// state are equal. It ignores informational members (times, durations, source locations) and effects that the library
/// added.
///
/// ```swift
/// var comparison = LogComparison(recorded: { try a.next()?.event }, replayed: { try b.next()?.event })
/// try comparison.run().differences
/// ```
public struct LogComparison {
  /// A function that returns the next event of a log, or `nil` after the last one.
  public typealias Events = () throws -> LogEvent?
  /// A function that receives the differences and notes found since its last call.
  package typealias DifferenceHandler = ([LogDifference], [LogEvent.Finding]) -> Void

  private var recorded: ComparedEvents
  private var replayed: ComparedEvents
  private var states: ComparedStates
  /// The effects of both logs that send an action immediately.
  ///
  /// The reducer itself produces these actions.
  private var sends: Set<EffectID> = []
  /// The paths of members that only one of the logs has, in actions that the reducer produced.
  private var driftedActions: Set<JSON.Pointer> = []
  private let extent: Extent
  /// Whether the second log is a replay of the first, so that identical patches lead to identical states.
  package var isReplay = false
  /// The function that receives new differences and notes, or `nil` if the caller waits for the result.
  package var report: DifferenceHandler?
  private let options: Options
  /// The result so far.
  ///
  /// After an error, the result contains the differences and notes that were found before the error.
  package private(set) var result = Result()
  /// The subjects of findings that the result's notes already contain.
  private var notedSubjects: Set<String> = []
  /// The numbers of differences and notes that `report` has already received.
  private var reported = (differences: 0, notes: 0)

  /// Creates a comparison of two logs.
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

  /// Compares the logs to the extent that was requested.
  ///
  /// - Returns: The differences, and the reason why the comparison ended.
  /// - Throws: The errors that the two event functions throw.
  public mutating func run() throws -> Result {
    defer { reportNew() }
    do { try compareEvents() } catch {
      copyStateResults()
      throw error
    }
    copyStateResults()
    return result
  }

  /// Copies the matched ignored paths and the notes from the states into the result.
  private mutating func copyStateResults() {
    result.matchedIgnores = states.matchedIgnores
    result.notes += states.opaque.findings(at: result.seq)
  }

  private mutating func compareEvents() throws {
    var left = try recorded.next()
    var right = try replayed.next()
    while left != nil || right != nil {
      var step = compare(left, right)
      if !step.differences.isEmpty {
        step.differences = states.opaque.classified(step.differences)
        add(step.differences)
      }
      reportNew()
      result.unknown = recorded.unknown
      if let stop = step.stop {
        // After a difference, both logs can continue from the recorded state. After the end of a log, they can't.
        if extent == .resynced, stop == .differs, try realign(&left, &right) { continue }
        result.stop = try settled(stop)
        break
      }
      if !step.differences.isEmpty, extent != .resynced {
        result.stop = .differs
        if extent == .first { break }
      }
      if step.advance != .replayed { left = try recorded.next() }
      if step.advance != .recorded { right = try replayed.next() }
      if extent != .all, left?.isHeader ?? true, right?.isHeader ?? true { break }
    }
  }

  private mutating func reportNew() {
    let found = (differences: result.differences.count, notes: result.notes.count)
    guard let report, found != reported else { return }
    let differences = result.differences[reported.differences...]
    let notes = result.notes[reported.notes...]
    reported = found
    report(Array(differences), Array(notes))
  }

  /// Adds the differences of one event, or of several events whose patches were applied together.
  private mutating func add(_ differences: [LogDifference]) {
    if result.differences.isEmpty { result.firstDifferences = differences.count }
    result.differences += differences
  }

  /// Updates `isReplayed` of a stop of the recording, by reading the second log up to the open action's change.
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

  /// The result of comparing one element of each log.
  private struct ElementComparison {
    var differences: [LogDifference] = []
    var stop: Stop?
    var advance = Side.both

    enum Side { case both, recorded, replayed }

    mutating func add(_ more: [LogDifference]) {
      if !more.isEmpty { differences += more }
    }

    static func stop(_ stop: Stop, _ differences: [LogDifference] = []) -> ElementComparison {
      ElementComparison(differences: differences, stop: stop)
    }
  }
}

extension LogComparison {
  /// Compares two elements at corresponding positions.
  private mutating func compare(
    _ left: ComparedEvents.Element?,
    _ right: ComparedEvents.Element?
  ) -> ElementComparison {
    let found = findings(left, right)
    let isAside = extent == .resynced && right?.isResynced == true && !found.isEmpty
    if !isAside, case .event(let recorded)? = left?.content,
      case .event(let replayed)? = right?.content
    {
      return compare(recorded, left?.reads ?? [], replayed, right?.reads ?? [], found)
    }
    switch (left?.content, right?.content) {
    case (.stop(let open), .stop(let other)) where extent == .all && open == other:
      return ElementComparison(differences: found)
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
    case _ where isAside:
      return .stop(.differs, found)
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
  ) -> ElementComparison {
    var step = ElementComparison(differences: found)
    switch recorded {
    case .header(let header):
      guard case .header = replayed else { break }
      states = newStates(masks: header.masked)
      sends = []
      driftedActions = []
      return step
    case .checkpoint(let old):
      guard case .checkpoint(let new) = replayed, old.seq == new.seq else { break }
      let isExplained = found.contains { $0.cause == .sequence }
      let differing = states.compare(old, new)
      registerSends(old.effects, new.effects)
      if !isExplained { step.add(differing) }
      return step
    case .action(let old):
      guard case .action(let new) = replayed, old.seq == new.seq else { break }
      result.seq = old.seq
      step.add(compare(old, new))
      return step
    case .change(let old):
      guard case .change(let new) = replayed, old.seq == new.seq else { break }
      registerSends(old.effects, new.effects)
      if !found.contains(where: { $0.cause == .reads }) {
        step.add(LogDifference.reads(of: old.seq, recordedReads, replayedReads))
      }
      step.add(states.compare(old.logged, new.logged, of: old.seq))
      step.add(
        EffectDescription.differences(
          of: old.seq,
          old.effects,
          new.effects,
          ignoring: driftedActions
        )
        .filter { states.masks?.hides($0) != true }
      )
      return step
    case .gap:
      guard case .gap = replayed else {
        // The gap may have replaced the cancellations that the previous action made.
        guard replayed.isCancellationByAction else { break }
        return ElementComparison(differences: found, advance: .replayed)
      }
      // The next checkpoint doesn't depend on earlier events.
      states = newStates(masks: states.masks)
      sends = []
      return step
    case .effect(let old):
      guard case .effect(let new) = replayed, old.id == new.id, old.event == new.event else {
        break
      }
      return step
    case .end(let old):
      guard case .end(let new) = replayed, old.seq == new.seq, old.reason == new.reason else {
        break
      }
      return step
    // Reads and findings are part of an action's element, and don't occur here.
    default:
      guard let old = recorded.stateChange, let new = replayed.stateChange, old.seq == new.seq,
        recorded.kind == replayed.kind
      else { break }
      if let origin = old.beginning?.origin {
        result.seq = old.seq
        if case .effect(let id, nil) = origin { sends.remove(id) }
      }
      registerSends(old.effects, new.effects)
      step.add(states.compare(old.patch, new.patch, of: old.seq))
      return step
    }
    return misaligned(recorded, replayed, found)
  }

  /// Records the effects of both logs that send an action immediately.
  private mutating func registerSends(
    _ recorded: [EffectDescription],
    _ replayed: [EffectDescription]
  ) {
    for effect in recorded { registerSends(effect) }
    for effect in replayed { registerSends(effect) }
  }

  /// Returns empty states, for a log or segment that begins with a checkpoint.
  private func newStates(masks: LogMasks?) -> ComparedStates {
    let opaque = result.seq > 0 ? states.opaque : OpaqueComparison(isReplay: isReplay)
    // With the extent `resynced`, patches don't wait, so that one that doesn't fit is reported at its own action.
    let mayWait = isReplay && extent != .resynced
    return ComparedStates(options, masks: masks, isReplay: mayWait, opaque: opaque)
  }

  private mutating func registerSends(_ effect: EffectDescription) {
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
      + JSON.valueDifferences(from: oldAction, to: newAction, isMasked: states.masks != nil)
      .map { LogDifference($0, seq: old.seq, cause: isProduced ? .producedAction : .action) }
  }
}

extension LogComparison {
  /// Advances both logs to the event at which the second log adopted the recorded state.
  ///
  /// - Returns: Whether both logs have that event.
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
    // `findings(_:_:)` has already reported these findings.
    right?.findings = []
    while let element = left, !element.isSame(as: goal) {
      if element.isStop { return false }
      pass(element)
      left = try recorded.next()
    }
    states.adoptRecorded()
    return left != nil
  }

  /// Applies an event that exists only in the recording.
  private mutating func pass(_ element: ComparedEvents.Element) {
    guard case .event(let event) = element.content else { return }
    if case .patch(let patch) = event.stateUpdate {
      _ = states.compare(patch.patch, patch.patch, of: event.seq ?? result.seq)
    }
    if case .action(let action) = event { result.seq = action.seq }
  }
}

extension LogComparison {
  /// Returns the findings of the second log that count as differences, and adds its other findings to the notes.
  private mutating func findings(
    _ left: ComparedEvents.Element?,
    _ right: ComparedEvents.Element?
  ) -> [LogDifference] {
    guard let new = right?.findings, !new.isEmpty else { return [] }
    let known = Set(left?.findings ?? [])
    var differences: [LogDifference] = []
    for finding in new where !known.contains(finding) {
      if finding.code == .resynced {
        states.adoptRecorded()
        continue
      }
      // A member that only one log has can't be compared.
      if finding.code == .schemaDrift { states.ignore(finding.subject) }
      if finding.code == .actionDrift, let place = try? JSON.Pointer(parsing: finding.subject) {
        driftedActions.insert(place)
      }
      if finding.code.isDrift, !options.isStrict {
        appendNote(finding)
      } else if let difference = LogDifference(finding) {
        differences.append(difference)
      } else if !notedSubjects.contains(finding.subject) {
        // The same path can be reported for every action. One note is enough.
        appendNote(finding)
      }
    }
    return differences
  }

  private mutating func appendNote(_ finding: LogEvent.Finding) {
    result.notes.append(finding)
    notedSubjects.insert(finding.subject)
  }
}

extension LogComparison {
  /// Compares two different events at corresponding positions.
  private func misaligned(
    _ recorded: LogEvent,
    _ replayed: LogEvent,
    _ found: [LogDifference]
  ) -> ElementComparison {
    // Cancellations by an action and actions of the reducer are part of an action's result. If only one log has such an
    // event, both logs continue together after it.
    if let difference = LogDifference.cancellations(at: result.seq, recorded, replayed) {
      return ElementComparison(differences: found + [difference])
    }
    if recorded.isCancellationByAction {
      let difference = LogDifference.cancellation(at: result.seq, expected: recorded, actual: nil)
      return ElementComparison(differences: found + [difference], advance: .recorded)
    }
    if replayed.isCancellationByAction {
      let difference = LogDifference.cancellation(at: result.seq, expected: nil, actual: replayed)
      return ElementComparison(differences: found + [difference], advance: .replayed)
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
