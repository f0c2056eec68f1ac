import ActionLog

/// A 128-bit digest that identifies a value in a search.
///
/// Two values with the same digest are treated as equal. Digests are valid only in this process, and do not resist
/// deliberate collisions.
package struct Digest: Hashable, Sendable {
  private var first: UInt64
  private var second: UInt64

  /// Creates the digest of an empty set.
  package init() { (first, second) = (0, 0) }

  private init(_ first: UInt64, _ second: UInt64) { (self.first, self.second) = (first, second) }

  /// Creates the digest of a byte sequence.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var (first, second) = (UInt64(bytes.count) ^ Self.seeds.0, UInt64(bytes.count) ^ Self.seeds.1)
    let raw = UnsafeRawBufferPointer(bytes)
    var offset = 0
    while offset + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      first = Self.fold(first ^ word, Self.seeds.2)
      second = Self.fold(second ^ word, Self.seeds.3)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < raw.count {
      rest = rest << 8 | UInt64(raw[offset])
      offset += 1
    }
    self.init(Self.fold(first ^ rest, Self.seeds.3), Self.fold(second ^ rest, Self.seeds.2))
  }

  /// Creates the digest of three integers, which depends on their order.
  package init(_ numbers: (Int, Int, Int)) {
    var (first, second) = (Self.seeds.0, Self.seeds.1)
    func combine(_ number: Int) {
      let word = UInt64(bitPattern: Int64(number))
      first = Self.fold(first ^ word, Self.seeds.2)
      second = Self.fold(second ^ word, Self.seeds.3)
    }
    combine(numbers.0)
    combine(numbers.1)
    combine(numbers.2)
    self.init(Self.fold(first, Self.seeds.3), Self.fold(second, Self.seeds.2))
  }

  /// Creates the digest of several JSON texts, which depends on their order.
  package init(_ texts: some Sequence<JSONText>) {
    self.init()
    for text in texts {
      add(text.withBytes { Digest($0) })
      self = mixed
    }
  }

  /// Adds another digest.
  ///
  /// The order of additions does not affect the result.
  package mutating func add(_ other: Digest) {
    first &+= other.first
    second &+= other.second
  }

  /// Subtracts a digest that was added before.
  package mutating func remove(_ other: Digest) {
    first &-= other.first
    second &-= other.second
  }

  /// The digest with its bits mixed.
  ///
  /// A sum is mixed before it is added to another sum, so that sums of the same digests in different groups differ.
  package var mixed: Digest {
    Digest(Self.fold(first, Self.seeds.2), Self.fold(second, Self.seeds.3))
  }

  /// Returns a hash that identifies an edge of the search graph by its start and its number.
  ///
  /// This digest identifies the state at which the edge starts.
  package func edge(_ number: Int) -> UInt64 {
    Self.fold(first ^ UInt64(bitPattern: Int64(number)), Self.seeds.2) ^ second
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(first) }

  // Odd numbers with about as many one bits as zero bits, as in wyhash (Wang Yi).
  private static let seeds: (UInt64, UInt64, UInt64, UInt64) = (
    0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3
  )

  /// Multiplies two words, and combines both halves of the product, so that the result depends on all bits.
  private static func fold(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
    let product = lhs.multipliedFullWidth(by: rhs)
    return product.high ^ product.low &+ lhs.rotated
  }
}

extension UInt64 {
  /// The value with its bits rotated, so that a factor of zero doesn't erase the previous value.
  fileprivate var rotated: UInt64 { self << 29 | self >> 35 }
}
