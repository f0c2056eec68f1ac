/// A set of small nonnegative integers that stores each as one bit.
package struct BitSet: Hashable, Sendable {
  private var words: [UInt64] = []

  package init() {}

  package init(_ numbers: some Sequence<Int>) { for number in numbers { insert(number) } }

  package mutating func insert(_ number: Int) {
    let word = number / 64
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    words[word] |= 1 << UInt64(number % 64)
  }

  package func contains(_ number: Int) -> Bool {
    let word = number / 64
    return word < words.count && words[word] & (1 << UInt64(number % 64)) != 0
  }

  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  package mutating func formUnion(_ other: BitSet) {
    if other.words.count > words.count {
      words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
    }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  package mutating func subtract(_ other: BitSet) {
    for index in 0..<min(words.count, other.words.count) { words[index] &= ~other.words[index] }
  }

  package func subtracting(_ other: BitSet) -> BitSet {
    var result = self
    result.subtract(other)
    return result
  }

  /// Returns the number of integers that both sets contain.
  package func countInCommon(with other: BitSet) -> Int {
    zip(words, other.words).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount }
  }

  package func isSubset(of other: BitSet) -> Bool {
    words.indices.allSatisfy { index in
      words[index] & ~(index < other.words.count ? other.words[index] : 0) == 0
    }
  }

  /// The integers in ascending order.
  package var numbers: [Int] {
    var numbers: [Int] = []
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        numbers.append(index * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return numbers
  }

  package static func == (lhs: BitSet, rhs: BitSet) -> Bool {
    lhs.isSubset(of: rhs) && rhs.isSubset(of: lhs)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.lastIndex { $0 != 0 }.map { words[...$0] } ?? [])
  }
}
