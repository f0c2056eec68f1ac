import Foundation
import Synchronization

/// An array that stores its elements in chunks.
///
/// Copies of the array share unchanged chunks. A mutation of a copy copies one chunk and the table of chunks, not all
/// elements. The table identifies chunks by keys. An index of the elements, as in `OrderedSet`, can therefore find an
/// element after insertions and removals in other chunks.
@usableFromInline
struct ChunkedArray<Element> {
  /// A run of consecutive elements that is never empty.
  @usableFromInline
  struct Chunk {
    @usableFromInline var elements: ContiguousArray<Element>
    /// The array index of the chunk's first element.
    @usableFromInline var start: Int
    /// The array index after the chunk's last element.
    ///
    /// Storing this index lets lookups read only the table of chunks, and not the chunks.
    @usableFromInline var end: Int
    /// The identity of the chunk during its lifetime.
    ///
    /// Keys ascend from each chunk to the next.
    let key: Int

    init(elements: ContiguousArray<Element>, start: Int, key: Int) {
      self.elements = elements
      self.start = start
      self.key = key
      end = start + elements.count
    }
  }

  @usableFromInline var chunks: ContiguousArray<Chunk> = []
  /// A cache of the elements as a contiguous array, shared by copies of this array.
  ///
  /// The cache is `nil` if a single chunk contains all elements.
  private var cache: ElementsCache<Element>?

  /// The binary logarithm of a chunk's capacity.
  ///
  /// The capacity of 64 balances two costs of a mutation. Larger chunks take longer to copy. Smaller chunks make the
  /// table longer, which is copied too.
  @inlinable static var capacityBits: Int { 6 }
  static var capacity: Int { 1 << capacityBits }

  /// The distance between the keys of consecutively created chunks, which allows 32 successive splits of a chunk.
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

  /// The elements as a contiguous array, which copies of this array share.
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

  /// Discards the cached contiguous array.
  ///
  /// Every mutation calls this function.
  @usableFromInline
  mutating func dropCache() {
    guard chunks.count > 1 else {
      cache = nil
      return
    }
    if isKnownUniquelyReferenced(&cache) { cache?.clear() } else { cache = ElementsCache() }
  }

  /// Returns whether two arrays are copies that haven't changed since they were copied.
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
        // Skips the bounds check, because `chunk(of:)` has verified the index.
        chunks[chunk].elements.withUnsafeBufferPointer { $0[index &- chunks[chunk].start] }
      }
    }
    _modify {
      dropCache()
      let chunk = chunk(of: index)
      yield &chunks[chunk].elements[index &- chunks[chunk].start]
    }
  }

  /// Returns the position of the chunk that contains the element at an index.
  @inlinable
  func chunk(of index: Int) -> Int {
    // If all chunks before it are full, this chunk contains the element. Otherwise, this chunk or a later one does,
    // because no chunk exceeds its capacity.
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

  /// Returns the position of the chunk with a key, or `nil` if there is none.
  func chunk(key: Int) -> Int? {
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < chunks.count && chunks[low].key == key ? low : nil
  }

  /// Returns whether a condition holds for all pairs of elements at equal indices in two arrays.
  ///
  /// The condition receives the elements in runs. Runs that both arrays share are skipped.
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

  /// Returns the number of consecutive chunks that two arrays share at equal indices, from the given positions onward.
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
  /// Returns the numbers of chunks that two arrays share at the start and at the end.
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
  /// Returns the numbers of elements at the start and at the end of two arrays that are bitwise equal.
  func commonEnds(with other: ContiguousArray) -> (start: Int, end: Int) {
    if span.isIdentical(to: other.span) { return (count, 0) }
    let (stride, size) = (MemoryLayout<Element>.stride, MemoryLayout<Element>.size)
    let most = Swift.min(count, other.count)
    return withUnsafeBytes { own in
      other.withUnsafeBytes { other in
        guard let start = own.baseAddress, let otherStart = other.baseAddress else { return (0, 0) }
        // Returns whether the elements at two byte offsets are bitwise equal.
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

  /// Calls a closure with the elements, or returns `nil` if they are not stored contiguously.
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
  /// Hashes the number of elements and then the elements, as `Array` does.
  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

/// An iterator over the elements of an identified array or an ordered set.
///
/// The iterator isn't `Sendable`.
public struct ChunkIterator<Element>: IteratorProtocol {
  /// The chunks of the array.
  ///
  /// The iterator retains the chunks, so they don't change and pointers to their elements stay valid.
  @usableFromInline let chunks: ContiguousArray<ChunkedArray<Element>.Chunk>
  /// The number of chunks over which the iteration has started.
  @usableFromInline var chunk = 0
  /// A pointer to the next element of the current chunk; `nil` before the first chunk.
  @usableFromInline var place: UnsafePointer<Element>?
  @usableFromInline var end: UnsafePointer<Element>?

  @inlinable
  init(_ chunks: ContiguousArray<ChunkedArray<Element>.Chunk>) { self.chunks = chunks }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public mutating func next() -> Element? {
    if place == end {
      guard chunk < chunks.count else { return nil }
      // Takes the count from the table, which avoids an access to the chunk's memory before its first element is read.
      let count = chunks[chunk].end &- chunks[chunk].start
      chunks[chunk].elements.withUnsafeBufferPointer { elements in
        self.place = elements.baseAddress
        end = elements.baseAddress.map { $0 + count }
      }
      chunk &+= 1
    }
    // Chunks are never empty, so the current chunk has a next element.
    let place = self.place.unsafelyUnwrapped
    self.place = place + 1
    // Keeps the chunks alive. The optimizer might otherwise release them after their last use, which would invalidate
    // the pointer.
    return withExtendedLifetime(chunks) { place.pointee }
  }
}

/// A lazily created, contiguous copy of a chunked array's elements.
private final class ElementsCache<Element> {
  private let elements = Mutex<UncheckedSendable<[Element]>?>(nil)

  init() {}

  /// Returns the cached elements, and creates them if necessary.
  func elements(_ make: () -> [Element]) -> [Element] {
    if let known = elements.withLock({ $0 }) { return known.value }
    // Creates the elements without holding the lock. If two threads do so concurrently, both results are equal.
    let made = UncheckedSendable(make())
    elements.withLock { $0 = made }
    return made.value
  }

  func clear() { elements.withLock { $0 = nil } }
}

/// Sendable if the elements are, because the cached array is immutable.
extension ElementsCache: Sendable where Element: Sendable {}
