extension JSON.Patch {
  /// A limit for the bytes that `copy` operations add to a state.
  ///
  /// A few copies can double a state repeatedly.
  ///
  /// Recorders write no copies. Other operations add only values that the log holds, so a state without copies is no
  /// larger than its log.
  package struct CopyBudget: Sendable {
    /// The number of bytes that were copied since the state was last measured.
    private var copied = 0

    package init() {}

    /// The maximum number of bytes in a state that can be copies.
    static let most = 4 * 1024 * 1024

    /// Spends the size of a copy.
    ///
    /// - Parameters:
    ///   - value: The value that is copied.
    ///   - state: The state to which the copy is added.
    /// - Throws: `JSON.Patch.Problem.tooLarge`.
    mutating func spend(on value: JSON, in state: JSON) throws(Problem) {
      copied += value.weight(upTo: Self.most)
      guard copied > Self.most else { return }
      // Earlier copies may have been removed, so the state is measured. If it exceeds half the limit, the copy is
      // refused. Otherwise each further copy would measure the state again.
      copied = state.weight(upTo: Self.most) + value.weight(upTo: Self.most)
      guard copied <= Self.most / 2 else { throw .tooLarge }
    }
  }
}

extension JSON {
  /// Returns the approximate size of the value in a log, in bytes.
  ///
  /// Beyond the limit, returns any number above the limit.
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

  /// Whether the value has more nested levels of arrays and objects than the given number, including itself.
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
