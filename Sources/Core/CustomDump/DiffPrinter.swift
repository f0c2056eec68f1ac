/// A printer of the differences between two values that aren't equal.
struct DiffPrinter {
  /// The printer of the first value, which is the expected value in an assertion of a test.
  private var first = DumpPrinter(snapshotsOf: SharedChangeTracker.comparing)
  private var second = DumpPrinter()
  /// The pairs of objects whose difference has been written or is being written.
  private var written: Set<[ObjectIdentifier]> = []
  private var depth = 0

  /// Returns the lines in which two values differ, with their context.
  ///
  /// - Parameters:
  ///   - lhs: The first value.
  ///   - rhs: The second value, which isn't equal to the first.
  ///   - isRoot: Whether no enclosing value shows the type of the values.
  /// - Returns: The lines with their marks.
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
      // Both values are references to an enclosing object whose difference is being written.
      if left == right, left.hasSuffix("(↩︎)") { return DumpBlock(line: left).labelled(lhs.label) }
    case (.container(let left), .container(let right)):
      if let block = inside(left, right, of: lhs, rhs) { return block }
    default: break
    }
    return replacement(lhs, rhs, isRoot: isRoot)
  }

  /// Returns the differences between the contents of two containers, or `nil` if the second one must replace the first.
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

extension DiffPrinter {
  /// The maximum number of consecutive unchanged members that are written out.
  ///
  /// A longer run is collapsed to one line, so that a small change in a large value is easy to find.
  private static let mostUnchangedMembers = 3

  /// Returns the differences between the contents of two containers, matched according to their arrangement.
  private mutating func members(_ left: DumpContainer, _ right: DumpContainer) -> [DumpBlock] {
    switch (left.arrangement, right.arrangement) {
    case (.members, _), (_, .members): labelled(left.children, right.children)
    case (.unordered, .unordered): unordered(left.children, right.children)
    default: ordered(left.children, right.children)
    }
  }

  /// Returns the differences between members that are matched by their labels.
  private mutating func labelled(_ left: [DumpChild], _ right: [DumpChild]) -> [DumpBlock] {
    var changes: [ElementChange] = []
    if left.map(\.label) == right.map(\.label) {
      changes = zip(left, right).map { .both($0, $1) }
    } else {
      let difference = LongestCommonSubsequence.of(left.map(\.label), right.map(\.label))
      var position = (0, 0)
      for (i, j) in difference + [(left.count, right.count)] {
        changes += left[position.0..<i].map { .first($0, nil) }
        changes += right[position.1..<j].map { .second($0, nil) }
        if i < left.count { changes.append(.both(left[i], right[j])) }
        position = (i + 1, j + 1)
      }
    }
    return blocks(of: changes, mostUnchanged: Self.mostUnchangedMembers)
  }

  /// Returns the differences between elements without order, which are matched by their identities.
  private mutating func unordered(_ left: [DumpChild], _ right: [DumpChild]) -> [DumpBlock] {
    let first = Dictionary(left.map { ($0.identity, $0) }) { first, _ in first }
    let second = Dictionary(right.map { ($0.identity, $0) }) { first, _ in first }
    let all = left + right.filter { first[$0.identity] == nil }
    let changes = DumpIdentity.sorted(all).map { child -> ElementChange in
      switch (first[child.identity], second[child.identity]) {
      case (let left?, let right?): .both(left, right)
      case (let left?, nil): .first(left, nil)
      default: .second(child, nil)
      }
    }
    return blocks(of: changes)
  }

  private mutating func ordered(_ left: [DumpChild], _ right: [DumpChild]) -> [DumpBlock] {
    let alignment = DumpElementAlignment(left, right)
    return blocks(of: alignment.changes(left, right))
  }
}

extension DiffPrinter {
  fileprivate enum ElementChange {
    case both(DumpChild, DumpChild)
    /// An element that only the first value has at this position, with the element's new label if it moved.
    case first(DumpChild, String?)
    /// An element that only the second value has at this position, with the old element if it moved.
    case second(DumpChild, DumpChild?)
  }

  private mutating func blocks(of changes: [ElementChange], mostUnchanged: Int = 0) -> [DumpBlock] {
    var blocks: [DumpBlock] = []
    var unchanged: [DumpChild] = []
    for (index, change) in changes.enumerated() {
      guard first.remaining > 0, second.remaining > 0 else {
        blocks.append(DumpBlock(line: "… (\(changes.count - index) more)"))
        break
      }
      if case .both(let left, let right) = change, DumpEquality.areEqual(left.value, right.value) {
        unchanged.append(right)
      } else {
        blocks += collapsed(&unchanged, most: mostUnchanged)
        blocks.append(block(of: change))
      }
    }
    return blocks + collapsed(&unchanged, most: mostUnchanged)
  }

  private mutating func block(of change: ElementChange) -> DumpBlock {
    switch change {
    case .both(let left, let right):
      return difference(left, right)
    case .first(let child, nil):
      return first.block(of: child, depth: .max).marked(.first)
    case .first(let child, let place?):
      // The label of a stack element is the element's id, which stays the same when the element moves.
      let note = place == child.label ? "Moved" : "Moved to \(place)"
      return first.block(of: child, depth: 0).marked(.first).noted(note)
    case .second(let child, nil):
      return second.block(of: child, depth: .max).marked(.second)
    case .second(let child, let origin?):
      let note = origin.label == child.label ? "Moved" : "Moved from \(origin.label ?? "")"
      if DumpEquality.areEqual(origin.value, child.value) {
        return second.block(of: child, depth: 0).marked(.second).noted(note)
      }
      return difference(DumpChild(label: child.label, value: origin.value), child).noted(note)
    }
  }

  /// Returns a line for each unchanged member, or one line for all if there are more than `most`, and empties the list.
  private mutating func collapsed(_ children: inout [DumpChild], most: Int) -> [DumpBlock] {
    defer { children = [] }
    guard children.count > most else {
      return children.map { second.block(of: $0, depth: 0) }
    }
    return children.isEmpty ? [] : [DumpBlock(line: "… (\(children.count) unchanged)")]
  }
}

extension DumpElementAlignment {
  /// Returns the changes of the aligned elements.
  ///
  /// Removed elements without identity are paired with elements inserted at the same position, so that the difference
  /// shows the changes inside them.
  fileprivate func changes(_ left: [DumpChild], _ right: [DumpChild]) -> [DiffPrinter.ElementChange]
  {
    var changes: [DiffPrinter.ElementChange] = []
    var removed: [DumpChild] = []
    var inserted: [DumpChild] = []
    func flush() {
      let paired = isByIdentity ? 0 : min(removed.count, inserted.count)
      changes += zip(removed.prefix(paired), inserted).map { .both($0, $1) }
      changes += removed.dropFirst(paired).map { .first($0, nil) }
      changes += inserted.dropFirst(paired).map { .second($0, nil) }
      removed = []
      inserted = []
    }
    for step in steps {
      switch step {
      case .first(let i, nil): removed.append(left[i])
      case .second(let j, nil): inserted.append(right[j])
      case .both(let i, let j):
        flush()
        changes.append(.both(left[i], right[j]))
      case .first(let i, let place?):
        flush()
        changes.append(.first(left[i], right[place].label))
      case .second(let j, let origin?):
        flush()
        changes.append(.second(right[j], left[origin]))
      }
    }
    flush()
    return changes
  }
}

extension DiffPrinter {
  /// Returns the lines of a value and of the value that replaces it.
  ///
  /// If both values have the same dump, the block also shows their types, or says that no difference was detected.
  private mutating func replacement(_ lhs: DumpChild, _ rhs: DumpChild, isRoot: Bool) -> DumpBlock {
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
    // A type with custom text may omit the difference on purpose, so no comment is needed.
    if lhs.value is any CustomDumpStringConvertible { return block }
    block.insert(DumpLine(text: "// Not equal but no difference detected:"))
    return block
  }

  /// Returns the differences between two strings, at least one of which has several lines.
  private func lines(_ left: String, _ right: String, indent: Int) -> DumpBlock {
    // Formats each string as a multiline literal. The literals can be merged only if their delimiters are equal.
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
    let kept = LongestCommonSubsequence.of(bodies.0, bodies.1)
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
