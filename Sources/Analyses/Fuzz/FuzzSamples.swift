import ActionLog

/// Which sequences stand for what a search has covered: for each case of an action, one for each size of what it was reduced with.
///
/// The order of a set shows only where it has several elements, so large states and actions count more than small ones.
struct FuzzSamples: Equatable, Sendable {
  /// The largest size of each case.
  private(set) var sizes: [UInt64: UInt64] = [:]

  /// An action that was reduced.
  struct Measure: Hashable, Sendable {
    /// What stands for its cases.
    var cases: UInt64
    /// How many different values the state and the action had, about.
    var size: UInt64
  }

  /// The size of an action, where no sample of its case has as large a one.
  ///
  /// - Parameters:
  ///   - cases: What stands for the cases of the action.
  ///   - state: The shape of the state before it.
  ///   - action: The shape of the action.
  /// - Returns: The size; `nil` where a sample has as large a one.
  func larger(_ cases: UInt64, _ state: StateShape, _ action: StateShape) -> Measure? {
    guard let known = sizes[cases] else {
      return Measure(cases: cases, size: Self.size(state, action))
    }
    // Counting the different ones takes longer.
    guard StateShape.size(state.valueCount + action.valueCount) > known else { return nil }
    let size = Self.size(state, action)
    return size > known ? Measure(cases: cases, size: size) : nil
  }

  private static func size(_ state: StateShape, _ action: StateShape) -> UInt64 {
    StateShape.size(state.differentValues + action.differentValues)
  }

  /// Notes that a sequence is kept.
  ///
  /// - Returns: Whether no other one of its case is as large.
  @discardableResult
  mutating func recordMeasure(_ measure: Measure) -> Bool {
    if let known = sizes[measure.cases], known >= measure.size { return false }
    sizes[measure.cases] = measure.size
    return true
  }
}

/// A sequence that stands for what was covered: it ends with an action of some case, in a large state.
struct FuzzSample: Equatable, Sendable {
  var measure: FuzzSamples.Measure
  var sequence: FuzzSequence
}

/// A sequence, and when it was made.
struct FuzzSequence: Equatable, Sendable {
  var steps: [FuzzStep]
  var origin: FuzzOrigin
  /// How many actions were reduced up to it.
  var transitions: Int

  /// The sequence as one of a search that had made so many runs before the batch.
  func after(runs: Int, transitions: Int) -> Self {
    Self(
      steps: steps,
      origin: origin.after(runs: runs),
      transitions: self.transitions + transitions
    )
  }
}

extension FuzzSample {
  /// The sequences to replay: of each case the largest sample first, then sequences of the pool.
  ///
  /// - Parameters:
  ///   - samples: All samples, in the order in which they were made.
  ///   - pool: Sequences that show parts of states together.
  ///   - count: How many there may be.
  /// - Returns: The sequences that are no beginning of another one.
  static func chosen(
    _ samples: [FuzzSample],
    _ pool: [FuzzSequence],
    atMost count: Int
  ) -> [FuzzSequence] {
    var order: [UInt64] = []
    var cases: [UInt64: [FuzzSequence]] = [:]
    for sample in samples {
      if cases[sample.measure.cases] == nil { order.append(sample.measure.cases) }
      cases[sample.measure.cases, default: []].append(sample.sequence)
    }
    var chosen: [FuzzSequence] = []
    func choose(_ sequences: [FuzzSequence]) {
      for sequence in sequences where chosen.count < count {
        let steps = sequence.steps
        guard !chosen.contains(where: { $0.steps.starts(with: steps) }) else { continue }
        chosen.removeAll { steps.starts(with: $0.steps) }
        chosen.append(sequence)
      }
    }
    // Of one case, later samples are larger.
    for turn in 0..<(cases.values.map(\.count).max() ?? 0) {
      choose(order.compactMap { cases[$0]?.dropLast(turn).last })
    }
    let step = max(1, pool.count / max(1, count - chosen.count))
    choose(stride(from: 0, to: pool.count, by: step).map { pool[$0] })
    return chosen
  }
}

extension FuzzSamples {
  var json: JSON {
    .array(
      sizes.sorted { $0.key < $1.key }.map { Measure(cases: $0.key, size: $0.value).json }
    )
  }

  init(_ json: JSON?) {
    for measure in (json?.array ?? []).compactMap({ Measure($0) }) { recordMeasure(measure) }
  }
}

extension FuzzSamples.Measure {
  fileprivate var json: JSON { [.string(String(cases)), .number(JSON.Number(size))] }

  fileprivate init?(_ json: JSON) {
    guard let parts = json.array, parts.count == 2,
      let cases = parts[0].string.flatMap({ UInt64($0) }),
      let size = parts[1].int.flatMap({ UInt64(exactly: $0) })
    else { return nil }
    self.init(cases: cases, size: size)
  }
}

extension FuzzSample {
  var json: JSON { ["measure": measure.json, "sequence": sequence.json] }

  init?(_ json: JSON) {
    guard let measure = json["measure"].flatMap({ FuzzSamples.Measure($0) }),
      let sequence = json["sequence"].flatMap({ FuzzSequence($0) })
    else { return nil }
    self.init(measure: measure, sequence: sequence)
  }
}

extension FuzzSequence {
  var json: JSON {
    [
      "steps": .array(steps.map(\.json)), "origin": origin.json,
      "transitions": .number(JSON.Number(transitions)),
    ]
  }

  init?(_ json: JSON) {
    guard let steps = json["steps"]?.array, let origin = json["origin"].flatMap({ FuzzOrigin($0) }),
      let transitions = json["transitions"]?.count
    else { return nil }
    self.init(
      steps: steps.compactMap { FuzzStep($0) },
      origin: origin,
      transitions: transitions
    )
  }
}
