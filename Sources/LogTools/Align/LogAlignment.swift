import ActionLog

/// The pairs of steps of two logs.
struct LogAlignment {
  /// For each step of the first log, the index of its counterpart at the same position.
  private(set) var matches: [Int?]
  /// For each step of the second log, the index of its counterpart at the same position.
  private(set) var otherMatches: [Int?]
  /// The counterparts of steps that occur at different positions, by their indexes in the first log.
  private(set) var moved: [Int: Int] = [:]
  /// The counterparts of steps that occur at different positions, by their indexes in the second log.
  private(set) var otherMoved: [Int: Int] = [:]
  private(set) var ids: IDMapping
  /// The amount of work, in units that do not depend on the machine.
  private(set) var work = 0

  let first: AlignmentOutline
  let second: AlignmentOutline
  /// The actions of the second log by their known counterparts in the first log.
  private let known: [Int: Int]
  /// The actions of the second log whose counterparts are known.
  private let knownOthers: Set<Int>

  /// The maximum number of rounds.
  ///
  /// Each round uses the causes, ids and dates of the pairs from the previous round.
  private static let mostRounds = 4

  init(_ first: AlignmentOutline, _ second: AlignmentOutline, known: [Int: Int] = [:]) {
    (self.first, self.second, self.known) = (first, second, known)
    knownOthers = Set(known.values)
    ids = IDMapping(first, second)
    matches = Array(repeating: nil, count: first.steps.count)
    otherMatches = Array(repeating: nil, count: second.steps.count)
    for _ in 0..<Self.mostRounds {
      let found = alignment()
      if found == matches { break }
      matches = found
      otherMatches = Array(repeating: nil, count: second.steps.count)
      for (index, other) in found.enumerated() { if let other { otherMatches[other] = index } }
      mapReads()
    }
    findMoved()
  }

  /// Returns the counterpart in the second log, at the same position or at another one.
  func counterpart(of index: Int) -> Int? { matches[index] ?? moved[index] }

  /// Returns the counterpart in the first log, at the same position or at another one.
  func counterpart(ofSecond index: Int) -> Int? { otherMatches[index] ?? otherMoved[index] }

  private mutating func mapReads() {
    ids.removeAll()
    for (index, other) in matches.enumerated() {
      if let other { mapReads(index, other) }
    }
  }

  private mutating func mapReads(_ index: Int, _ other: Int) {
    let reads = first.reads[first.steps[index].reads]
    let others = second.reads[second.steps[other].reads]
    guard !reads.isEmpty, !others.isEmpty else { return }
    let pairs = SequenceAlignment(reads.map(\.key), others.map(\.key)).counterparts
    for (read, other) in zip(reads, pairs) {
      guard let other else { continue }
      let counterpart = others[others.startIndex + other]
      guard read.rest == counterpart.rest else { continue }
      for (id, other) in zip(first.ids[read.ids], second.ids[counterpart.ids]) {
        ids.mapRead(id, other)
      }
    }
  }
}

// MARK: - Identity of steps

extension LogAlignment {
  /// The step that sent another one, in terms that both logs share.
  private enum Cause: Hashable {
    case none
    /// A step with a counterpart, by its index in the first log.
    case step(Int)
    /// A step without a counterpart, by the number of its name.
    case path(Int32)
  }

  /// The identity of a step without its values.
  private struct Kind: Hashable {
    let path: Int32
    let sender: Int32
    let cause: Cause
    /// The number of the corresponding action in the second log; `nil` if it is not known.
    let known: Int?
  }

  private func kind(_ step: AlignmentOutline.OutlinedStep) -> Kind {
    var cause = Cause.none
    if let index = step.cause {
      let isKnown = counterpart(of: index) != nil
      cause = isKnown ? .step(index) : .path(first.steps[index].path)
    }
    let seq = step.isAction ? known[step.seq] : nil
    return Kind(path: step.path, sender: step.sender, cause: cause, known: seq)
  }

  private func kind(second step: AlignmentOutline.OutlinedStep) -> Kind {
    var cause = Cause.none
    if let index = step.cause {
      cause = counterpart(ofSecond: index).map { .step($0) } ?? .path(second.steps[index].path)
    }
    let seq = step.isAction && knownOthers.contains(step.seq) ? step.seq : nil
    return Kind(path: step.path, sender: step.sender, cause: cause, known: seq)
  }

  /// Returns the identity of a step including its values.
  private func signature(
    _ step: AlignmentOutline.OutlinedStep,
    of side: AlignedLogs.Side,
    _ kind: Int32,
    withReads: Bool
  ) -> UInt64 {
    let outline = side == .first ? first : second
    var hash = StableHash()
    func combine(_ range: Range<Int>) {
      for id in outline.ids[range] {
        hash.combine(side == .first ? ids.canonical(first: id) : ids.canonical(second: id))
      }
    }
    hash.combine(UInt64(truncatingIfNeeded: kind))
    hash.combine(step.payload)
    combine(step.ids)
    if withReads { for read in outline.reads[step.reads] { combine(read.ids) } }
    return hash.value
  }

  /// Equal numbers for equal values of both logs.
  private struct Numbers<Value: Hashable> {
    private var numbers: [Value: Int32] = [:]

    mutating func number(_ value: Value) -> Int32 {
      if let known = numbers[value] { return known }
      let number = Int32(truncatingIfNeeded: numbers.count)
      numbers[value] = number
      return number
    }
  }
}

// MARK: - The search

extension LogAlignment {
  private mutating func alignment() -> [Int?] {
    var kinds = Numbers<Kind>()
    var signatures = Numbers<UInt64>()
    let names = first.steps.map { kinds.number(kind($0)) }
    let otherNames = second.steps.map { kinds.number(kind(second: $0)) }
    // Actions are aligned first. Effect events are then paired between them.
    let actions = first.steps.indices.filter { !first.steps[$0].isEffectEvent }
    let otherActions = second.steps.indices.filter { !second.steps[$0].isEffectEvent }
    let values = actions.map {
      signatures.number(signature(first.steps[$0], of: .first, names[$0], withReads: true))
    }
    let otherValues = otherActions.map {
      signatures.number(signature(second.steps[$0], of: .second, otherNames[$0], withReads: true))
    }
    let exact = SequenceAlignment(values, otherValues)
    work += exact.work
    let (own, others) = (actions.map { names[$0] }, otherActions.map { otherNames[$0] })
    var completion = AlignmentCompletion(own, others)
    var found = completion.complete(exact.counterparts)
    work += completion.work
    var slide = AlignmentSlide()
    slide.run(&found, own, others) { index, other in
      agreement(
        first.steps[actions[index]],
        second.steps[otherActions[other]],
        haveEqualValues: values[index] == otherValues[other]
      )
    }
    work += slide.work
    var result: [Int?] = Array(repeating: nil, count: names.count)
    for (index, other) in found.enumerated() {
      result[actions[index]] = other.map { otherActions[$0] }
    }
    alignEffectEvents(&result, names, otherNames)
    return result
  }

  /// Returns a score of how much two steps of one kind have in common: their values, consequences and changes.
  private func agreement(
    _ step: AlignmentOutline.OutlinedStep,
    _ other: AlignmentOutline.OutlinedStep,
    haveEqualValues: Bool
  ) -> Int {
    (haveEqualValues ? 4 : 0) + (step.consequences == other.consequences ? 2 : 0)
      + (step.change == other.change ? 1 : 0)
  }

  /// Pairs effect events between paired actions.
  private mutating func alignEffectEvents(
    _ result: inout [Int?],
    _ names: [Int32],
    _ otherNames: [Int32]
  ) {
    let pairs = result.enumerated().compactMap { index, other in other.map { (index, $0) } }
    var start = (0, 0)
    for end in pairs + [(names.count, otherNames.count)] {
      let events = (start.0..<end.0).filter { first.steps[$0].isEffectEvent }
      let others = (start.1..<end.1).filter { second.steps[$0].isEffectEvent }
      start = (end.0 + 1, end.1 + 1)
      guard !events.isEmpty, !others.isEmpty else { continue }
      let found = SequenceAlignment(events.map { names[$0] }, others.map { otherNames[$0] })
      work += found.work
      for (index, other) in found.counterparts.enumerated() {
        result[events[index]] = other.map { others[$0] }
      }
    }
  }

  /// Finds steps that the logs have at different positions.
  ///
  /// A step whose cause has moved is found in the round after its cause.
  private mutating func findMoved() {
    for _ in 0..<Self.mostRounds {
      let rest = matches.indices.filter { counterpart(of: $0) == nil }
      let others = otherMatches.indices.filter { counterpart(ofSecond: $0) == nil }
      guard !rest.isEmpty, !others.isEmpty else { return }
      var kinds = Numbers<Kind>()
      var places: [UInt64: [Int]] = [:]
      for index in others.reversed() {
        let step = second.steps[index]
        let number = kinds.number(kind(second: step))
        places[signature(step, of: .second, number, withReads: false), default: []].append(index)
      }
      var hasFound = false
      for index in rest {
        let step = first.steps[index]
        let signature = signature(
          step,
          of: .first,
          kinds.number(kind(step)),
          withReads: false
        )
        guard let other = places[signature]?.popLast() else { continue }
        (moved[index], otherMoved[other]) = (other, index)
        hasFound = true
      }
      guard hasFound else { return }
      for (index, other) in moved.sorted(by: { $0.key < $1.key }) { mapReads(index, other) }
    }
  }
}
