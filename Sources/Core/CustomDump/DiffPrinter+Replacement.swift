extension DiffPrinter {
  /// One value in place of another; values of which a dump shows the same get a comment.
  mutating func replacement(_ lhs: DumpChild, _ rhs: DumpChild, isRoot: Bool) -> DumpBlock {
    let left = first.block(of: lhs, isRoot: isRoot, depth: .max)
    let right = second.block(of: rhs, isRoot: isRoot, depth: .max)
    guard left.isAlike(right), lhs.label == rhs.label else {
      return DumpBlock(first: left, second: right)
    }
    let types = [lhs.value, rhs.value].map { type(of: DumpShape.represented($0)) }
    guard types[0] == types[1] else {
      var names = types.map(DumpTypeName.full)
      if names[0] == names[1] { names = types.map { String(reflecting: $0) } }
      return DumpBlock(
        first: left.appending(" as \(names[0])"),
        second: right.appending(" as \(names[1])")
      )
    }
    var block = DumpBlock(first: left, second: right)
    // A type that words its dump itself may hide what differs, and means to.
    if lhs.value is any CustomDumpStringConvertible { return block }
    block.insert(DumpLine(text: "// Not equal but no difference detected:"))
    return block
  }

  /// The difference of two strings of which one has several lines.
  func lines(_ left: String, _ right: String, indent: Int) -> DumpBlock {
    // Both as they would look in one literal.
    let before = DumpText.lines(of: left)
    let after = DumpText.lines(of: right)
    guard before.first == after.first else {
      return DumpBlock(
        first: .ofString(left, indent: indent),
        second: .ofString(right, indent: indent)
      )
    }
    let bodies = (Array(before[1..<(before.count - 1)]), Array(after[1..<(after.count - 1)]))
    var lines = [DumpLine(text: after[0])]
    var position = (0, 0)
    let kept = CommonSequence.of(bodies.0, bodies.1)
    for (i, j) in kept + [(bodies.0.count, bodies.1.count)] {
      lines += bodies.0[position.0..<i].map { DumpLine(text: $0, indent: indent, mark: .first) }
      lines += bodies.1[position.1..<j].map { DumpLine(text: $0, indent: indent, mark: .second) }
      if i < bodies.0.count { lines.append(DumpLine(text: bodies.0[i], indent: indent)) }
      position = (i + 1, j + 1)
    }
    lines.append(DumpLine(text: after[after.count - 1], indent: indent))
    var block = DumpBlock(lines)
    block.isDifference = true
    return block
  }
}

extension DumpBlock {
  fileprivate func isAlike(_ other: DumpBlock) -> Bool {
    lines.map(\.text) == other.lines.map(\.text)
  }

  fileprivate func appending(_ text: String) -> DumpBlock {
    var copy = self
    copy.lines[copy.lines.count - 1].text += text
    return copy
  }
}
