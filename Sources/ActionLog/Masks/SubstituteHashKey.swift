import Foundation

/// A secret, usually random and never written, from which substitutes are computed.
///
/// Without the secret, a value can't be found from its substitute, even by trying all possible values.
///
/// Substitutes are computed with SipHash-2-4 with 128 bits of output and a 128-bit key (Aumasson and Bernstein, 2012),
/// a pseudorandom function. A reader learns only which values are equal.
struct SubstituteHashKey: Sendable {
  private let first: UInt64
  private let second: UInt64

  /// Creates a key from 128 random bits.
  init() {
    // Swift's system generator uses the random source of the kernel.
    var generator = SystemRandomNumberGenerator()
    self.init(generator.next(), generator.next())
  }

  init(_ first: UInt64, _ second: UInt64) {
    self.first = first
    self.second = second
  }

  /// Returns the SipHash digest of the bytes, 128 bits long.
  func digest(_ bytes: some Collection<UInt8>) -> (UInt64, UInt64) {
    var hash = SipHash(first, second)
    var word: UInt64 = 0
    var count = 0
    for byte in bytes {
      word |= UInt64(byte) << (8 * UInt64(count & 7))
      count += 1
      if count & 7 == 0 {
        hash.absorb(word)
        word = 0
      }
    }
    hash.absorb(word | UInt64(count & 0xFF) << 56)
    return hash.finish()
  }
}

/// The four state words of SipHash.
private struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(_ first: UInt64, _ second: UInt64) {
    v0 = first ^ 0x736f_6d65_7073_6575
    // The SipHash variant with 128 bits of output starts with 0xee.
    v1 = second ^ 0x646f_7261_6e64_6f6d ^ 0xee
    v2 = first ^ 0x6c79_6765_6e65_7261
    v3 = second ^ 0x7465_6462_7974_6573
  }

  private mutating func round() {
    func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
    v0 &+= v1
    v1 = rotated(v1, 13) ^ v0
    v0 = rotated(v0, 32)
    v2 &+= v3
    v3 = rotated(v3, 16) ^ v2
    v0 &+= v3
    v3 = rotated(v3, 21) ^ v0
    v2 &+= v1
    v1 = rotated(v1, 17) ^ v2
    v2 = rotated(v2, 32)
  }

  mutating func absorb(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  mutating func finish() -> (UInt64, UInt64) {
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (first, v0 ^ v1 ^ v2 ^ v3)
  }
}

extension SubstituteHashKey {
  /// Returns the substitute for a value in the log: a value of the same type that reveals only equality.
  ///
  /// Strings, numbers, UUIDs, and dates are replaced with values of the same form. A value with parts (a structure, an
  /// enum case with a payload, a collection) becomes empty. An empty string stays empty. `nil` stays `nil`, because the
  /// type of an absent value is unknown.
  func substitute(for json: JSON) -> JSON {
    switch json {
    case .null: .null
    case .bool(let value): .bool(digest([2, value ? 1 : 0]).0 & 1 == 1)
    case .number(let number): .number(substitute(for: number))
    case .string(let text): .string(substitute(for: text))
    case .array: []
    case .object(let object): substitute(for: object)
    }
  }

  private func substitute(for object: JSON.Object) -> JSON {
    guard let tag = object.firstKey, let value = object.values.first else { return [:] }
    switch tag {
    case "$some": return ["$some": substitute(for: value)]
    case "$double", "$decimal": return .number(fraction(JSON.object(object).bytes))
    case "$date": return .string(date(value.bytes))
    case "$opaque": return ["$opaque": value]
    case "$ordinal", "$masked": return .object(object)
    case "$error":
      let text = value["description"]?.string ?? ""
      var error: JSON.Object = [
        "type": value["type"] ?? "Error", "description": .string(substitute(for: text)),
      ]
      if let text = value["localizedDescription"]?.string {
        error["localizedDescription"] = .string(substitute(for: text))
      }
      return ["$error": .object(error)]
    default: return [:]
    }
  }

  private func substitute(for number: JSON.Number) -> JSON.Number {
    let bytes = number.literal.utf8
    let isWhole = bytes.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    return isWhole ? JSON.Number(whole(bytes)) : fraction(bytes)
  }

  /// Returns an integer that fits into a signed 32-bit type, regardless of the size of the original.
  private func whole(_ bytes: some Collection<UInt8>) -> Int {
    Int(digest([1] + Array(bytes)).0 & 0x7FFF_FFFF)
  }

  private func fraction(_ bytes: some Collection<UInt8>) -> JSON.Number {
    JSON.Number(Double(whole(bytes)) + 0.5) ?? JSON.Number(0)
  }

  /// Returns the substitute for a string.
  ///
  /// A UUID is replaced with a UUID, and a date with a date. Other strings are replaced with `masked` and 18
  /// hexadecimal digits, which are also valid in Base64 and URLs. Canonically equivalent strings have the same
  /// substitute.
  func substitute(for text: String) -> String {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let bytes = (isASCII ? text : text.precomposedStringWithCanonicalMapping).utf8
    if bytes.isEmpty { return "" }
    if bytes.count == 36, UUID(uuidString: text) != nil { return uuid(bytes) }
    if Self.isDate(bytes) { return date(bytes) }
    let (first, second) = digest([0] + Array(bytes))
    return "masked" + Self.hex(first, 16) + Self.hex(second & 0xFF, 2)
  }

  private func uuid(_ bytes: some Collection<UInt8>) -> String {
    let (first, second) = digest([3] + Array(bytes))
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (index * 8))
    }
    return UUID(
      uuid: (
        byte(first, 0), byte(first, 1), byte(first, 2), byte(first, 3), byte(first, 4),
        byte(first, 5), byte(first, 6), byte(first, 7), byte(second, 0), byte(second, 1),
        byte(second, 2), byte(second, 3), byte(second, 4), byte(second, 5), byte(second, 6),
        byte(second, 7)
      )
    ).uuidString
  }

  private func date(_ bytes: some Collection<UInt8>) -> String {
    Date(timeIntervalSinceReferenceDate: Double(whole(bytes))).iso8601 ?? "2001-01-01T00:00:00Z"
  }

  /// Whether a string has the form of dates in a log, such as `2025-11-20T09:12:03.12Z`.
  private static func isDate(_ bytes: String.UTF8View) -> Bool {
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return false }
    let form = Array("dddd-dd-ddTdd:dd:dd".utf8)
    return zip(form, bytes).allSatisfy { expected, byte in
      expected == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : expected == byte
    }
      && bytes.dropFirst(form.count).dropLast().allSatisfy {
        $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0)
      }
  }

  private static func hex(_ word: UInt64, _ digits: Int) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension JSON {
  /// Whether this value equals `masked`, except for strings in which `masked` contains substitutes.
  ///
  /// `masked` must contain at least one substitute, and all substitutes in this value.
  package func isHidden(by masked: JSON) -> Bool {
    let hiding = masked.substitutes
    return !hiding.isEmpty && substitutes.isSubset(of: hiding) && mayBe(recordedAs: masked)
  }

  /// Whether this value could have been recorded as `masked`, which has substitutes in place of masked strings.
  ///
  /// Masked strings are also removed from strings that code produces, such as a message that quotes user input.
  private func mayBe(recordedAs masked: JSON) -> Bool {
    switch (self, masked) {
    case (.string(let text), .string(let masked)):
      let matches = masked.ranges(of: /masked[0-9a-f]{18}/)
      guard let first = matches.first, let last = matches.last else {
        return self == .string(masked)
      }
      var rest = text[...]
      guard rest.hasPrefix(masked[..<first.lowerBound]) else { return false }
      rest = rest.dropFirst(masked[..<first.lowerBound].count)
      for (match, next) in zip(matches, matches.dropFirst()) {
        let part = masked[match.upperBound..<next.lowerBound]
        guard !part.isEmpty else { continue }
        guard let found = rest.firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
      }
      return rest.hasSuffix(masked[last.upperBound...])
    case (.array(let elements), .array(let masked)):
      return elements.count == masked.count
        && zip(elements, masked).allSatisfy { $0.mayBe(recordedAs: $1) }
    case (.object(let object), .object(let masked)):
      return object.count == masked.count
        && object.allSatisfy { name, value in
          if let masked = masked[name] { return value.mayBe(recordedAs: masked) }
          return masked.contains { key, masked in
            JSON.string(name).isHidden(by: .string(key)) && value.mayBe(recordedAs: masked)
          }
        }
    default: return self == masked
    }
  }

  /// The substitutes that the strings in this value contain.
  var substitutes: Set<Substring> {
    switch self {
    case .string(let text): Set(text.matches(of: /masked[0-9a-f]{18}/).map(\.output))
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.substitutes) }
    case .object(let object):
      object.reduce(into: []) {
        $0.formUnion(JSON.string($1.key).substitutes)
        $0.formUnion($1.value.substitutes)
      }
    default: []
    }
  }
}
