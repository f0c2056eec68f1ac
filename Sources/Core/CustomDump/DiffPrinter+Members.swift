extension DiffPrinter {
  /// As many unchanged members of a type as are written out one by one.
  private static let mostUnchangedMembers = 3

  /// The differences of what two containers hold.
  mutating func members(_ left: DumpContainer, _ right: DumpContainer) -> [DumpBlock] {
    switch (left.arrangement, right.arrangement) {
    case (.members, _), (_, .members): labelled(left.children, right.children)
    case (.unordered, .unordered): unordered(left.children, right.children)
    default: ordered(left.children, right.children)
    }
  }

  /// Members are the same as far as their labels are.
  private mutating func labelled(_ left: [DumpChild], _ right: [DumpChild]) -> [DumpBlock] {
    var changes: [Change] = []
    if left.map(\.label) == right.map(\.label) {
      changes = zip(left, right).map { .both($0, $1) }
    } else {
      let difference = CommonSequence.of(left.map(\.label), right.map(\.label))
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

  /// Elements belong together if they have the same key.
  private mutating func unordered(_ left: [DumpChild], _ right: [DumpChild]) -> [DumpBlock] {
    let first = Dictionary(left.map { ($0.identity, $0) }) { first, _ in first }
    let second = Dictionary(right.map { ($0.identity, $0) }) { first, _ in first }
    let all = left + right.filter { first[$0.identity] == nil }
    let changes = DumpIdentity.sorted(all).map { child -> Change in
      switch (first[child.identity], second[child.identity]) {
      case (let left?, let right?): .both(left, right)
      case (let left?, nil): .first(left, nil)
      default: .second(child, nil)
      }
    }
    return blocks(of: changes)
  }

  private mutating func ordered(_ left: [DumpChild], _ right: [DumpChild]) -> [DumpBlock] {
    let alignment = DumpAlignment(left, right)
    return blocks(of: alignment.changes(left, right))
  }
}

extension DiffPrinter {
  /// What has become of an element.
  enum Change {
    case both(DumpChild, DumpChild)
    /// The label of the place that it moved to.
    case first(DumpChild, String?)
    /// The element as it was, at the place that it moved from.
    case second(DumpChild, DumpChild?)
  }

  private mutating func blocks(of changes: [Change], mostUnchanged: Int = 0) -> [DumpBlock] {
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

  private mutating func block(of change: Change) -> DumpBlock {
    switch change {
    case .both(let left, let right):
      return difference(left, right)
    case .first(let child, nil):
      return first.block(of: child, depth: .max).marked(.first)
    case .first(let child, let place?):
      // Elements of a stack have the same label at each place.
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

  /// What stands for members that are the same on both sides.
  private mutating func collapsed(_ children: inout [DumpChild], most: Int) -> [DumpBlock] {
    defer { children = [] }
    guard children.count > most else {
      return children.map { second.block(of: $0, depth: 0) }
    }
    return children.isEmpty ? [] : [DumpBlock(line: "… (\(children.count) unchanged)")]
  }
}

extension DumpAlignment {
  /// What has become of each element.
  ///
  /// Those without identity that stand between the same neighbours are paired, so that
  /// what changed inside them is seen.
  func changes(_ left: [DumpChild], _ right: [DumpChild]) -> [DiffPrinter.Change] {
    var changes: [DiffPrinter.Change] = []
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
