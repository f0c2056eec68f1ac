/// The buckets in which a set or a dictionary of the standard library keeps its entries.
///
/// A copy keeps its entries in their buckets as long as it does not grow. So copies are compared bucket by bucket, by the bits
/// that stand there: iterating over them takes twenty times as long in code that is not compiled for their types.
///
/// The layout of this storage is part of Swift's stable ABI on Apple's systems. Elsewhere it may change, so it is held against
/// samples before it is read for the first time, and each storage against its class and its own addresses. Storage that
/// looks different is not read.
struct HashedStorage {
  private let storage: UnsafeRawPointer
  private let kind: Kind
  private let bucketCount: Int
  /// Where the elements, or the keys and the values, of the first bucket would stand.
  private let columns: (first: UnsafeRawPointer, second: UnsafeRawPointer)

  /// What the storage belongs to.
  private enum Kind { case set, dictionary }

  /// How values lie beside each other.
  private struct Spacing {
    let stride: Int
    let alignment: Int

    init<Value>(_: Value.Type) {
      stride = MemoryLayout<Value>.stride
      alignment = MemoryLayout<Value>.alignment
    }
  }

  /// The offsets of what is read, in bytes.
  private enum Offset {
    static let count = 16
    static let scale = 32
    static let seed = 40
    static let firstColumn = 48
    static let secondColumn = 56
  }

  /// The storage at an address.
  ///
  /// - Parameters:
  ///   - storage: An object with at least nine words.
  ///   - count: How many entries it holds.
  ///   - first: How elements or keys lie beside each other.
  ///   - second: How the values of a dictionary lie beside each other; nil for a set.
  private init?(at storage: UnsafeRawPointer, count: Int, _ first: Spacing, _ second: Spacing?) {
    guard storage.load(fromByteOffset: Offset.count, as: Int.self) == count else { return nil }
    let scale = storage.load(fromByteOffset: Offset.scale, as: Int8.self)
    guard 0...40 ~= scale, 1 << scale > count else { return nil }
    self.storage = storage
    kind = second == nil ? .set : .dictionary
    bucketCount = 1 << scale
    // The bits that say which buckets are in use, then all elements or keys, then all values.
    let bits = storage + (second == nil ? Offset.secondColumn : Offset.secondColumn + 8)
    let firstColumn = (bits + (bucketCount + 63) / 64 * 8).alignedUp(toMultipleOf: first.alignment)
    var secondColumn = firstColumn
    if let second {
      secondColumn = (firstColumn + bucketCount * first.stride)
        .alignedUp(toMultipleOf: second.alignment)
      guard
        storage.load(fromByteOffset: Offset.secondColumn, as: UnsafeRawPointer?.self)
          == secondColumn
      else { return nil }
    }
    columns = (firstColumn, secondColumn)
    guard
      storage.load(fromByteOffset: Offset.firstColumn, as: UnsafeRawPointer?.self) == firstColumn
    else { return nil }
  }

  private var wordCount: Int { (bucketCount + 63) / 64 }

  /// Which of 64 buckets are in use, by bits from the lowest.
  private func bucketsInUse(_ word: Int) -> UInt64 {
    let start = kind == .set ? Offset.secondColumn : Offset.secondColumn + 8
    let bits = storage.load(fromByteOffset: start + word * 8, as: UInt64.self)
    return bucketCount < 64 ? bits & (1 << UInt64(bucketCount) - 1) : bits
  }

  /// All buckets in use.
  private var buckets: [Int] {
    var buckets: [Int] = []
    for word in 0..<wordCount { buckets.append(bits: bucketsInUse(word), of: word) }
    return buckets
  }

  /// The buckets that are in use in one storage and hold other bits in another one, or nothing; for both.
  private func differingBuckets(
    from other: HashedStorage,
    _ first: RowLayout,
    _ second: RowLayout?
  ) -> (own: [Int], other: [Int]) {
    // Where entries stand is a matter of both.
    guard bucketCount == other.bucketCount,
      storage.load(fromByteOffset: Offset.seed, as: Int.self)
        == other.storage.load(fromByteOffset: Offset.seed, as: Int.self)
    else { return (buckets, other.buckets) }
    var (own, others): ([Int], [Int]) = ([], [])
    for word in 0..<wordCount {
      let (left, right) = (bucketsInUse(word), other.bucketsInUse(word))
      let shared = left & right
      var differing = left ^ right
      differing |= first.differing(
        columns.first + word * 64 * first.stride,
        other.columns.first + word * 64 * first.stride,
        among: shared
      )
      if let second {
        differing |= second.differing(
          columns.second + word * 64 * second.stride,
          other.columns.second + word * 64 * second.stride,
          among: shared & ~differing
        )
      }
      guard differing != 0 else { continue }
      own.append(bits: left & differing, of: word)
      others.append(bits: right & differing, of: word)
    }
    return (own, others)
  }

  private func first<Value>(_ bucket: Int, as _: Value.Type) -> Value {
    columns.first.assumingMemoryBound(to: Value.self)[bucket]
  }

  private func second<Value>(_ bucket: Int, as _: Value.Type) -> Value {
    columns.second.assumingMemoryBound(to: Value.self)[bucket]
  }
}

extension HashedStorage {
  /// The elements of two sets that do not stand with the same bits in the same place of the other one.
  ///
  /// - Returns: Some elements of each; nil when the sets are stored in another way.
  static func differing<Element: Hashable>(
    _ old: Set<Element>,
    _ new: Set<Element>,
    _ elements: RowComparison<Element>
  ) -> (old: [Element], new: [Element])? {
    withExtendedLifetime((old, new)) {
      guard canReadSets, let left = HashedStorage(of: old), let right = HashedStorage(of: new)
      else { return nil }
      let buckets = left.differingBuckets(from: right, elements.layout, nil)
      return (
        buckets.own.map { left.first($0, as: Element.self) },
        buckets.other.map { right.first($0, as: Element.self) }
      )
    }
  }

  /// The entries of two dictionaries that do not stand with the same bits in the same place of the other one.
  ///
  /// - Returns: Some entries of each; nil when the dictionaries are stored in another way.
  static func differing<Key: Hashable, Value>(
    _ old: [Key: Value],
    _ new: [Key: Value],
    _ keys: RowComparison<Key>,
    _ values: RowComparison<Value>
  ) -> (old: [(key: Key, value: Value)], new: [(key: Key, value: Value)])? {
    withExtendedLifetime((old, new)) {
      guard canReadDictionaries, let left = HashedStorage(of: old),
        let right = HashedStorage(of: new)
      else { return nil }
      let buckets = left.differingBuckets(from: right, keys.layout, values.layout)
      func entry(_ storage: HashedStorage, _ bucket: Int) -> (key: Key, value: Value) {
        (storage.first(bucket, as: Key.self), storage.second(bucket, as: Value.self))
      }
      return (buckets.own.map { entry(left, $0) }, buckets.other.map { entry(right, $0) })
    }
  }

  private init?<Element>(of set: Set<Element>) {
    let storage = unsafeBitCast(set, to: UnsafeRawPointer.self)
    guard Self.hasSameClass(storage, as: Set<Element>(minimumCapacity: 1)) else { return nil }
    self.init(at: storage, count: set.count, Spacing(Element.self), nil)
  }

  private init?<Key, Value>(of dictionary: [Key: Value]) {
    let storage = unsafeBitCast(dictionary, to: UnsafeRawPointer.self)
    guard Self.hasSameClass(storage, as: [Key: Value](minimumCapacity: 1)) else { return nil }
    self.init(at: storage, count: dictionary.count, Spacing(Key.self), Spacing(Value.self))
  }

  /// Whether storage is of the class that is made for entries of its types, and not that of no entries or of a bridged object.
  private static func hasSameClass<Container>(
    _ storage: UnsafeRawPointer,
    as container: Container
  ) -> Bool {
    withExtendedLifetime(container) {
      unsafeBitCast(container, to: UnsafeRawPointer.self).load(as: UInt.self)
        == storage.load(as: UInt.self)
    }
  }

  /// Whether what is read of sets are their elements.
  private static let canReadSets = sampleSizes.allSatisfy { size in
    let sample = Set((0..<UInt64(size)).map { $0 << 8 })
    return withExtendedLifetime(sample) {
      guard isReadable, let storage = HashedStorage(of: sample) else { return false }
      let buckets = storage.buckets
      return buckets.map { storage.first($0, as: UInt64.self) } == Array(sample)
    }
  }

  /// Whether what is read of dictionaries are their entries.
  private static let canReadDictionaries = sampleSizes.allSatisfy { size in
    let sample = Dictionary(uniqueKeysWithValues: (0..<UInt16(size)).map { ($0, UInt64($0) << 8) })
    return withExtendedLifetime(sample) {
      guard isReadable, let storage = HashedStorage(of: sample) else { return false }
      let buckets = storage.buckets
      return buckets.map { storage.first($0, as: UInt16.self) } == Array(sample.keys)
        && buckets.map { storage.second($0, as: UInt64.self) } == Array(sample.values)
    }
  }

  /// Numbers of entries that take a part of a word of bits, and some words.
  private static let sampleSizes = [1, 5, 300]

  /// Whether words and references have the size that the offsets are for.
  private static let isReadable =
    MemoryLayout<UnsafeRawPointer>.size == 8 && MemoryLayout<Set<Int>>.size == 8
    && MemoryLayout<[Int: Int]>.size == 8
}

extension [Int] {
  /// Appends the numbers of the buckets whose bits are set in a word.
  fileprivate mutating func append(bits: UInt64, of word: Int) {
    var bits = bits
    while bits != 0 {
      append(word * 64 + bits.trailingZeroBitCount)
      bits &= bits - 1
    }
  }
}
