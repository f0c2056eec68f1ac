// Mutations return the positions of chunks that received elements from other chunks, so that `OrderedSet` can update
// its index.
extension ChunkedArray {
  /// Appends an element to the last chunk, or to a new chunk if that one is full.
  mutating func append(_ element: Element) {
    let last = chunks.count - 1
    if last >= 0, chunks[last].elements.count < Self.capacity {
      chunks[last].elements.append(element)
      chunks[last].end += 1
    } else {
      var elements: ContiguousArray<Element> = []
      // Reserves the full capacity, so that the storage of a chunk doesn't grow several times while it is filled.
      if last >= 0 { elements.reserveCapacity(Self.capacity) }
      elements.append(element)
      appendChunk(elements)
    }
    dropCache()
  }

  mutating func appendChunk(_ elements: ContiguousArray<Element>) {
    let key = chunks.last.map { $0.key + Self.keyDistance } ?? 0
    chunks.append(Chunk(elements: elements, start: count, key: key))
  }

  mutating func appendChunks(_ elements: ArraySlice<Element>) {
    var rest = elements
    while !rest.isEmpty {
      appendChunk(ContiguousArray(rest.prefix(Self.capacity)))
      rest = rest.dropFirst(Self.capacity)
    }
    dropCache()
  }

  /// Calls a closure that replaces elements of each run of elements.
  ///
  /// Runs without changes stay shared with copies of this array.
  ///
  /// - Parameter change: Replaces elements of a run, and keeps their number. The second argument is the index of the run's
  ///   first element.
  mutating func changeRuns(
    _ change: (_ run: inout ContiguousArray<Element>, _ start: Int) throws -> Void
  ) rethrows {
    defer { dropCache() }
    for chunk in chunks.indices { try change(&chunks[chunk].elements, chunks[chunk].start) }
  }

  /// Inserts elements at an index.
  ///
  /// - Returns: The positions of the chunks that received elements from other chunks.
  @discardableResult
  mutating func insert(contentsOf newElements: [Element], at index: Int) -> Range<Int> {
    precondition(index >= 0 && index <= count, "Index \(index) is out of range.")
    guard !newElements.isEmpty else { return 0..<0 }
    guard index < count else {
      append(contentsOf: newElements)
      return 0..<0
    }
    let chunk = chunk(of: index)
    let start = chunks[chunk].start
    if chunks[chunk].elements.count + newElements.count <= Self.capacity {
      dropCache()
      chunks[chunk].elements.insert(contentsOf: newElements, at: index - start)
      chunks[chunk].end += newElements.count
      moveChunks(from: chunk + 1, by: newElements.count)
      return 0..<0
    }
    var elements = chunks[chunk].elements
    elements.insert(contentsOf: newElements, at: index - start)
    return split(chunk, into: elements, isFront: index == 0)
  }

  private mutating func append(contentsOf newElements: [Element]) {
    let last = chunks.count - 1
    guard last >= 0 else {
      self = ChunkedArray(newElements)
      return
    }
    let room = newElements.prefix(Self.capacity - chunks[last].elements.count)
    chunks[last].elements.append(contentsOf: room)
    chunks[last].end += room.count
    appendChunks(newElements[room.endIndex...])
  }

  /// Replaces a chunk with several chunks that hold the given elements.
  ///
  /// - Returns: The positions of the chunks that received elements from other chunks.
  private mutating func split(
    _ chunk: Int,
    into elements: ContiguousArray<Element>,
    isFront: Bool
  ) -> Range<Int> {
    let old = chunks[chunk]
    let count = (elements.count + Self.capacity - 1) >> Self.capacityBits
    guard let keys = keys(forPieces: count, of: chunk, isFront: isFront) else {
      renumber()
      _ = split(chunk, into: elements, isFront: isFront)
      return chunks.indices
    }
    moveChunks(from: chunk + 1, by: elements.count - old.elements.count)
    let pieces = (0..<count).map { piece in
      let (start, end) = (elements.count * piece / count, elements.count * (piece + 1) / count)
      return Chunk(
        elements: ContiguousArray(elements[start..<end]),
        start: old.start + start,
        key: keys[piece]
      )
    }
    chunks.replaceSubrange(chunk...chunk, with: pieces)
    dropCache()
    return chunk..<chunk + count
  }

  /// Returns keys for the chunks that replace a chunk, or `nil` if too few keys remain before the next chunk's key.
  private func keys(forPieces count: Int, of chunk: Int, isFront: Bool) -> [Int]? {
    let key = chunks[chunk].key
    // The keys at the front decrease, so that insertions at the front never run out of keys.
    if isFront { return (0..<count).map { key - (count - 1 - $0) * Self.keyDistance } }
    let next = chunk + 1 < chunks.count ? chunks[chunk + 1].key : key + count * Self.keyDistance
    let distance = (next - key) / count
    return distance > 0 ? (0..<count).map { key + $0 * distance } : nil
  }

  private mutating func renumber() {
    for (index, chunk) in chunks.enumerated() {
      let key = index * Self.keyDistance
      chunks[index] = Chunk(elements: chunk.elements, start: chunk.start, key: key)
    }
  }

  private mutating func moveChunks(from first: Int, by distance: Int) {
    chunks.withUnsafeMutableBufferPointer { chunks in
      for chunk in chunks.indices[first...] {
        chunks[chunk].start += distance
        chunks[chunk].end += distance
      }
    }
  }
}

extension ChunkedArray {
  /// Removes the elements in ranges of indices.
  ///
  /// - Parameter ranges: Ascending ranges that don't overlap.
  /// - Returns: The positions of the chunks that received elements from other chunks.
  @discardableResult
  mutating func removeSubranges(_ ranges: [Range<Int>]) -> [Int] {
    var first = chunks.count
    var last = -1
    // Iterates in reverse, so that the remaining ranges stay valid until the start indices are updated.
    for range in ranges.reversed() where !range.isEmpty {
      first = chunk(of: range.lowerBound)
      let end = chunk(of: range.upperBound - 1)
      last = Swift.max(last, end)
      for chunk in first...end {
        let (start, end) = (chunks[chunk].start, chunks[chunk].end)
        let removed = Swift.max(range.lowerBound, start)..<Swift.min(range.upperBound, end)
        chunks[chunk].elements
          .removeSubrange(removed.lowerBound - start..<removed.upperBound - start)
        chunks[chunk].end -= removed.count
      }
    }
    return first <= last ? tidy(first...last) : []
  }

  /// Updates the chunk table after removals: removes empty chunks, merges short ones, and updates the start indices.
  ///
  /// - Parameter changed: A range that includes the positions of all chunks from which elements were removed.
  /// - Returns: The positions of the chunks that received elements from other chunks.
  private mutating func tidy(_ changed: ClosedRange<Int>) -> [Int] {
    dropCache()
    guard hasShortChunks(changed) else {
      // In most cases, all chunks remain and only their start indices change.
      var start = chunks[changed.lowerBound].start
      for chunk in changed {
        let count = chunks[chunk].end - chunks[chunk].start
        chunks[chunk].start = start
        start += count
        chunks[chunk].end = start
      }
      let next = changed.upperBound + 1
      if next < chunks.count { moveChunks(from: next, by: start - chunks[next].start) }
      return []
    }
    return join(from: changed.lowerBound)
  }

  /// Returns whether any chunk in a range is empty, or small enough to be merged with its neighbor.
  private func hasShortChunks(_ changed: ClosedRange<Int>) -> Bool {
    func count(_ chunk: Int) -> Int { chunks[chunk].end - chunks[chunk].start }
    guard changed.allSatisfy({ count($0) > 0 }) else { return true }
    let ends = Swift.max(changed.lowerBound, 1)..<Swift.min(changed.upperBound + 2, chunks.count)
    return ends.contains { count($0 - 1) + count($0) <= Self.capacity / 2 }
  }

  /// Removes empty chunks, merges short ones, and updates the start indices.
  ///
  /// - Returns: The positions of the chunks that received elements from other chunks.
  private mutating func join(from first: Int) -> [Int] {
    var joined: [Int] = []
    var kept = Swift.max(first - 1, 0)
    var start = chunks[kept].start
    for chunk in kept..<chunks.count {
      let count = chunks[chunk].end - chunks[chunk].start
      guard count > 0 else { continue }
      let last = kept - 1
      if last >= 0, start - chunks[last].start + count <= Self.capacity / 2 {
        chunks[last].elements += chunks[chunk].elements
        chunks[last].end += count
        if joined.last != last { joined.append(last) }
      } else {
        if kept < chunk { chunks.swapAt(kept, chunk) }
        chunks[kept].start = start
        chunks[kept].end = start + count
        kept += 1
      }
      start += count
    }
    chunks.removeSubrange(kept...)
    return joined
  }

  /// Removes the element at an index, so that the caller is the element's only owner and can change it in place.
  ///
  /// The array must not be used until `putBack` or `giveUp` is called.
  @inlinable
  mutating func detach(at index: Int) -> Element {
    dropCache()
    let chunk = chunk(of: index)
    let start = chunks[chunk].start
    chunks[chunk].elements.swapAt(index - start, chunks[chunk].elements.count - 1)
    return chunks[chunk].elements.removeLast()
  }

  /// Inserts an element that `detach` removed at its old index.
  ///
  /// The element may have changed.
  @inlinable
  mutating func putBack(_ element: Element, at index: Int) {
    let (chunk, offset) = gap(at: index)
    chunks[chunk].elements.append(element)
    chunks[chunk].elements.swapAt(offset, chunks[chunk].elements.count - 1)
  }

  /// Completes the removal of an element that `detach` removed.
  ///
  /// - Returns: The positions of the chunks that received elements from other chunks.
  @discardableResult
  mutating func giveUp(at index: Int) -> [Int] {
    let (chunk, offset) = gap(at: index)
    if offset < chunks[chunk].elements.count {
      // `detach` has moved the last element into the gap. Moves it back to the end.
      chunks[chunk].elements.append(chunks[chunk].elements.remove(at: offset))
    }
    chunks[chunk].end -= 1
    return tidy(chunk...chunk)
  }

  /// Returns the chunk and the offset from which `detach` removed an element.
  @usableFromInline
  func gap(at index: Int) -> (chunk: Int, offset: Int) {
    let chunk = lastChunk(startingUpTo: index)
    return (chunk, index - chunks[chunk].start)
  }

  /// Exchanges the elements at two indices.
  mutating func swapAt(_ first: Int, _ second: Int) {
    guard first != second else { return }
    let element = self[first]
    self[first] = self[second]
    self[second] = element
  }
}
