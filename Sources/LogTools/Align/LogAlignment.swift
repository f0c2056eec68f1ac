import ActionLog

/// Pairs the steps of two logs: those at the same position, and those that have moved.
struct LogAlignment {
  /// For each step of the first log, the index of its counterpart, or `nil` if the step has moved or has none.
  private(set) var matches: [Int?]
  /// For each step of the second log, the index of its counterpart, or `nil` if the step has moved or has none.
  private(set) var otherMatches: [Int?]
  /// The indexes of counterparts that occur at another position in the second log, keyed by index in the first log.
  private(set) var moved: [Int: Int] = [:]
  /// The indexes of counterparts that occur at another position in the first log, keyed by index in the second log.
  private(set) var otherMoved: [Int: Int] = [:]
  private(set) var ids: IDMapping
  /// The number of operations for the alignment: a measure of cost that is the same on every machine.
  private(set) var work = 0

  let first: AlignmentOutline
  let second: AlignmentOutline
  /// The known action numbers in the second log, keyed by the numbers of their counterparts in the first log.
  private let known: [Int: Int]
  /// The numbers of actions in the second log whose counterparts are known.
  private let knownOthers: Set<Int>

  /// The maximum number of rounds, which bounds the work.
  ///
  /// Each round uses the causes, ids, and dates of the pairs from the previous round.
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

  /// Returns the index of a step's counterpart in the second log, at any position, or `nil` if it has none.
  func counterpart(of index: Int) -> Int? { matches[index] ?? moved[index] }

  /// Returns the index of a step's counterpart in the first log, at any position, or `nil` if it has none.
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

// MARK: - Comparing steps by kind and by values

extension LogAlignment {
  /// The cause of a step, represented so that corresponding steps of both logs have equal causes.
  private enum Cause: Hashable {
    case none
    /// A step that has a counterpart, given by the step's index in the first log.
    case step(Int)
    /// A step without a counterpart, given by the number of its name.
    case path(Int32)
  }

  /// The properties that two steps must share to be paired.
  ///
  /// The payloads and read values of paired steps may differ.
  private struct PairingKey: Hashable {
    let path: Int32
    let sender: Int32
    let cause: Cause
    /// The action number in the second log, or `nil` if the counterpart is not known in advance.
    let known: Int?
  }

  private func kind(_ step: AlignmentOutline.OutlinedStep) -> PairingKey {
    var cause = Cause.none
    if let index = step.cause {
      let isKnown = counterpart(of: index) != nil
      cause = isKnown ? .step(index) : .path(first.steps[index].path)
    }
    let seq = step.isAction ? known[step.seq] : nil
    return PairingKey(path: step.path, sender: step.sender, cause: cause, known: seq)
  }

  private func kind(second step: AlignmentOutline.OutlinedStep) -> PairingKey {
    var cause = Cause.none
    if let index = step.cause {
      cause = counterpart(ofSecond: index).map { .step($0) } ?? .path(second.steps[index].path)
    }
    let seq = step.isAction && knownOthers.contains(step.seq) ? step.seq : nil
    return PairingKey(path: step.path, sender: step.sender, cause: cause, known: seq)
  }

  /// Returns a hash of a step's kind and values, which is the same for equal steps of both logs.
  private func signature(
    _ step: AlignmentOutline.OutlinedStep,
    of side: AlignedComparisonResult.Side,
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

  /// Assigns the same number to equal values of both logs.
  private struct ValueNumbering<Value: Hashable> {
    private var numbers: [Value: Int32] = [:]

    mutating func number(_ value: Value) -> Int32 {
      if let known = numbers[value] { return known }
      let number = Int32(truncatingIfNeeded: numbers.count)
      numbers[value] = number
      return number
    }
  }
}

// MARK: - Search for pairs

extension LogAlignment {
  private mutating func alignment() -> [Int?] {
    var kinds = ValueNumbering<PairingKey>()
    var signatures = ValueNumbering<UInt64>()
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
    var slide = AlignmentTieBreaker()
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

  /// Returns a score from 0 to 7 for the agreement of two steps in their values, consequences, and changes.
  private func agreement(
    _ step: AlignmentOutline.OutlinedStep,
    _ other: AlignmentOutline.OutlinedStep,
    haveEqualValues: Bool
  ) -> Int {
    (haveEqualValues ? 4 : 0) + (step.consequences == other.consequences ? 2 : 0)
      + (step.change == other.change ? 1 : 0)
  }

  /// Pairs the effect events that lie between the same paired actions.
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

  /// Finds pairs of equal steps at different positions.
  ///
  /// If a step and its cause have both moved, the step is found in the round after its cause.
  private mutating func findMoved() {
    for _ in 0..<Self.mostRounds {
      let rest = matches.indices.filter { counterpart(of: $0) == nil }
      let others = otherMatches.indices.filter { counterpart(ofSecond: $0) == nil }
      guard !rest.isEmpty, !others.isEmpty else { return }
      var kinds = ValueNumbering<PairingKey>()
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
