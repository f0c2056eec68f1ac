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

  /// Returns an integer of `JSON.Number.substitutes`, regardless of the size of the original.
  private func whole(_ bytes: some Collection<UInt8>) -> Int {
    let all = JSON.Number.substitutes
    return all.lowerBound + Int(digest([1] + Array(bytes)).0 % UInt64(all.count))
  }

  private func fraction(_ bytes: some Collection<UInt8>) -> JSON.Number {
    JSON.Number(Double(whole(bytes)) + 0.5) ?? JSON.Number(0)
  }

  /// Returns the substitute for a string.
  ///
  /// A UUID is replaced with a UUID, and a date with a date. Other strings are replaced with `masked` and 18
  /// hexadecimal digits, which are also valid in Base64 and URLs. Canonically equivalent strings have the same
  /// substitute. `JSON.substitutes` recognizes each of them.
  func substitute(for text: String) -> String {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let bytes = (isASCII ? text : text.precomposedStringWithCanonicalMapping).utf8
    if bytes.isEmpty { return "" }
    if bytes.count == 36, UUID(uuidString: text) != nil { return uuid(bytes) }
    if Self.isDate(bytes) { return date(bytes) }
    let (first, second) = digest([0] + Array(bytes))
    return "masked" + Self.hex(first, 16) + Self.hex(second & 0xFF, 2)
  }

  /// Returns a UUID of version 8, whose meaning is free (RFC 9562), that starts with `masked` in ASCII.
  private func uuid(_ bytes: some Collection<UInt8>) -> String {
    let (first, second) = digest([3] + Array(bytes))
    let digits = Self.hex(first, 16) + Self.hex(second, 16)
    let parts = ["6d61736b", "6564", "8\(digits.prefix(3))", "8\(digits.dropFirst(3).prefix(3))"]
    return (parts + [String(digits.suffix(12))]).joined(separator: "-").uppercased()
  }

  /// Returns a date with whole seconds in the 30th century.
  private func date(_ bytes: some Collection<UInt8>) -> String {
    let start = "2900-01-01T00:00:00Z"
    let seconds = Double(digest([1] + Array(bytes)).0 & 0x7FFF_FFFF)
    let date = JSON.instant(start).map { Date(timeIntervalSinceReferenceDate: $0 + seconds) }
    return date?.iso8601 ?? start
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
