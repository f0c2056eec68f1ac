import ActionLog
import ReplayEngine

/// The comparison of two logs, step by step, after their steps were aligned.
///
/// It reads both logs twice: for the alignment, and for the comparison. Memory holds some words for each step, the ids and
/// dates, and both states.
package struct AlignedComparison {
  /// Opens a log from its beginning.
  package typealias Open = () throws -> LogComparison.Events

  private let alignment: LogAlignment
  private var first: AlignedSide
  private var second: AlignedSide
  private var ids: IDMapping
  private var states: AlignedStates
  private var result: AlignedLogs
  /// The steps without a counterpart since the last pair.
  private var lone = AlignedLogs.Group(place: .lone)
  /// The members of the state that its changes touch.
  private var touched = TouchedMembers()

  /// Reads two logs and aligns them.
  ///
  /// - Throws: The errors of the sources.
  package init(
    _ first: Open,
    _ second: Open,
    options: LogComparison.Options = LogComparison.Options()
  ) throws {
    var names = AlignmentNames()
    let outlines = (
      try AlignmentOutline(try first(), &names), try AlignmentOutline(try second(), &names)
    )
    alignment = LogAlignment(outlines.0, outlines.1)
    ids = alignment.ids
    states = AlignedStates(options, masks: outlines.0.masks)
    self.first = AlignedSide(try first())
    self.second = AlignedSide(try second())
    result = AlignedLogs(
      first: AlignedLogs.Length(actions: outlines.0.actionCount, last: outlines.0.last),
      second: AlignedLogs.Length(actions: outlines.1.actionCount, last: outlines.1.last),
      features: [outlines.0.feature, outlines.1.feature]
    )
    result.work = alignment.work
  }

  /// Compares.
  ///
  /// - Throws: The errors of the sources.
  package mutating func run() throws -> AlignedLogs {
    try prepare(.first)
    try prepare(.second)
    compareStates(of: 0, from: .input, in: .start)
    while try compareNext() {}
    compareEnds()
    result.mapped = ids.pairs
    result.notes += states.findings(at: result.first.last)
    result.matchedIgnores = states.matchedIgnores
    return result
  }

  /// Goes to the next step of a log.
  private mutating func prepare(_ side: AlignedLogs.Side) throws {
    if side == .first { try first.prepare() } else { try second.prepare() }
  }

  private mutating func compareNext() throws -> Bool {
    let isLone = first.step != nil && alignment.matches[first.index] == nil
    let isOtherLone = second.step != nil && alignment.otherMatches[second.index] == nil
    if isLone || isOtherLone {
      try pass(isLone ? .first : .second)
      return true
    }
    finishLone()
    guard let old = first.step, let new = second.step else { return false }
    try compare(old, new)
    return true
  }
}

// MARK: - Steps without a counterpart

extension AlignedComparison {
  /// Applies a step that only one log has at this place.
  private mutating func pass(_ side: AlignedLogs.Side) throws {
    let isFirst = side == .first
    guard let step = isFirst ? first.step : second.step else { return }
    let index = isFirst ? first.index : second.index
    let outline = isFirst ? alignment.first : alignment.second
    let other = isFirst ? alignment.moved[index] : alignment.otherMoved[index]
    let others = isFirst ? alignment.second : alignment.first
    lone.lone.append(
      AlignedLogs.Lone(
        side: side,
        seq: outline.steps[index].seq,
        event: step.event,
        movedTo: other.map { others.steps[$0].seq },
        place: isFirst ? outline.steps[index].seq : alignedSeq
      )
    )
    if let patch = step.change?.logged.patch { touched.insert(patch) }
    if isFirst { lone.differences += first.apply(of: outline.steps[index].seq) }
    if !isFirst { lone.differences += second.apply(of: alignedSeq) }
    try prepare(side)
  }

  /// The last action of the first log that has been compared or passed.
  private var alignedSeq: Int {
    first.index > 0 ? alignment.first.steps[first.index - 1].seq : 0
  }

  private mutating func finishLone() {
    guard !lone.lone.isEmpty else { return }
    let group = lone
    lone = AlignedLogs.Group(place: .lone)
    result.groups.append(group)
    compareStates(of: alignedSeq, from: .outcome(hasDates: false), in: .lone)
  }
}

// MARK: - Pairs of steps

extension AlignedComparison {
  private mutating func compare(_ old: LoggedSteps.Step, _ new: LoggedSteps.Step) throws {
    let (step, other) = (alignment.first.steps[first.index], alignment.second.steps[second.index])
    let seq = step.seq
    if step.isAction { addMatch(seq, other.seq) }
    // Effect events are reported with the action before them.
    let hasAction = aligned(other.seq) == seq || seq == 0
    let place: AlignedLogs.Group.Place =
      hasAction ? .actions(first: seq, second: other.seq) : .after(seq)
    var found = compareEvents(old.event, new.event, seq, other)
    let findings = compare(old.findings, new.findings)
    found = findings + found
    if !findings.contains(where: { $0.cause == .reads }) {
      let reads = new.reads.map { read in
        LogEvent.Read(seq: seq, key: read.key, value: ids.translated(read.value))
      }
      found += LogDifference.reads(of: seq, old.reads, reads)
    }
    let hasDates = holdsDates(step)
    let isSameChange = compareChanges(old, new, seq, hasDates, &found)
    let effects = compareEffects(old, new, seq, other.seq, hasDates)
    found += first.apply(of: seq)
    found += second.apply(of: seq)
    add(found, to: place)
    if !isSameChange {
      compareStates(
        of: seq,
        from: .outcome(hasDates: hasDates),
        in: place
      )
    }
    touched = TouchedMembers()
    add(effects, to: place)
    try prepare(.first)
    try prepare(.second)
    if first.hasNewState || second.hasNewState {
      compareStates(of: seq, from: .input, in: place)
    }
    if step.isAction, first.state == nil || second.state == nil { result.unknownStates += 1 }
  }

  private mutating func add(
    _ differences: [LogDifference],
    continuing: [LogDifference] = [],
    to place: AlignedLogs.Group.Place
  ) {
    guard !differences.isEmpty || !continuing.isEmpty else { return }
    if result.groups.last?.place != place {
      result.groups.append(AlignedLogs.Group(place: place))
    }
    let last = result.groups.count - 1
    result.groups[last].differences += states.classified(differences).map(\.unmarked)
    result.groups[last].continuing += continuing.map(\.unmarked)
    if result.groups[last].differences.isEmpty, result.groups[last].continuing.isEmpty,
      result.groups[last].lone.isEmpty
    {
      result.groups.removeLast()
    }
  }

  private mutating func addMatch(_ seq: Int, _ other: Int) {
    if let last = result.matches.last, last.first.upperBound + 1 == seq,
      last.second.upperBound + 1 == other
    {
      result.matches[result.matches.count - 1] = AlignedLogs.Match(
        first: last.first.lowerBound...seq,
        second: last.second.lowerBound...other
      )
    } else {
      result.matches.append(AlignedLogs.Match(first: seq...seq, second: other...other))
    }
  }

  private func holdsDates(_ step: AlignmentOutline.Step) -> Bool {
    let outline = alignment.first
    func isDate(_ id: LoggedID) -> Bool { id.kind == .date }
    return outline.ids[step.ids].contains(where: isDate)
      || outline.reads[step.reads].contains { outline.ids[$0.ids].contains(where: isDate) }
  }

  /// The value of the second log with the ids and dates of the first, of which those are learned that first appear here.
  private mutating func translated(
    _ new: JSON,
    like old: JSON,
    from origin: IDMapping.Origin
  ) -> JSON {
    var result = ids.translated(new)
    // Each round can reveal which rows correspond.
    for _ in 0..<3 {
      guard result != old, ids.learn(old, result, from: origin) else { break }
      result = ids.translated(new)
    }
    return result
  }

  private mutating func compareEvents(
    _ old: LogEvent,
    _ new: LogEvent,
    _ seq: Int,
    _ other: AlignmentOutline.Step
  ) -> [LogDifference] {
    switch (old, new) {
    case (.action(let old), .action(let new)):
      var found = compare(old.origin, new.origin, seq)
      guard !old.logged.hasSameText(as: new.logged) || !ids.pairs.isEmpty else { return found }
      let action = old.action
      let replayed = translated(new.action, like: action, from: .input)
      guard action != replayed else { return found }
      found += JSON.differences(
        from: action.ignoringSubstitutes,
        to: replayed.ignoringSubstitutes
      )
      .filter { states.masks == nil || !$0.isHiddenBySubstitutes }
      .map { LogDifference($0, seq: seq, cause: .action) }
      return found
    case (.excluded(let old), .excluded(let new)): return compare(old.origin, new.origin, seq)
    case (.effect(let old), .effect(let new)): return compare(old, new, seq)
    default: return []
    }
  }

  private mutating func compare(
    _ old: LogEvent.Effect,
    _ new: LogEvent.Effect,
    _ seq: Int
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
      return difference("by", canceller.json, aligned(other).json)
        + difference("drops", .number(JSON.Number(drops)), .number(JSON.Number(otherDrops)))
    case (.failed(let error), .failed(let other)):
      let other = translated(other, like: error, from: .input)
      return difference("error", error.ignoringSubstitutes, other.ignoringSubstitutes)
    default: return []
    }
  }

  /// The findings that only the second log has; those that are no differences become notes.
  private mutating func compare(
    _ old: [LogEvent.Finding],
    _ new: [LogEvent.Finding]
  ) -> [LogDifference] {
    guard !new.isEmpty else { return [] }
    let known = Set(old.map(\.subject))
    var found: [LogDifference] = []
    for finding in new where finding.code != .resynced && !known.contains(finding.subject) {
      if finding.code == .schemaDrift { states.ignore(finding.subject) }
      if !finding.code.isDrift, let difference = LogDifference(finding) {
        found.append(difference)
      } else if !result.notes.contains(where: { $0.subject == finding.subject }) {
        result.notes.append(finding)
      }
    }
    return found
  }
}

// MARK: - Causes and effects

extension AlignedComparison {
  /// The number in the first log of an action of the second one; `nil` where it has no counterpart.
  private func aligned(_ seq: Int) -> Int? {
    guard let index = alignment.second.indexes[seq],
      let other = alignment.counterpart(ofSecond: index)
    else { return nil }
    return alignment.first.steps[other].seq
  }

  private func aligned(_ id: EffectID) -> EffectID {
    aligned(id.seq).map { EffectID(seq: $0, index: id.index) } ?? id
  }

  private func aligned(_ canceller: LogEvent.Effect.Canceller) -> LogEvent.Effect.Canceller {
    switch canceller {
    case .action(let seq): .action(seq: aligned(seq) ?? seq)
    case .effect(let id): .effect(aligned(id))
    case .task, .store: canceller
    }
  }

  private func compare(
    _ old: LogEvent.Origin,
    _ new: LogEvent.Origin,
    _ seq: Int
  ) -> [LogDifference] {
    var aligned = new
    switch new {
    case .effect(var id, let via):
      let count = count(of: id.seq, in: alignment.second)
      id = self.aligned(id)
      // Another number of effects shifts their indexes; the alignment has compared their names.
      if case .effect(let own, _) = old, own.seq == id.seq,
        self.count(of: own.seq, in: alignment.first) != count
      {
        id.index = own.index
      }
      aligned = .effect(id, via: via)
    case .reentrant(let seq): aligned = .reentrant(seq: self.aligned(seq) ?? seq)
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

  private func count(of seq: Int, in outline: AlignmentOutline) -> Int {
    outline.indexes[seq].map { outline.steps[$0].effects } ?? 0
  }

  private mutating func compareEffects(
    _ old: LoggedSteps.Step,
    _ new: LoggedSteps.Step,
    _ seq: Int,
    _ other: Int,
    _ hasDates: Bool
  ) -> [LogDifference] {
    let (effects, others) = (old.change?.effects ?? [], new.change?.effects ?? [])
    guard !effects.isEmpty || !others.isEmpty, old.change != nil, new.change != nil else {
      return []
    }
    var replayed = others.map { translated($0) }
    let described = JSON.array(effects.compactMap(\.comparable?.json))
    for _ in 0..<3 {
      let json = JSON.array(replayed.compactMap(\.comparable?.json))
      guard json != described,
        ids.learn(described, json, from: .outcome(hasDates: hasDates))
      else { break }
      replayed = others.map { translated($0) }
    }
    return EffectDescription.differences(of: seq, effects, replayed)
      .filter { states.masks?.hides($0) != true }
  }

  private func translated(_ effect: EffectDescription) -> EffectDescription {
    var result = effect
    result.id = effect.id.map { aligned($0) }
    if let action = effect.action { result.action = ids.translated(action) }
    if let input = effect.input { result.input = ids.translated(input) }
    if var id = effect.cancelID {
      id.value = ids.translated(id.value)
      id.path = id.path.map { ids.translated($0) }
      result.cancelID = id
    }
    result.effects = effect.effects.map { translated($0) }
    return result
  }
}

// MARK: - States

extension AlignedComparison {
  /// Compares the changes of two steps, without the states.
  ///
  /// - Returns: Whether both do the same to their states.
  private mutating func compareChanges(
    _ old: LoggedSteps.Step,
    _ new: LoggedSteps.Step,
    _ seq: Int,
    _ hasDates: Bool,
    _ found: inout [LogDifference]
  ) -> Bool {
    if old.event.isAction, (old.update == nil) != (new.update == nil) {
      found.append(LogDifference(endOf: seq, isFirst: old.update == nil))
    }
    guard let change = old.change?.logged, let other = new.change?.logged else {
      if let patch = (old.change ?? new.change)?.logged.patch { touched.insert(patch) }
      return old.change == nil && new.change == nil
    }
    if change.isEmpty, other.isEmpty { return true }
    let (patch, otherPatch) = (change.patch, other.patch)
    touched.insert(patch)
    touched.insert(otherPatch)
    guard let state = first.state, let otherState = second.state,
      patch.operations.count == otherPatch.operations.count
    else { return false }
    let origin: IDMapping.Origin = .outcome(hasDates: hasDates)
    for (one, another) in zip(patch.operations, otherPatch.operations) {
      guard isSame(one, in: state, another, in: otherState, origin) else { return false }
    }
    return true
  }

  private mutating func isSame(
    _ old: JSON.Patch.Operation,
    in state: JSON,
    _ new: JSON.Patch.Operation,
    in other: JSON,
    _ origin: IDMapping.Origin
  ) -> Bool {
    func isSame(_ path: JSON.Pointer, _ another: JSON.Pointer, inserts: Bool = false) -> Bool {
      let place = RowPlace(path, in: state, inserts: inserts)
      return place.steps
        == RowPlace(another, in: other, inserts: inserts).steps.map {
          ids.translated($0)
        }
    }
    switch (old, new) {
    case (.add(let path, let value), .add(let another, let replayed)):
      return isSame(path, another, inserts: true)
        && translated(replayed, like: value, from: origin) == value
    case (.replace(let path, let value), .replace(let another, let replayed)),
      (.test(let path, let value), .test(let another, let replayed)):
      return isSame(path, another) && translated(replayed, like: value, from: origin) == value
    case (.remove(let path), .remove(let another)): return isSame(path, another)
    case (.move(let from, let path), .move(let otherFrom, let another)),
      (.copy(let from, let path), .copy(let otherFrom, let another)):
      return isSame(from, otherFrom) && isSame(path, another, inserts: true)
    case (.splice(let path, let splice), .splice(let another, let replayed)):
      return splice == replayed && isSame(path, another)
    default: return false
    }
  }

  private mutating func compareStates(
    of seq: Int,
    from origin: IDMapping.Origin,
    isLast: Bool = false,
    in place: AlignedLogs.Group.Place
  ) {
    defer { touched = TouchedMembers() }
    guard let state = first.state, let other = second.state else { return }
    let isWhole = isLast || first.hasNewState || second.hasNewState
    (first.hasNewState, second.hasNewState) = (false, false)
    let members = isWhole ? nil : touched.names
    guard isWhole || !touched.isEmpty else { return }
    guard let found = states.compare(state, other, members, of: seq, &ids, from: origin) else {
      result.comparedChanges += 1
      return
    }
    add(found.new, continuing: found.continuing, to: place)
  }

  private mutating func compareEnds() {
    let last = result.first.last
    let (end, other) = (alignment.first.end, alignment.second.end)
    if end?.reason != other?.reason {
      add([LogDifference(end, other, after: last)], to: .end)
    }
    states.hasBudget = true
    compareStates(of: last, from: .outcome(hasDates: true), isLast: true, in: .end)
  }
}

extension LogDifference {
  /// The difference between logs of which one ends within an action.
  fileprivate init(endOf seq: Int, isFirst: Bool) {
    let sides = ["the end of the file", "change \(seq)"]
    self.init(
      seq: seq,
      cause: .sequence,
      subject: "change \(seq)",
      expected: .string(sides[isFirst ? 0 : 1]),
      actual: .string(sides[isFirst ? 1 : 0])
    )
  }

  /// The difference between the ends of two logs, of which one may have been cut.
  fileprivate init(_ end: LogEvent.End?, _ other: LogEvent.End?, after seq: Int) {
    func name(_ end: LogEvent.End?) -> JSON {
      .string(end.map { "the end (\($0.reason))" } ?? "the end of the file")
    }
    self.init(
      seq: seq,
      cause: .sequence,
      subject: "end",
      expected: name(end),
      actual: name(other)
    )
  }

  /// The difference without marks of a translation.
  fileprivate var unmarked: LogDifference {
    var result = self
    // Both texts are the same without the mark.
    if let actual, message == nil, IDMapping.isMarked(actual) { result.message = Wording.otherID }
    result.subject = IDMapping.unmarked(subject)
    result.expected = expected.map { IDMapping.unmarked($0) }
    result.actual = actual.map { IDMapping.unmarked($0) }
    return result
  }
}
