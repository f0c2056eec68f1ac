/// Writes the differences of values that are not equal.
struct DiffPrinter {
  /// While a test compares, the first value is the one that it expects.
  var first = DumpPrinter(snapshotsOf: SharedChangeTracker.comparing)
  var second = DumpPrinter()
  /// Pairs of objects whose difference is written already, or is being written.
  private var written: Set<[ObjectIdentifier]> = []
  private var depth = 0

  /// The lines in which two values differ, in the midst of what they share.
  ///
  /// - Parameters:
  ///   - lhs: A value that is not equal to the other one.
  ///   - rhs: The other one.
  ///   - isRoot: Whether nothing around tells of which type the values are.
  /// - Returns: The lines, marked.
  mutating func difference(
    _ lhs: DumpChild,
    _ rhs: DumpChild,
    isRoot: Bool = false
  ) -> DumpBlock {
    if let change = customDiffValues(lhs.value, rhs.value) {
      let before = DumpChild(label: lhs.label, value: change.before)
      return difference(before, DumpChild(label: rhs.label, value: change.after), isRoot: isRoot)
    }
    let shapes = (
      first.shape(of: lhs.value, isRoot: isRoot), second.shape(of: rhs.value, isRoot: isRoot)
    )
    switch shapes {
    case (.string(let left), .string(let right)):
      let isLong = [left, right].contains { $0.unicodeScalars.contains("\n") }
      guard isLong, lhs.label == rhs.label else { break }
      let isInside = !isRoot || lhs.label != nil
      return lines(left, right, indent: isInside ? 2 : 0).labelled(lhs.label)
    case (.text(let left), .text(let right)):
      // Each refers to an object around it, whose difference is being written.
      if left == right, left.hasSuffix("(↩︎)") { return DumpBlock(line: left).labelled(lhs.label) }
    case (.container(let left), .container(let right)):
      if let block = inside(left, right, of: lhs, rhs) { return block }
    default: break
    }
    return replacement(lhs, rhs, isRoot: isRoot)
  }

  /// The difference inside two containers of the same kind, nil if one has to replace the other.
  private mutating func inside(
    _ left: DumpContainer,
    _ right: DumpContainer,
    of lhs: DumpChild,
    _ rhs: DumpChild
  ) -> DumpBlock? {
    guard left.isComparable(to: right), type(of: lhs.value) == type(of: rhs.value),
      depth < DumpPrinter.deepest, first.remaining > 0, second.remaining > 0,
      !left.children.isEmpty, !right.children.isEmpty,
      !first.isSingleLine(left) || !second.isSingleLine(right)
    else { return nil }
    if let object = left.object, let other = right.object,
      !written.insert([ObjectIdentifier(object), ObjectIdentifier(other)]).inserted
    {
      return DumpBlock(line: left.collapsed).labelled(rhs.label).noted("Differs as above")
    }
    depth += 1
    first.enter(left)
    second.enter(right)
    let blocks = members(left, right)
    let numbers = [first.leave(left), second.leave(right)]
    depth -= 1
    guard blocks.contains(where: \.isDifference) else { return nil }
    let open = (numbers.first { !$0.isEmpty } ?? "") + right.open
    return DumpBlock(open, blocks, right.close).labelled(rhs.label)
  }
}
