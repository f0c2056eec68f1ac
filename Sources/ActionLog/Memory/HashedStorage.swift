/// The hash buckets of a set or dictionary of the standard library.
///
/// A copy keeps its entries in the same buckets until it grows. Therefore, copies are compared bucket by bucket and bit
/// by bit. Iteration takes twenty times as long in code that is not specialized for the types.
///
/// On Apple's systems, the storage layout is part of Swift's stable ABI. On other systems, it can change. Before the
/// first use, samples are read to test the layout. The class, the size, and the addresses in each storage are checked,
/// too. Storage with another layout is not read.
struct HashedStorage {
  private let storage: UnsafeRawPointer
  private let kind: Kind
  private let bucketCount: Int
  /// The addresses at which the elements, or the keys and the values, begin.
  fileprivate let columns: (first: UnsafeRawPointer, second: UnsafeRawPointer)

  /// The type of the collection.
  private enum Kind { case set, dictionary }

  /// The stride and alignment of the values in a column, in bytes.
  private struct Spacing {
    let stride: Int
    let alignment: Int

    init<Value>(_: Value.Type) {
      stride = MemoryLayout<Value>.stride
      alignment = MemoryLayout<Value>.alignment
    }
  }

  /// The offsets of the storage's fields in bytes.
  private enum Offset {
    static let count = 16
    static let scale = 32
    static let seed = 40
    static let firstColumn = 48
    static let secondColumn = 56
  }

  /// Reads the storage at an address, or returns `nil` if it has another layout.
  ///
  /// - Parameters:
  ///   - storage: The address of an object with at least nine words.
  ///   - count: The number of entries that the collection reports.
  ///   - first: The spacing of elements or keys.
  ///   - second: The spacing of a dictionary's values, or `nil` for a set.
  private init?(at storage: UnsafeRawPointer, count: Int, _ first: Spacing, _ second: Spacing?) {
    guard storage.load(fromByteOffset: Offset.count, as: Int.self) == count else { return nil }
    let scale = storage.load(fromByteOffset: Offset.scale, as: Int8.self)
    guard 0...40 ~= scale, 1 << scale > count else { return nil }
    self.storage = storage
    kind = second == nil ? .set : .dictionary
    bucketCount = 1 << scale
    // The bitmap of used buckets precedes all elements or keys, and then all values.
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

  /// Returns a bitmap of the buckets in use, among the 64 buckets of one word.
  ///
  /// The lowest bit represents the first bucket.
  private func bucketsInUse(_ word: Int) -> UInt64 {
    let start = kind == .set ? Offset.secondColumn : Offset.secondColumn + 8
    let bits = storage.load(fromByteOffset: start + word * 8, as: UInt64.self)
    return bucketCount < 64 ? bits & (1 << UInt64(bucketCount) - 1) : bits
  }

  /// The indexes of all buckets in use.
  private var buckets: [Int] {
    var buckets: [Int] = []
    for word in 0..<wordCount { buckets.append(bits: bucketsInUse(word), of: word) }
    return buckets
  }

  /// Returns the used buckets of each storage that are empty in the other storage or have other bits there.
  ///
  /// - Returns: The buckets, or `nil` if equal entries can be in different buckets.
  fileprivate func differingBuckets(
    from other: HashedStorage,
    _ first: ComparedBytesLayout,
    _ second: ComparedBytesLayout?
  ) -> (own: [Int], other: [Int])? {
    // The size and seed of both tables must be equal, because they determine the buckets.
    guard bucketCount == other.bucketCount,
      storage.load(fromByteOffset: Offset.seed, as: Int.self)
        == other.storage.load(fromByteOffset: Offset.seed, as: Int.self)
    else { return nil }
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
}

extension HashedStorage {
  /// A comparison of two sets or dictionaries of the same type.
  struct Comparison {
    /// The memory layouts of the elements or keys (`first`) and of a dictionary's values (`second`).
    private let first: ComparedBytesLayout
    private let second: ComparedBytesLayout
    private let capabilities: TypeCapabilities

    init<Element>(_ type: Set<Element>.Type, _ types: inout RecentTypes) {
      first = types.capabilities(of: Element.self).layout
      second = first
      capabilities = types.capabilities(of: type)
    }

    init<Key, Value>(_ type: [Key: Value].Type, _ types: inout RecentTypes) {
      first = types.capabilities(of: Key.self).layout
      second = types.capabilities(of: Value.self).layout
      capabilities = types.capabilities(of: type)
    }
  }
}

extension HashedStorage.Comparison {
  /// Calls a closure with the entries of the old set and of the new set that could differ.
  ///
  /// An entry that is omitted is in both sets with the same bits.
  func withDiffering<Element: Hashable>(
    _ old: Set<Element>,
    _ new: Set<Element>,
    _ body: (HashedEntries, HashedEntries) -> Void
  ) {
    if HashedStorage.canReadSets, let left = HashedStorage(of: old, capabilities),
      let right = HashedStorage(of: new, capabilities),
      let places = left.differingBuckets(from: right, first, nil)
    {
      return withExtendedLifetime((old, new)) {
        body(
          HashedEntries(columns: left.columns, places: places.own),
          HashedEntries(columns: right.columns, places: places.other)
        )
      }
    }
    func changed(_ some: Set<Element>, _ others: Set<Element>) -> [Element] {
      some.filter { element in
        guard let index = others.firstIndex(of: element) else { return true }
        return !first.isSame(element, others[index])
      }
    }
    changed(old, new).withUnsafeBytes { gone in
      changed(new, old).withUnsafeBytes { come in
        body(HashedEntries(gone, first), HashedEntries(come, first))
      }
    }
  }

  /// Calls a closure with the entries of the old dictionary and of the new dictionary that could differ.
  ///
  /// An entry that is omitted is in both dictionaries with the same bits.
  func withDiffering<Key: Hashable, Value>(
    _ old: [Key: Value],
    _ new: [Key: Value],
    _ body: (HashedEntries, HashedEntries) -> Void
  ) {
    if HashedStorage.canReadDictionaries, let left = HashedStorage(of: old, capabilities),
      let right = HashedStorage(of: new, capabilities),
      let places = left.differingBuckets(from: right, first, second)
    {
      return withExtendedLifetime((old, new)) {
        body(
          HashedEntries(columns: left.columns, places: places.own),
          HashedEntries(columns: right.columns, places: places.other)
        )
      }
    }
    func changed(_ some: [Key: Value], _ others: [Key: Value]) -> (keys: [Key], values: [Value]) {
      var changed: (keys: [Key], values: [Value]) = ([], [])
      for (key, value) in some {
        if let index = others.index(forKey: key), first.isSame(key, others[index].key),
          second.isSame(value, others[index].value)
        {
          continue
        }
        changed.keys.append(key)
        changed.values.append(value)
      }
      return changed
    }
    let (gone, come) = (changed(old, new), changed(new, old))
    gone.keys.withUnsafeBytes { goneKeys in
      gone.values.withUnsafeBytes { goneValues in
        come.keys.withUnsafeBytes { comeKeys in
          come.values.withUnsafeBytes { comeValues in
            body(
              HashedEntries(goneKeys, first, goneValues),
              HashedEntries(comeKeys, first, comeValues)
            )
          }
        }
      }
    }
  }
}

extension HashedStorage {
  fileprivate init?<Element>(of set: Set<Element>, _ capabilities: TypeCapabilities) {
    let storage = unsafeBitCast(set, to: UnsafeRawPointer.self)
    let known = capabilities.storageClass {
      Self.storageClass(of: Set<Element>(minimumCapacity: 1))
    }
    guard storage.load(as: UInt.self) == known else { return nil }
    self.init(at: storage, count: set.count, Spacing(Element.self), nil)
  }

  fileprivate init?<Key, Value>(of dictionary: [Key: Value], _ capabilities: TypeCapabilities) {
    let storage = unsafeBitCast(dictionary, to: UnsafeRawPointer.self)
    let known = capabilities.storageClass {
      Self.storageClass(of: [Key: Value](minimumCapacity: 1))
    }
    guard storage.load(as: UInt.self) == known else { return nil }
    self.init(at: storage, count: dictionary.count, Spacing(Key.self), Spacing(Value.self))
  }

  /// Returns the address of the class of a collection's storage.
  ///
  /// The collection must have reserved capacity. Empty and bridged collections have storage of other classes.
  private static func storageClass<Container>(of container: Container) -> UInt {
    withExtendedLifetime(container) {
      unsafeBitCast(container, to: UnsafeRawPointer.self).load(as: UInt.self)
    }
  }

  /// Whether the storage of sets has the expected layout, tested with samples.
  fileprivate static let canReadSets = sampleSizes.allSatisfy { size in
    let sample = Set((0..<UInt64(size)).map { $0 << 8 })
    return withExtendedLifetime(sample) {
      guard isReadable, let storage = HashedStorage(of: sample, .of(type(of: sample))) else {
        return false
      }
      let entries = HashedEntries(columns: storage.columns, places: storage.buckets)
      return entries.places.map { entries.first($0) } == Array(sample)
    }
  }

  /// Whether the storage of dictionaries has the expected layout, tested with samples.
  fileprivate static let canReadDictionaries = sampleSizes.allSatisfy { size in
    let sample = Dictionary(uniqueKeysWithValues: (0..<UInt16(size)).map { ($0, UInt64($0) << 8) })
    return withExtendedLifetime(sample) {
      guard isReadable, let storage = HashedStorage(of: sample, .of(type(of: sample))) else {
        return false
      }
      let entries = HashedEntries(columns: storage.columns, places: storage.buckets)
      return entries.places.map { entries.first($0) } == Array(sample.keys)
        && entries.places.map { entries.second($0) } == Array(sample.values)
    }
  }

  /// The numbers of entries in the samples, which use part of a bitmap word or several words.
  private static let sampleSizes = [1, 5, 300]

  /// Whether words and references have the sizes that the offsets assume.
  private static let isReadable =
    MemoryLayout<UnsafeRawPointer>.size == 8 && MemoryLayout<Set<Int>>.size == 8
    && MemoryLayout<[Int: Int]>.size == 8
}

extension [Int] {
  /// Appends the indexes of the buckets whose bits are set in the bitmap word with index `word`.
  fileprivate mutating func append(bits: UInt64, of word: Int) {
    var bits = bits
    while bits != 0 {
      append(word * 64 + bits.trailingZeroBitCount)
      bits &= bits - 1
    }
  }
}

/// Entries of a set or dictionary, read in place from its storage or from buffers.
struct HashedEntries {
  private let columns: (first: UnsafeRawPointer?, second: UnsafeRawPointer?)
  /// The index of each entry's bucket in the storage, or the entry's index in the buffers.
  let places: [Int]

  fileprivate init(columns: (first: UnsafeRawPointer, second: UnsafeRawPointer), places: [Int]) {
    (self.columns, self.places) = (columns, places)
  }

  /// Creates an entry for each element of a buffer.
  ///
  /// - Parameters:
  ///   - first: The elements of a set, or the keys of a dictionary.
  ///   - layout: The memory layout of an element or key.
  ///   - second: The dictionary's values, in the order of the keys; `nil` for a set.
  fileprivate init(
    _ first: UnsafeRawBufferPointer,
    _ layout: ComparedBytesLayout,
    _ second: UnsafeRawBufferPointer? = nil
  ) {
    columns = (first.baseAddress, second?.baseAddress)
    places = Array(0..<first.count / layout.stride)
  }

  // Reading is safe, because there is an entry at each index in `places`.

  /// Returns the element or key at an index from `places`.
  ///
  /// `Value` must be the type of the elements or keys.
  func first<Value>(_ place: Int, as _: Value.Type = Value.self) -> Value {
    columns.first.unsafelyUnwrapped.assumingMemoryBound(to: Value.self)[place]
  }

  /// Returns the dictionary's value at an index from `places`.
  ///
  /// `Value` must be the type of the values.
  func second<Value>(_ place: Int, as _: Value.Type = Value.self) -> Value {
    columns.second.unsafelyUnwrapped.assumingMemoryBound(to: Value.self)[place]
  }
}
