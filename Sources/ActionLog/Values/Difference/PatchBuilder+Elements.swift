extension PatchBuilder {
  /// Compares the elements of two arrays, whose values can be compared bitwise, and writes the changes.
  mutating func elements<Element>(_ old: Span<Element>, _ new: Span<Element>) {
    guard !isCopying, !old.isIdentical(to: new) else { return }
    // An array whose elements were all added or all removed is replaced as one value.
    guard min(old.count, new.count) > 0 || max(old.count, new.count) < 2 else {
      return replace(with: new.array)
    }
    let start = start
    if !elements(old, new, RowComparison(&types)) { return replace(with: new.array) }
    shorten(since: start, count: new.count, shortest: 2) { new.array }
  }

  /// Compares the elements of two arrays that are stored in chunks and can share some of them.
  ///
  /// - Parameters:
  ///   - old: The chunks of the old array that could differ, in order.
  ///   - new: The corresponding chunks of the new array.
  ///   - start: The number of elements before these chunks, which is the same in both arrays.
  ///   - count: The number of elements in the new array.
  ///   - whole: A closure that returns the complete new array.
  package mutating func chunks<Element>(
    _ old: [[Element]],
    _ new: [[Element]],
    from start: Int,
    count: Int,
    whole: () -> [Element]
  ) {
    guard !isCopying, depth < LogEncoder.deepestNesting else { return }
    // The nesting depth is the same as for a contiguous array.
    depth += 1
    defer { depth -= 1 }
    let operations = self.start
    defer { shorten(since: operations, count: count, shortest: 2, to: whole) }
    let rows = RowComparison<Element>(&types, at: FullArrayIndexes(after: start))
    if let changed = ChangedRows(old, new, from: start, rows, atMost: Self.mostChangedRows) {
      let rows = RowComparison<Element>(&types, at: FullArrayIndexes(changed.places))
      let all = 0..<changed.new.count
      if compareInPlace(changed.old.span, changed.new.span, rows, all) { return }
    }
    let (old, new) = (Array(old.joined()), Array(new.joined()))
    if !elements(old.span, new.span, rows) { replace(with: whole()) }
  }

  /// Compares the elements of two arrays, paired by id, and writes the changes.
  ///
  /// The elements can contain references to mutable objects.
  ///
  /// - Parameters:
  ///   - old: The elements of the old array.
  ///   - oldIDs: The ids of the old elements, which must be distinct.
  ///   - new: The elements of the new array.
  ///   - newIDs: The ids of the new elements, which must be distinct.
  package mutating func identified<Element, ID: Hashable>(
    _ old: [Element],
    by oldIDs: [ID],
    _ new: [Element],
    by newIDs: [ID]
  ) {
    guard oldIDs != newIDs else {
      return inPlace(
        0..<new.count,
        count: new.count,
        old: { old[$0] },
        new: { new[$0] },
        whole: { new }
      )
    }
    guard depth < LogEncoder.deepestNesting else { return }
    // The nesting depth is the same as for an array without ids.
    depth += 1
    defer { depth -= 1 }
    let operations = start
    defer { shorten(since: operations, count: new.count, shortest: 2) { new } }
    let alignment = RowAlignment(
      old: old.indices,
      new: new.indices,
      oldKey: { oldIDs[$0] },
      newKey: { newIDs[$0] }
    )
    let kept = alignment.kept.map { (old: $0.old, new: $0.new) }
    copies?.rearrange(below: path, Dictionary(uniqueKeysWithValues: kept))
    if !apply(alignment, old.span, new.span, FullArrayIndexes(), comparing: kept) {
      replace(with: new)
    }
  }

  /// Compares the elements of two arrays that have the same ids in the same order, and writes the changes.
  ///
  /// The elements can contain references to mutable objects.
  ///
  /// - Parameters:
  ///   - unshared: The indexes of the elements whose bits can differ. The others have the same bits in both arrays.
  ///   - count: The number of elements.
  ///   - old: A closure that returns the old element at an index.
  ///   - new: A closure that returns the new element at an index.
  ///   - whole: A closure that returns the complete new array.
  package mutating func inPlace<Element>(
    _ unshared: Range<Int>,
    count: Int,
    old: (Int) -> Element,
    new: (Int) -> Element,
    whole: () -> [Element]
  ) {
    guard depth < LogEncoder.deepestNesting else { return }
    // The nesting depth is the same as for an array without ids.
    depth += 1
    defer { depth -= 1 }
    let operations = start
    defer { shorten(since: operations, count: count, shortest: 2, to: whole) }
    var places = Array(0..<count)
    if !isCopying, let written = copies?.writtenElements(of: path) {
      let others = written.filter { !unshared.contains($0) && $0 < count }
      places = (others + unshared).sorted()
    }
    let rows = (old: places.map(old), new: places.map(new))
    for (row, place) in places.enumerated()
    where !isUnchanged(rows.old[row], rows.new[row], at: place) {
      pair(rows.old.span, row, rows.new.span, row, at: place)
    }
  }

  /// Compares the rows of two arrays, and writes the changes.
  ///
  /// - Returns: `false` if too many rows have moved. The changes are then not written.
  private mutating func elements<Element>(
    _ old: Span<Element>,
    _ new: Span<Element>,
    _ rows: RowComparison<Element>
  ) -> Bool {
    let start = rows.commonPrefix(old, new)
    // If the arrays have the same length, the first differing rows have the same index.
    let isInStep = old.count == new.count && start < old.count
    let end = rows.commonSuffix(old, new, after: isInStep ? start + 1 : start)
    let (oldCount, newCount) = (old.count - start - end, new.count - start - end)
    if oldCount == 1, newCount == 1 {
      pair(old, start, new, start, at: rows.places[start])
      return true
    } else if oldCount == newCount {
      if compareInPlace(old, new, rows, start..<start + oldCount) { return true }
    } else if oldCount == 0 || newCount == 0 {
      for index in (start..<start + oldCount).reversed() {
        nested(rows.places[index]) { $0.remove() }
      }
      for index in start..<start + newCount {
        nested(rows.places[index]) { $0.add(new[index]) }
      }
      return true
    }
    let alignment = RowAlignment(
      rows,
      old,
      start..<start + oldCount,
      new,
      start..<start + newCount,
      depth: depth
    )
    return apply(alignment, old, new, rows.places, comparing: alignment.paired)
  }

  /// Compares rows at the same indexes, or writes a move if only one row has moved.
  ///
  /// - Returns: `false` if several rows have moved, or if too many rows differ. No changes are then written.
  private mutating func compareInPlace<Element>(
    _ old: Span<Element>,
    _ new: Span<Element>,
    _ rows: RowComparison<Element>,
    _ range: Range<Int>
  ) -> Bool {
    if let move = rows.singleMove(old, new, in: range) {
      self.move(from: rows.places[move.from], to: rows.places[move.to])
      return true
    }
    guard let changed = rows.changes(old, new, in: range, atMost: Self.mostChangedRows),
      !rows.hasMoves(old, new, among: changed)
    else { return false }
    for index in changed { pair(old, index, new, index, at: rows.places[index]) }
    return true
  }

  /// The maximum number of changed rows that are compared in pairs to detect moves.
  ///
  /// If more rows changed, all rows are looked up by their content.
  private static let mostChangedRows = 16

  /// Writes the removals, moves, and insertions of rows.
  ///
  /// - Parameters:
  ///   - alignment: The rows that are removed, moved, inserted, and kept.
  ///   - old: The rows of the old array.
  ///   - new: The rows of the new array.
  ///   - places: The indexes of the rows in the complete arrays.
  ///   - kept: The rows in both arrays whose contents could differ.
  /// - Returns: `false` if too many rows have moved. The changes are then not written.
  private mutating func apply<Element>(
    _ alignment: RowAlignment,
    _ old: Span<Element>,
    _ new: Span<Element>,
    _ places: FullArrayIndexes,
    comparing kept: [(old: Int, new: Int)]
  ) -> Bool {
    guard let moves = alignment.moves() else { return false }
    // Rows are removed from the end, so that no removal shifts the index of another one.
    for index in alignment.removed.reversed() { nested(places[index]) { $0.writeRemoval() } }
    for move in moves { self.move(from: places[move.from], to: places[move.to]) }
    for index in alignment.inserted {
      nested(places[index]) { $0.add(new[index]) }
    }
    for row in kept { pair(old, row.old, new, row.new, at: places[row.new]) }
    return true
  }

  /// Compares two rows, and writes their changes.
  ///
  /// If a replacement of the row is shorter, writes that instead.
  private mutating func pair<Element>(
    _ old: Span<Element>,
    _ oldRow: Int,
    _ new: Span<Element>,
    _ newRow: Int,
    at place: Int
  ) {
    let start = encoder.mark
    nested(place) { $0.value(old[oldRow], new[newRow]) }
    guard encoder.bytes.count - start.count > Self.shortestReplaceable else { return }
    let end = encoder.mark
    nested(place) { $0.write(.replace, new[newRow], at: $0.depth) }
    if encoder.bytes.count - end.count < end.count - start.count {
      encoder.remove(from: start, to: end)
    } else {
      encoder.rewind(to: end)
    }
  }

  /// The minimum size in bytes at which the changes to a row with several members can be longer than a replacement.
  private static let shortestReplaceable = 120
}

extension Span {
  fileprivate var array: [Element] {
    var array: [Element] = []
    array.reserveCapacity(count)
    for index in indices { array.append(self[index]) }
    return array
  }
}
