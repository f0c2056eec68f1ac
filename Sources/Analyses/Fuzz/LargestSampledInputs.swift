import ActionLog

/// The sizes of stored samples, which are sequences that represent the coverage of a search.
///
/// An action case gets a new sample when an input is larger than those of its earlier samples. Large inputs are
/// preferred, because the order of a set is visible only with several elements.
struct LargestSampledInputs: Equatable, Sendable {
  /// The largest size of a sample, keyed by the hash of the action's cases.
  private(set) var sizes: [UInt64: UInt64] = [:]

  /// The size of the input with which an action was reduced.
  struct InputSize: Hashable, Sendable {
    /// The hash of the action's case names.
    var cases: UInt64
    /// The size class of the number of distinct values in the state and the action.
    var size: UInt64
  }

  /// Returns the size of an action's input if it is larger than in all samples of the same case.
  ///
  /// - Parameters:
  ///   - cases: The hash of the action's case names.
  ///   - state: The shape of the state before the action.
  ///   - action: The shape of the action.
  /// - Returns: The size, or `nil` if a sample is at least as large.
  func larger(_ cases: UInt64, _ state: StateShape, _ action: StateShape) -> InputSize? {
    guard let known = sizes[cases] else {
      return InputSize(cases: cases, size: Self.size(state, action))
    }
    // The number of all values is an upper limit, and faster to compute than the number of distinct values.
    guard StateShape.size(state.valueCount + action.valueCount) > known else { return nil }
    let size = Self.size(state, action)
    return size > known ? InputSize(cases: cases, size: size) : nil
  }

  private static func size(_ state: StateShape, _ action: StateShape) -> UInt64 {
    StateShape.size(state.differentValues + action.differentValues)
  }

  /// Registers the size of a sample.
  ///
  /// - Returns: Whether the sample is larger than all earlier samples of its case.
  @discardableResult
  mutating func recordMeasure(_ measure: InputSize) -> Bool {
    if let known = sizes[measure.cases], known >= measure.size { return false }
    sizes[measure.cases] = measure.size
    return true
  }
}

/// A sequence that the search stores as a sample for the action case of its last step.
struct ActionCaseSample: Equatable, Sendable {
  var measure: LargestSampledInputs.InputSize
  var sequence: FuzzSequence
}

/// The steps of a sequence, with its origin.
struct FuzzSequence: Equatable, Sendable {
  var steps: [FuzzStep]
  var origin: FuzzSequenceOrigin
  /// The number of actions that the batch, or the search, had reduced when the sequence was complete.
  var transitions: Int

  /// Converts the numbers in a batch to numbers in the search.
  ///
  /// - Parameters:
  ///   - runs: The number of runs in the search before the batch.
  ///   - transitions: The number of transitions in the search before the batch.
  /// - Returns: The sequence with numbers in the search.
  func after(runs: Int, transitions: Int) -> Self {
    Self(
      steps: steps,
      origin: origin.after(runs: runs),
      transitions: self.transitions + transitions
    )
  }
}

extension ActionCaseSample {
  /// Chooses the sequences to replay: the largest sample of each case first, and sequences from the pool last.
  ///
  /// - Parameters:
  ///   - samples: All samples, in the order of their creation.
  ///   - pool: The sequences that discovered pairs of state parts.
  ///   - count: The maximum number of sequences.
  /// - Returns: The chosen sequences, without those that are prefixes of others.
  static func chosen(
    _ samples: [ActionCaseSample],
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
    // Samples of a case are ordered by size, because only larger ones are added.
    for turn in 0..<(cases.values.map(\.count).max() ?? 0) {
      choose(order.compactMap { cases[$0]?.dropLast(turn).last })
    }
    let step = max(1, pool.count / max(1, count - chosen.count))
    choose(stride(from: 0, to: pool.count, by: step).map { pool[$0] })
    return chosen
  }
}

extension LargestSampledInputs {
  var json: JSON {
    .array(
      sizes.sorted { $0.key < $1.key }.map { InputSize(cases: $0.key, size: $0.value).json }
    )
  }

  init(_ json: JSON?) {
    for measure in (json?.array ?? []).compactMap({ InputSize($0) }) { recordMeasure(measure) }
  }
}

extension LargestSampledInputs.InputSize {
  fileprivate var json: JSON { [.string(String(cases)), .number(JSON.Number(size))] }

  fileprivate init?(_ json: JSON) {
    guard let parts = json.array, parts.count == 2,
      let cases = parts[0].string.flatMap({ UInt64($0) }),
      let size = parts[1].int.flatMap({ UInt64(exactly: $0) })
    else { return nil }
    self.init(cases: cases, size: size)
  }
}

extension ActionCaseSample {
  var json: JSON { ["measure": measure.json, "sequence": sequence.json] }

  init?(_ json: JSON) {
    guard let measure = json["measure"].flatMap({ LargestSampledInputs.InputSize($0) }),
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
    guard let steps = json["steps"]?.array,
      let origin = json["origin"].flatMap({ FuzzSequenceOrigin($0) }),
      let transitions = json["transitions"]?.count
    else { return nil }
    self.init(
      steps: steps.compactMap { FuzzStep($0) },
      origin: origin,
      transitions: transitions
    )
  }
}
