extension JSON.Patch {
  /// A limit for the bytes that `copy` operations add to a state.
  ///
  /// Without a limit, a few copies can double a state repeatedly.
  ///
  /// Recorders write no copies. Other operations add only values from the log, so a state without copies is no larger
  /// than its log.
  package struct CopyBudget: Sendable {
    /// The number of copied bytes.
    ///
    /// After the limit is reached once, includes the size of the state at that time.
    private var copied = 0

    package init() {}

    /// The maximum number of copied bytes in a state, 4 MiB.
    static let most = 4 * 1024 * 1024

    /// Subtracts the size of a copy from the budget.
    ///
    /// - Parameters:
    ///   - value: The value that is copied.
    ///   - state: The state to which the copy is added.
    /// - Throws: `JSON.Patch.Problem.tooLarge` if the budget is exceeded.
    mutating func spend(on value: JSON, in state: JSON) throws(Problem) {
      copied += value.weight(upTo: Self.most)
      guard copied > Self.most else { return }
      // Earlier copies may have been removed, so the state is measured. A sum above half the limit is refused. With a
      // higher bound, each further copy could measure the state again.
      copied = state.weight(upTo: Self.most) + value.weight(upTo: Self.most)
      guard copied <= Self.most / 2 else { throw .tooLarge }
    }
  }
}

extension JSON {
  /// Returns the approximate size of the value in a log, in bytes.
  ///
  /// Stops counting as soon as the size exceeds `limit`. The result is then a lower bound.
  fileprivate func weight(upTo limit: Int) -> Int {
    var weight = 0
    addWeight(to: &weight, limit)
    return weight
  }

  private func addWeight(to weight: inout Int, _ limit: Int) {
    weight += 4
    switch self {
    case .null, .bool: break
    case .number(let number): weight += number.literal.utf8.count
    case .string(let text): weight += text.utf8.count
    case .array(let elements):
      for element in elements where weight <= limit { element.addWeight(to: &weight, limit) }
    case .object(let object):
      for (name, value) in object {
        guard weight <= limit else { return }
        weight += name.utf8.count
        value.addWeight(to: &weight, limit)
      }
    }
  }

  /// Whether the value has more than `levels` nested arrays and objects, including itself.
  func isNested(deeperThan levels: Int) -> Bool {
    switch self {
    case .null, .bool, .number, .string: false
    case .array(let elements):
      levels <= 0 || elements.contains { $0.isNested(deeperThan: levels - 1) }
    case .object(let object):
      levels <= 0 || object.values.contains { $0.isNested(deeperThan: levels - 1) }
    }
  }
}
