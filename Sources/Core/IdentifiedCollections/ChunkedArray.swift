import Foundation
import Synchronization

/// An array in chunks, of which copies share those that no one has changed since.
///
/// A change of a copy costs a chunk and the table of the chunks, not all elements. The table names the chunks by keys, so
/// that an index of the elements (`OrderedSet`) can find one in its chunk whatever comes and goes before it.
@usableFromInline
struct ChunkedArray<Element> {
  /// Some neighbouring elements, at least one.
  @usableFromInline
  struct Chunk {
    @usableFromInline var elements: ContiguousArray<Element>
    /// The index of the first element.
    @usableFromInline var start: Int
    /// The index after that of the last element; it stands here so that finding an index reads the table alone.
    @usableFromInline var end: Int
    /// The name of the chunk for as long as it is there; keys ascend from chunk to chunk.
    let key: Int

    init(elements: ContiguousArray<Element>, start: Int, key: Int) {
      self.elements = elements
      self.start = start
      self.key = key
      end = start + elements.count
    }
  }

  @usableFromInline var chunks: ContiguousArray<Chunk> = []
  /// Where copies of this array keep the elements in one piece; none while one chunk holds them.
  private var cache: ElementsCache<Element>?

  /// The most elements of a chunk, as a power of two.
  ///
  /// With longer chunks a change copies more elements, with shorter ones more of the table.
  @inlinable static var capacityBits: Int { 6 }
  static var capacity: Int { 1 << capacityBits }

  /// The distance between the keys of chunks that were made one after the other: so often can one be halved.
  static var keyDistance: Int { 1 << 32 }

  init() {}

  init(_ elements: [Element]) {
    if elements.count <= Self.capacity {
      if !elements.isEmpty { appendChunk(ContiguousArray(elements)) }
    } else {
      chunks.reserveCapacity(elements.count >> Self.capacityBits + 1)
      appendChunks(elements[...])
    }
  }

  /// The elements in one piece, which copies share.
  var array: [Element] {
    if chunks.count == 1 { return Array(chunks[0].elements) }
    return cache?.elements(joined) ?? joined()
  }

  private func joined() -> [Element] {
    var array: [Element] = []
    array.reserveCapacity(count)
    for chunk in chunks { array += chunk.elements }
    return array
  }

  /// Gives up the elements in one piece, which are no longer these.
  @usableFromInline
  mutating func dropCache() {
    guard chunks.count > 1 else {
      cache = nil
      return
    }
    if isKnownUniquelyReferenced(&cache) { cache?.clear() } else { cache = ElementsCache() }
  }

  /// Whether two arrays are copies that no one has changed since.
  @inlinable
  func isCopy(of other: ChunkedArray) -> Bool { chunks.span.isIdentical(to: other.chunks.span) }
}

extension ChunkedArray: Sendable where Element: Sendable {}
extension ChunkedArray.Chunk: Sendable where Element: Sendable {}

// MARK: - Access

extension ChunkedArray {
  @inlinable var count: Int { chunks.last?.end ?? 0 }

  @inlinable var isEmpty: Bool { chunks.isEmpty }

  @inlinable
  subscript(index: Int) -> Element {
    get {
      let chunk = chunk(of: index)
      return chunks.withUnsafeBufferPointer { chunks in
        // The chunk holds the index, or it would not be that one.
        chunks[chunk].elements.withUnsafeBufferPointer { $0[index &- chunks[chunk].start] }
      }
    }
    _modify {
      dropCache()
      let chunk = chunk(of: index)
      yield &chunks[chunk].elements[index &- chunks[chunk].start]
    }
  }

  /// The chunk that holds the element at an index.
  @inlinable
  func chunk(of index: Int) -> Int {
    // This one where all chunks before it are full, and never one before it, for none is longer.
    let chunk = index >> Self.capacityBits
    if index < chunks[chunk].end { return chunk }
    return search(for: index, from: chunk)
  }

  @usableFromInline
  @inline(never)
  func search(for index: Int, from first: Int) -> Int {
    precondition(index >= 0 && index < count, "Index \(index) is out of range.")
    return lastChunk(startingUpTo: index, from: first)
  }

  func lastChunk(startingUpTo index: Int, from first: Int = 0) -> Int {
    var (low, high) = (first, chunks.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if chunks[middle].start <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// The chunk with a key.
  func chunk(key: Int) -> Int? {
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < chunks.count && chunks[low].key == key ? low : nil
  }

  /// Whether a condition holds for all elements at the same indices of two arrays, given in runs.
  ///
  /// Runs that both share are passed.
  @inlinable
  func allRuns(
    with other: ChunkedArray,
    satisfy condition: (Span<Element>, Span<Element>) -> Bool
  ) -> Bool {
    guard count == other.count else { return false }
    if isCopy(of: other) { return true }
    var (left, right) = (0, 0)
    var index = 0
    while left < chunks.count {
      let shared = sharedChunks(from: left, with: other, from: right)
      if shared > 0 {
        left &+= shared
        right &+= shared
        index = chunks[left &- 1].end
        continue
      }
      let end = Swift.min(chunks[left].end, other.chunks[right].end)
      let (start, otherStart) = (chunks[left].start, other.chunks[right].start)
      let (own, others) = (chunks[left].elements, other.chunks[right].elements)
      guard
        condition(
          own.span.extracting(index - start..<end - start),
          others.span.extracting(index - otherStart..<end - otherStart)
        )
      else { return false }
      if chunks[left].end == end { left &+= 1 }
      if other.chunks[right].end == end { right &+= 1 }
      index = end
    }
    return true
  }

  /// How many chunks two arrays share at the same indices, one after the other from a chunk of each.
  @usableFromInline
  func sharedChunks(from own: Int, with other: ChunkedArray, from its: Int) -> Int {
    let table = chunks.span
    let otherTable = other.chunks.span
    let most = Swift.min(table.count - own, otherTable.count - its)
    var shared = 0
    while shared < most, table[own + shared].start == otherTable[its + shared].start,
      table[own + shared].elements.span.isIdentical(to: otherTable[its + shared].elements.span)
    {
      shared += 1
    }
    return shared
  }
}

extension ChunkedArray {
  /// How many chunks two arrays share at the start and at the end.
  func commonChunks(with other: ChunkedArray) -> (start: Int, end: Int) {
    let most = Swift.min(chunks.count, other.chunks.count)
    if isCopy(of: other) { return (most, 0) }
    let table = chunks.span
    let otherTable = other.chunks.span
    let (last, otherLast) = (table.count - 1, otherTable.count - 1)
    var (start, end) = (0, 0)
    while start < most,
      table[start].elements.span.isIdentical(to: otherTable[start].elements.span)
    {
      start += 1
    }
    while end < most - start,
      table[last - end].elements.span.isIdentical(to: otherTable[otherLast - end].elements.span)
    {
      end += 1
    }
    return (start, end)
  }
}

extension ContiguousArray {
  /// How many elements with the same bits two arrays have at the start and at the end.
  func commonEnds(with other: ContiguousArray) -> (start: Int, end: Int) {
    if span.isIdentical(to: other.span) { return (count, 0) }
    let (stride, size) = (MemoryLayout<Element>.stride, MemoryLayout<Element>.size)
    let most = Swift.min(count, other.count)
    return withUnsafeBytes { own in
      other.withUnsafeBytes { other in
        guard let start = own.baseAddress, let otherStart = other.baseAddress else { return (0, 0) }
        // Whether the elements at two offsets have the same bits.
        func isSame(_ offset: Int, _ otherOffset: Int) -> Bool {
          memcmp(start + offset, otherStart + otherOffset, size) == 0
        }
        var common = (start: 0, end: 0)
        while common.start < most, isSame(common.start * stride, common.start * stride) {
          common.start += 1
        }
        while common.end < most - common.start {
          let offset = (common.end + 1) * stride
          guard isSame(own.count - offset, other.count - offset) else { break }
          common.end += 1
        }
        return common
      }
    }
  }
}

extension ChunkedArray: Sequence {
  @inlinable
  func makeIterator() -> ChunkIterator<Element> { ChunkIterator(chunks) }

  @inlinable var underestimatedCount: Int { count }

  /// Lends the elements if they lie in one piece.
  @inlinable
  func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    guard chunks.count <= 1 else { return nil }
    return try (chunks.first?.elements ?? []).withUnsafeBufferPointer(body)
  }
}

extension ChunkedArray: Equatable where Element: Equatable {
  @usableFromInline
  static func == (lhs: ChunkedArray, rhs: ChunkedArray) -> Bool {
    lhs.allRuns(with: rhs) { own, other in own.indices.allSatisfy { own[$0] == other[$0] } }
  }
}

extension ChunkedArray: Hashable where Element: Hashable {
  /// Hashes the elements as an array does.
  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

/// Iterates over the elements of an identified array or an ordered set; it is not `Sendable`.
public struct ChunkIterator<Element>: IteratorProtocol {
  /// Nothing changes the chunks while the iterator holds them, so their elements stay where they are.
  @usableFromInline let chunks: ContiguousArray<ChunkedArray<Element>.Chunk>
  /// How many chunks were begun.
  @usableFromInline var chunk = 0
  /// The next element of the chunk that was begun last, and where that chunk ends.
  @usableFromInline var place: UnsafePointer<Element>?
  @usableFromInline var end: UnsafePointer<Element>?

  @inlinable
  init(_ chunks: ContiguousArray<ChunkedArray<Element>.Chunk>) { self.chunks = chunks }

  /// The next element, nil at the end.
  @inlinable
  public mutating func next() -> Element? {
    if place == end {
      guard chunk < chunks.count else { return nil }
      // The count from the table, so that nothing waits for the chunk's own memory before its first element is read.
      let count = chunks[chunk].end &- chunks[chunk].start
      chunks[chunk].elements.withUnsafeBufferPointer { elements in
        self.place = elements.baseAddress
        end = elements.baseAddress.map { $0 + count }
      }
      chunk &+= 1
    }
    // No chunk is empty, so there is an element where one was begun.
    let place = self.place.unsafelyUnwrapped
    self.place = place + 1
    // The optimiser may let go of chunks that are not used again, and the pointer would not keep them.
    return withExtendedLifetime(chunks) { place.pointee }
  }
}

/// Keeps the elements of an array in chunks in one piece, from when they are first asked for.
private final class ElementsCache<Element> {
  private let elements = Mutex<UncheckedSendable<[Element]>?>(nil)

  init() {}

  /// The elements, which are made unless they are there.
  func elements(_ make: () -> [Element]) -> [Element] {
    if let known = elements.withLock({ $0 }) { return known.value }
    // Not under the lock; where two make them at a time, either are these.
    let made = UncheckedSendable(make())
    elements.withLock { $0 = made }
    return made.value
  }

  func clear() { elements.withLock { $0 = nil } }
}

/// The elements are changed by no one, so they can be anywhere where each of them can be.
extension ElementsCache: Sendable where Element: Sendable {}
