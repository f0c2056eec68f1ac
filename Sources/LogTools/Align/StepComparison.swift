import ActionLog
import ReplayEngine

/// Compares two corresponding steps by their values, senders, reads, findings, and effects.
///
/// States and changes are compared elsewhere, because they depend on all previous steps.
struct StepComparison {
  /// Two corresponding steps: their events and their outlines.
  struct Pair {
    let old: LoggedSteps.LoggedStep
    let new: LoggedSteps.LoggedStep
    let first: AlignmentOutline.OutlinedStep
    let second: AlignmentOutline.OutlinedStep

    /// The action's number in the first log, or the number of the last action before the step if it is not an action.
    var seq: Int { first.seq }
  }

  private let alignment: LogAlignment
  private let masks: LogMasks?
  /// The findings in the second log that are not differences, one for each subject.
  private(set) var notes: [LogEvent.Finding] = []
  /// The paths that only one log has, as reported by schema drift findings in the second log.
  private var drifts: Set<String> = []

  init(_ alignment: LogAlignment) {
    (self.alignment, masks) = (alignment, alignment.first.masks)
  }

  /// Returns the paths that were found since the last call, and removes them from this value.
  mutating func consumeDrifts() -> Set<String> {
    defer { drifts = [] }
    return drifts
  }

  /// Returns the origin of values that first appear in the changes or effects of a step.
  func origin(of step: AlignmentOutline.OutlinedStep) -> IDMapping.IDProvenance {
    let outline = alignment.first
    func isDate(_ id: RunSpecificValue) -> Bool { id.kind == .date }
    return .outcome(
      hasDates: outline.ids[step.ids].contains(where: isDate)
        || outline.reads[step.reads].contains { outline.ids[$0.ids].contains(where: isDate) }
    )
  }

  /// Compares the events, reads, and findings of two steps.
  ///
  /// - Parameters:
  ///   - pair: The steps.
  ///   - ids: The mapping between the ids and dates of both logs. The comparison adds pairs that it finds in the steps.
  /// - Returns: The differences, with values translated to the first log's ids and dates.
  mutating func compare(_ pair: Pair, _ ids: inout IDMapping) -> [LogDifference] {
    let events = compareEvents(pair, &ids)
    let findings = compare(pair.old.findings, pair.new.findings)
    guard !findings.contains(where: { $0.cause == .reads }) else { return findings + events }
    let reads = pair.new.reads.map { read in
      LogEvent.Read(seq: pair.seq, key: ids.translated(read.key), value: ids.translated(read.value))
    }
    return findings + events + LogDifference.reads(of: pair.seq, pair.old.reads, reads)
  }

  private func compareEvents(_ pair: Pair, _ ids: inout IDMapping) -> [LogDifference] {
    switch (pair.old.event, pair.new.event) {
    case (.action(let old), .action(let new)):
      return compare(old.origin, new.origin, pair.seq) + compareValues(old, new, pair.seq, &ids)
    case (.excluded(let old), .excluded(let new)): return compare(old.origin, new.origin, pair.seq)
    case (.effect(let old), .effect(let new)): return compare(old, new, pair.seq, &ids)
    default: return []
    }
  }

  private func compareValues(
    _ old: LogEvent.Action,
    _ new: LogEvent.Action,
    _ seq: Int,
    _ ids: inout IDMapping
  ) -> [LogDifference] {
    guard !old.logged.hasSameText(as: new.logged) || !ids.pairs.isEmpty else { return [] }
    let action = old.action
    let replayed = ids.translated(new.action, like: action, from: .input)
    guard action != replayed else { return [] }
    return JSON.valueDifferences(from: action, to: replayed, isMasked: masks != nil)
      .map { LogDifference($0, seq: seq, cause: .action) }
  }

  private func compare(
    _ old: LogEvent.Effect,
    _ new: LogEvent.Effect,
    _ seq: Int,
    _ ids: inout IDMapping
  ) -> [LogDifference] {
    func difference(_ member: String, _ expected: JSON, _ actual: JSON) -> [LogDifference] {
      guard expected != actual else { return [] }
      return [
        LogDifference(
          seq: seq,
          cause: .effects,
          subject: old.id.description,
          member: member,
          expected: expected,
          actual: actual
        )
      ]
    }
    switch (old.event, new.event) {
    case (.finished(let sent), .finished(let other)):
      return difference("sent", .number(JSON.Number(sent)), .number(JSON.Number(other)))
    case (.cancelled(let canceller, let drops), .cancelled(let other, let otherDrops)):
      return difference("by", canceller.json, alignment.aligned(other).json)
        + difference("drops", .number(JSON.Number(drops)), .number(JSON.Number(otherDrops)))
    case (.failed(let error), .failed(let other)):
      let other = ids.translated(other, like: error, from: .input)
      return difference("error", error.ignoringSubstitutes, other.ignoringSubstitutes)
    default: return []
    }
  }

  /// Returns differences for findings that only the second log has, and stores findings that are not differences.
  private mutating func compare(
    _ old: [LogEvent.Finding],
    _ new: [LogEvent.Finding]
  ) -> [LogDifference] {
    guard !new.isEmpty else { return [] }
    let known = Set(old.map(\.subject))
    var found: [LogDifference] = []
    for finding in new where finding.code != .resynced && !known.contains(finding.subject) {
      if finding.code == .schemaDrift { drifts.insert(finding.subject) }
      if !finding.code.isDrift, let difference = LogDifference(finding) {
        found.append(difference)
      } else if !notes.contains(where: { $0.subject == finding.subject }) {
        notes.append(finding)
      }
    }
    return found
  }
}

// MARK: - Senders and effects

extension StepComparison {
  private func compare(
    _ old: LogEvent.Origin,
    _ new: LogEvent.Origin,
    _ seq: Int
  ) -> [LogDifference] {
    var aligned = new
    switch new {
    case .effect(var id, let via):
      let count = alignment.second.effectCount(of: id.seq)
      id = alignment.aligned(id)
      // If the actions started different numbers of effects, indexes have shifted. The alignment has already compared
      // the names of the effects.
      if case .effect(let own, _) = old, own.seq == id.seq,
        alignment.first.effectCount(of: own.seq) != count
      {
        id.index = own.index
      }
      aligned = .effect(id, via: via)
    case .reentrant(let seq): aligned = .reentrant(seq: alignment.aligned(seq) ?? seq)
    case .view, .parent: break
    }
    guard old != aligned else { return [] }
    return [
      LogDifference(
        seq: seq,
        cause: .origin,
        subject: "origin",
        expected: old.json,
        actual: aligned.json
      )
    ]
  }

  /// Compares the effects that started with two corresponding steps.
  ///
  /// - Parameters:
  ///   - pair: The two steps.
  ///   - ids: The mapping between the ids and dates of both logs. The comparison adds pairs that it finds in the
  ///     effects.
  /// - Returns: The differences, without those that masks hide.
  func compareEffects(_ pair: Pair, _ ids: inout IDMapping) -> [LogDifference] {
    guard let change = pair.old.change, let other = pair.new.change,
      !change.effects.isEmpty || !other.effects.isEmpty
    else { return [] }
    var replayed = other.effects.map { translated($0, ids) }
    let described = JSON.array(change.effects.compactMap(\.comparable?.json))
    let origin = origin(of: pair.first)
    // Mapping an id can reveal further counterparts, so the translation is repeated.
    for _ in 0..<3 {
      let json = JSON.array(replayed.compactMap(\.comparable?.json))
      guard json != described, ids.learn(described, json, from: origin) else { break }
      replayed = other.effects.map { translated($0, ids) }
    }
    return EffectDescription.differences(of: pair.seq, change.effects, replayed)
      .filter { masks?.hides($0) != true }
  }

  private func translated(_ effect: EffectDescription, _ ids: IDMapping) -> EffectDescription {
    var result = effect
    result.id = effect.id.map { alignment.aligned($0) }
    result.name = effect.name.map { ids.translated($0) }
    if let action = effect.action { result.action = ids.translated(action) }
    if let input = effect.input { result.input = ids.translated(input) }
    if var id = effect.cancelID {
      id.value = ids.translated(id.value)
      id.path = id.path.map { ids.translated($0) }
      result.cancelID = id
    }
    result.effects = effect.effects.map { translated($0, ids) }
    return result
  }
}

extension LogAlignment {
  /// Translates an action number from the second log to the first log, or returns `nil` if the action has no
  /// counterpart.
  func aligned(_ seq: Int) -> Int? {
    guard let index = second.indexes[seq], let other = counterpart(ofSecond: index) else {
      return nil
    }
    return first.steps[other].seq
  }

  /// Translates an effect id from the second log to the first log.
  ///
  /// If the action that started the effect has no counterpart, the id is returned unchanged.
  func aligned(_ id: EffectID) -> EffectID {
    aligned(id.seq).map { EffectID(seq: $0, index: id.index) } ?? id
  }

  /// Translates a canceller from the second log to the first log.
  func aligned(_ canceller: LogEvent.Effect.Canceller) -> LogEvent.Effect.Canceller {
    switch canceller {
    case .action(let seq): .action(seq: aligned(seq) ?? seq)
    case .effect(let id): .effect(aligned(id))
    case .task, .store: canceller
    }
  }
}

extension AlignmentOutline {
  /// Returns the number of effects that the action with this number started.
  func effectCount(of seq: Int) -> Int { indexes[seq].map { steps[$0].effects } ?? 0 }
}
