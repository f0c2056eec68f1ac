extension PatchBuilder {
  /// Compares the elements of two arrays, of a type whose values are what their bits are.
  mutating func elements<Element>(
    _ old: UnsafeBufferPointer<Element>,
    _ new: UnsafeBufferPointer<Element>
  ) {
    guard !isCopying, old.baseAddress != new.baseAddress || old.count != new.count else { return }
    let rows = RowPair(old: old, new: new, layout(of: Element.self))
    let start = rows.commonPrefix()
    let end = rows.commonSuffix(behind: start)
    let (oldCount, newCount) = (rows.oldCount - start - end, rows.newCount - start - end)
    if oldCount == 1, newCount == 1 {
      return pair(rows, start, start)
    } else if oldCount == newCount {
      guard !compareInPlace(rows, start..<start + oldCount) else { return }
    } else if oldCount == 0 || newCount == 0 {
      for index in (start..<start + oldCount).reversed() { nested(index) { $0.remove() } }
      for index in start..<start + newCount { nested(index) { $0.add(rows.new[index]) } }
      return
    }
    let alignment = RowAlignment(
      rows,
      old: start..<start + oldCount,
      new: start..<start + newCount,
      depth: depth
    )
    apply(alignment, to: rows)
  }

  mutating func layout(of type: Any.Type) -> RowLayout {
    let id = ObjectIdentifier(type)
    if let known = rowTypes.first(where: { $0.id == id }) { return known.layout }
    let layout = RowLayout.of(type)
    if rowTypes.count < Self.mostKnownTypes { rowTypes.append(RowType(id: id, layout: layout)) }
    return layout
  }

  /// Compares rows that have as many others in their place.
  ///
  /// - Returns: Whether they are the same rows as before; if not, nothing was written.
  private mutating func compareInPlace<Element>(
    _ rows: RowPair<Element>,
    _ range: Range<Int>
  ) -> Bool {
    if let move = rows.singleMove(in: range) {
      self.move(from: move.from, to: move.to)
      return true
    }
    guard let changed = rows.changes(in: range, atMost: Self.mostChangedRows),
      !rows.hasMoves(among: changed)
    else { return false }
    for index in changed { pair(rows, index, index) }
    return true
  }

  /// How many changed rows are looked at one by one before all rows are looked up by their content: every pair of them is
  /// compared to see whether they only changed places.
  private static let mostChangedRows = 16

  private mutating func apply<Element>(
    _ alignment: RowAlignment,
    to rows: RowPair<Element>
  ) {
    guard let moves = alignment.moves() else {
      var elements: [Element] = []
      elements.reserveCapacity(rows.newCount)
      for index in 0..<rows.newCount { elements.append(rows.new[index]) }
      return replace(with: elements)
    }
    // From the back, so that no removal shifts the index of another.
    for index in alignment.removed.reversed() { nested(index) { $0.remove() } }
    for move in moves { self.move(from: move.from, to: move.to) }
    for index in alignment.inserted { nested(index) { $0.add(rows.new[index]) } }
    for (old, new) in alignment.paired { pair(rows, old, new) }
  }

  /// Compares two rows, and replaces one by the other where that is shorter than to say what has changed.
  private mutating func pair<Element>(_ rows: RowPair<Element>, _ old: Int, _ new: Int) {
    guard let oldBase = rows.old.baseAddress, let newBase = rows.new.baseAddress else { return }
    let start = encoder.mark
    nested(new) { patch in
      lend(oldBase + old, newBase + new) { old, new in patch.value(old, new) }
    }
    guard encoder.bytes.count - start.count > Self.shortestReplaceable else { return }
    let end = encoder.mark
    nested(new) { $0.write(.replace, rows.new[new], at: $0.depth) }
    if encoder.bytes.count - end.count < end.count - start.count {
      encoder.remove(from: start, to: end)
    } else {
      encoder.rewind(to: end)
    }
  }

  /// Operations with fewer bytes than this are never longer than one that replaces a row of more than one member.
  private static let shortestReplaceable = 120
}
