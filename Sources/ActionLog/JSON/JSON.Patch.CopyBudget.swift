extension JSON.Patch {
  /// Bounds what `copy` operations may make of a state: a few of them double it again and again.
  ///
  /// Recorders write none. Other operations add only values that stand in the log, so a state without copies is no larger than its log.
  package struct CopyBudget: Sendable {
    /// How many bytes were copied since the state was last weighed.
    private var copied = 0

    /// A budget of which nothing is spent.
    package init() {}

    /// How many bytes of a state may be copies.
    static let most = 4 * 1024 * 1024

    /// Spends what a copy takes.
    ///
    /// - Parameters:
    ///   - value: The value that is copied.
    ///   - state: The state to which the copy is added.
    /// - Throws: `JSON.Patch.Problem.tooLarge`.
    mutating func spend(on value: JSON, in state: JSON) throws(Problem) {
      copied += value.weight(upTo: Self.most)
      guard copied > Self.most else { return }
      // Earlier copies may have been removed. A state of more than half the limit is refused, so that it is not weighed for each copy.
      copied = state.weight(upTo: Self.most) + value.weight(upTo: Self.most)
      guard copied <= Self.most / 2 else { throw .tooLarge }
    }
  }
}

extension JSON {
  /// About as many bytes as the value takes in a log; beyond a limit, any number above the limit.
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

  /// Whether arrays and objects are nested in the value, itself included, in more levels than this.
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
