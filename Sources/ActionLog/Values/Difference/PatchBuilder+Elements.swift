extension PatchBuilder {
  /// Compares the elements of two arrays, of a type whose values are what their bits are.
  mutating func elements<Element>(
    _ old: UnsafeBufferPointer<Element>,
    _ new: UnsafeBufferPointer<Element>
  ) {
    guard !isCopying, old.baseAddress != new.baseAddress || old.count != new.count else { return }
    if !elements(RowPair(old: old, new: new, layout(of: Element.self))) {
      replace(with: Array(new))
    }
  }

  /// Compares the elements of two arrays that are kept in chunks, of which they may share some.
  ///
  /// - Parameters:
  ///   - old: The chunks of the old array that may differ, in order.
  ///   - new: The chunks of the new array in their place.
  ///   - start: How many elements both arrays have before them.
  ///   - whole: The new array in one piece.
  package mutating func chunks<Element>(
    _ old: [[Element]],
    _ new: [[Element]],
    from start: Int,
    whole: () -> [Element]
  ) {
    guard !isCopying, depth < LogEncoder.deepestNesting else { return }
    // As for an array in one piece.
    depth += 1
    defer { depth -= 1 }
    let layout = layout(of: Element.self)
    if let rows = ChangedRows(old, new, from: start, layout, atMost: Self.mostChangedRows) {
      let hasCompared = rows.old.withUnsafeBufferPointer { old in
        rows.new.withUnsafeBufferPointer { new in
          let pair = RowPair(old: old, new: new, layout) { rows.places[$0] }
          return compareInPlace(pair, 0..<new.count)
        }
      }
      if hasCompared { return }
    }
    let (old, new) = (Array(old.joined()), Array(new.joined()))
    let hasCompared = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        elements(RowPair(old: old, new: new, layout) { $0 + start })
      }
    }
    if !hasCompared { replace(with: whole()) }
  }

  /// Compares rows.
  ///
  /// - Returns: Whether what differs was written; if not, too many rows have moved.
  private mutating func elements<Element>(_ rows: RowPair<Element>) -> Bool {
    let start = rows.commonPrefix()
    let end = rows.commonSuffix(behind: start)
    let (oldCount, newCount) = (rows.oldCount - start - end, rows.newCount - start - end)
    if oldCount == 1, newCount == 1 {
      pair(rows, start, start)
      return true
    } else if oldCount == newCount {
      if compareInPlace(rows, start..<start + oldCount) { return true }
    } else if oldCount == 0 || newCount == 0 {
      for index in (start..<start + oldCount).reversed() {
        nested(rows.place(index)) { $0.remove() }
      }
      for index in start..<start + newCount {
        nested(rows.place(index)) { $0.add(rows.new[index]) }
      }
      return true
    }
    let alignment = RowAlignment(
      rows,
      old: start..<start + oldCount,
      new: start..<start + newCount,
      depth: depth
    )
    return apply(alignment, to: rows)
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
      self.move(from: rows.place(move.from), to: rows.place(move.to))
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
  ) -> Bool {
    guard let moves = alignment.moves() else { return false }
    // From the back, so that no removal shifts the index of another.
    for index in alignment.removed.reversed() { nested(rows.place(index)) { $0.remove() } }
    for move in moves { self.move(from: rows.place(move.from), to: rows.place(move.to)) }
    for index in alignment.inserted {
      nested(rows.place(index)) { $0.add(rows.new[index]) }
    }
    for (old, new) in alignment.paired { pair(rows, old, new) }
    return true
  }

  /// Compares two rows, and replaces one by the other where that is shorter than to say what has changed.
  private mutating func pair<Element>(_ rows: RowPair<Element>, _ old: Int, _ new: Int) {
    guard let oldBase = rows.old.baseAddress, let newBase = rows.new.baseAddress else { return }
    let (start, place) = (encoder.mark, rows.place(new))
    nested(place) { patch in
      lend(oldBase + old, newBase + new) { old, new in patch.value(old, new) }
    }
    guard encoder.bytes.count - start.count > Self.shortestReplaceable else { return }
    let end = encoder.mark
    nested(place) { $0.write(.replace, rows.new[new], at: $0.depth) }
    if encoder.bytes.count - end.count < end.count - start.count {
      encoder.remove(from: start, to: end)
    } else {
      encoder.rewind(to: end)
    }
  }

  /// Operations with fewer bytes than this are never longer than one that replaces a row of more than one member.
  private static let shortestReplaceable = 120
}
