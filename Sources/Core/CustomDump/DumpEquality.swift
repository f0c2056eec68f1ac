/// The comparison of two values of any type: with `==` if available, otherwise by their mirrors.
struct DumpEquality {
  /// The pairs of objects that have been compared or are being compared.
  ///
  /// A pair that occurs again counts as equal, because a difference would already have ended the comparison.
  private var pairs: Set<[ObjectIdentifier]> = []
  private var depth = 0

  private init() {}

  static func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    var equality = DumpEquality()
    return equality.isEqual(lhs, rhs)
  }

  private mutating func isEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    if let change = customDiffValues(lhs, rhs) { return isEqual(change.before, change.after) }
    if let equal = Self.equated(lhs, rhs) { return equal }
    let first = SharedChangeTracker.onLeftSide { DumpShape.represented(lhs) }
    let second = DumpShape.represented(rhs)
    guard type(of: first) == type(of: second) else { return false }
    if let equal = Self.equated(first, second) { return equal }
    if type(of: first) is AnyClass {
      let ids = [ObjectIdentifier(first as AnyObject), ObjectIdentifier(second as AnyObject)]
      if ids[0] == ids[1] || !pairs.insert(ids).inserted { return true }
    }
    // Dumps stop at this level, so deeper differences don't count.
    guard depth < DumpPrinter.deepest else { return true }
    depth += 1
    defer { depth -= 1 }
    return isEqual(DumpShape(of: first), DumpShape(of: second))
  }

  private mutating func isEqual(_ lhs: DumpShape, _ rhs: DumpShape) -> Bool {
    switch (lhs, rhs) {
    case (.text(let lhs), .text(let rhs)): return lhs == rhs
    case (.string(let lhs), .string(let rhs)): return lhs == rhs
    case (.container(let lhs), .container(let rhs)):
      guard lhs.isComparable(to: rhs), lhs.children.count == rhs.children.count else {
        return false
      }
      if lhs.arrangement == .unordered { return isEqual(unordered: lhs, rhs) }
      for (lhs, rhs) in zip(lhs.children, rhs.children) {
        guard lhs.label == rhs.label, isEqual(lhs.value, rhs.value) else { return false }
      }
      return true
    default: return false
    }
  }

  private mutating func isEqual(unordered lhs: DumpContainer, _ rhs: DumpContainer) -> Bool {
    let second = Dictionary(rhs.children.map { ($0.identity, $0.value) }) { first, _ in first }
    for child in lhs.children {
      guard let other = second[child.identity], isEqual(child.value, other) else { return false }
    }
    return true
  }

  /// Returns the result of `==`, or `nil` if the first value isn't `Equatable`.
  ///
  /// Values of different types count as different.
  static func equated(_ lhs: Any, _ rhs: Any) -> Bool? {
    func isEqual<Value: Equatable>(_ lhs: Value) -> Bool {
      guard type(of: lhs as Any) == type(of: rhs), let rhs = rhs as? Value else { return false }
      return lhs == rhs
    }
    return (lhs as? any Equatable).map { isEqual($0) }
  }
}
