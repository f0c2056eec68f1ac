/// A Bloom filter over JSON text, which rules out most texts that a search would not find.
///
/// The filter answers whether a text may occur. A positive answer can be wrong, a negative one can't.
package struct WrittenTextFilter: Sendable {
  /// The bits of the filter, one of which is set for the hash of each group of four bytes and of each short word.
  private var words = [UInt64](repeating: 0, count: 1 << (bits - 6))
  private var setBits = 0

  /// The number of bits in a hash, for a filter of two million bits.
  ///
  /// A text of several megabytes with IDs has about a hundred thousand different groups.
  private static let bits = 21
  /// The number of bytes in a group, which is also the minimum length of a text that is found inside words.
  private static let groupLength = MaskedTexts.minimumLength

  package init() {}

  /// Whether so many bits are set that the filter rules out few texts.
  package var isCrowded: Bool { setBits > 1 << (Self.bits - 2) }

  /// Adds the groups of four bytes in a text.
  package mutating func add(_ text: [UInt8]) {
    Self.forEachGroup(in: text) { insert($0) }
  }

  /// Adds the words of up to three bytes in a JSON text.
  package mutating func addShortWords(in text: [UInt8]) {
    text.withUnsafeBytes { text in
      for start in text.indices {
        for length in 1..<Self.groupLength where start + length <= text.count {
          let range = start..<start + length
          if MaskedValueMatch.mayBeWord(text, range) { insert(Self.hash(of: text[range])) }
        }
      }
    }
  }

  /// Whether a text may occur in the added ones.
  ///
  /// A text of less than four bytes may occur anywhere, unless it has to be a word.
  package func mayContain(_ text: [UInt8], asWord isWord: Bool = false) -> Bool {
    if isWord, text.count < Self.groupLength { return contains(Self.hash(of: text)) }
    var mayOccur = true
    Self.forEachGroup(in: text) { mayOccur = mayOccur && contains($0) }
    return mayOccur
  }

  private func contains(_ hash: Int) -> Bool { words[hash >> 6] & 1 << UInt64(hash & 63) != 0 }

  private mutating func insert(_ hash: Int) {
    let bit: UInt64 = 1 << UInt64(hash & 63)
    guard words[hash >> 6] & bit == 0 else { return }
    words[hash >> 6] |= bit
    setBits += 1
  }

  private static func forEachGroup(in bytes: [UInt8], _ body: (Int) -> Void) {
    var group: UInt32 = 0
    for (index, byte) in bytes.enumerated() {
      group = group << 8 | UInt32(byte)
      if index >= groupLength - 1 { body(hash(group)) }
    }
  }

  /// Returns the hash of a word, which is packed into an integer after a leading 1.
  private static func hash(of word: some Sequence<UInt8>) -> Int {
    hash(word.reduce(1) { $0 << 8 | UInt32($1) })
  }

  private static func hash(_ group: UInt32) -> Int {
    Int((group &* 0x9E37_79B1) >> (32 - UInt32(bits)))
  }
}

extension WrittenTextFilter {
  /// Adds a value.
  package mutating func add(_ json: JSON) {
    let text = json.bytes
    add(text)
    addShortWords(in: text)
  }

  /// Adds the names and values that a patch writes.
  package mutating func add(_ patch: JSON.Patch) {
    for operation in patch.operations {
      for token in operation.path.tokens { add(.string(token)) }
      if let value = operation.value { add(value) }
    }
  }
}
