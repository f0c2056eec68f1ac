import ActionLog

/// 128 bits that stand for a value in a search: two values with the same digest are taken for one.
///
/// Made for this process alone, and not against people who want two values to have the same one.
package struct Digest: Hashable, Sendable {
  private var first: UInt64
  private var second: UInt64

  /// The digest of nothing.
  package init() { (first, second) = (0, 0) }

  private init(_ first: UInt64, _ second: UInt64) { (self.first, self.second) = (first, second) }

  /// The digest of a text.
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

  /// The digest of three numbers, in this order.
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

  /// The digest of texts, in this order.
  package init(_ texts: some Sequence<JSONText>) {
    self.init()
    for text in texts {
      add(text.withBytes { Digest($0) })
      self = mixed
    }
  }

  /// Adds another digest; the order in which digests are added does not matter.
  package mutating func add(_ other: Digest) {
    first &+= other.first
    second &+= other.second
  }

  /// Takes away a digest that was added.
  package mutating func remove(_ other: Digest) {
    first &-= other.first
    second &-= other.second
  }

  /// Digests that are added, mixed so that sums of sums stay different.
  package var mixed: Digest {
    Digest(Self.fold(first, Self.seeds.2), Self.fold(second, Self.seeds.3))
  }

  /// A number for the digest together with another number, for a table of edges.
  package func edge(_ number: Int) -> UInt64 {
    Self.fold(first ^ UInt64(bitPattern: Int64(number)), Self.seeds.2) ^ second
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(first) }

  // Odd numbers with about as many ones as zeros, as for wyhash (Wang Yi).
  private static let seeds: (UInt64, UInt64, UInt64, UInt64) = (
    0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3
  )

  /// Both halves of the product, so that all bits of both factors count.
  private static func fold(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
    let product = lhs.multipliedFullWidth(by: rhs)
    return product.high ^ product.low &+ lhs.rotated
  }
}

extension UInt64 {
  /// Keeps a factor of zero from losing what was there.
  fileprivate var rotated: UInt64 { self << 29 | self >> 35 }
}
