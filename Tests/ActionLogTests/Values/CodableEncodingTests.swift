import ActionLog
import Foundation
import TestSupport
import Testing

/// The encoding of `Codable` values.
@Suite("Codable values")
struct CodableEncodingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let write: @Sendable (any Encoder) throws -> Void
    var testDescription: String { name }
  }

  private struct Writing: Encodable {
    let write: @Sendable (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try write(encoder) }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  static let cases: [Case] = [
    Case(name: "nothing", text: "{}") { _ in },
    Case(name: "no members", text: "{}") { _ = $0.container(keyedBy: Name.self) },
    Case(name: "no elements", text: "[]") { _ = $0.unkeyedContainer() },
    Case(name: "members, with nil", text: #"{"b":1,"a":null,"$$c":[true]}"#) {
      var container = $0.container(keyedBy: Name.self)
      try container.encode(1, forKey: Name("b"))
      try container.encodeIfPresent(nil as String?, forKey: Name("a"))
      try container.encode([true], forKey: Name("$c"))
    },
    Case(name: "a container that is filled after others", text: #"{"a":[1,[2],3],"b":4}"#) {
      var container = $0.container(keyedBy: Name.self)
      var elements = container.nestedUnkeyedContainer(forKey: Name("a"))
      try elements.encode(1)
      var inner = elements.nestedUnkeyedContainer()
      try container.encode(4, forKey: Name("b"))
      try elements.encode(3)
      try inner.encode(2)
    },
    Case(name: "a member that is written twice", text: #"{"a":[3],"b":2}"#) {
      var container = $0.container(keyedBy: Name.self)
      try container.encode(1, forKey: Name("a"))
      try container.encode(2, forKey: Name("b"))
      var elements = container.nestedUnkeyedContainer(forKey: Name("a"))
      try elements.encode(3)
    },
    Case(name: "many members, one of them twice", text: many(twice: 11)) {
      var container = $0.container(keyedBy: Name.self)
      for number in 0..<30 { try container.encode(number, forKey: Name("\(number)")) }
      try container.encode("again", forKey: Name("11"))
    },
    Case(name: "a value that is written twice", text: "[2]") {
      var container = $0.singleValueContainer()
      try container.encode([1])
      try container.encode([2])
    },
    Case(name: "a value in the place of a container", text: "2") {
      var container = $0.container(keyedBy: Name.self)
      try container.encode(1, forKey: Name("a"))
      var single = $0.singleValueContainer()
      try single.encode(2)
    },
    Case(name: "super encoders", text: #"{"super":{"x":1},"a":{},"b":[2]}"#) {
      var container = $0.container(keyedBy: Name.self)
      let parent = container.superEncoder()
      _ = container.superEncoder(forKey: Name("a"))
      try [2].encode(to: container.superEncoder(forKey: Name("b")))
      var inner = parent.container(keyedBy: Name.self)
      try inner.encode(1, forKey: Name("x"))
    },
    Case(
      name: "a member that throws",
      text: #"{"a":{"$opaque":"CodableEncodingTests.Writing","reason":"Refusal()"},"b":1}"#
    ) {
      var container = $0.container(keyedBy: Name.self)
      let refusing = Writing { encoder in
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(1, forKey: Name("lost"))
        throw Refusal()
      }
      try container.encode(refusing, forKey: Name("a"))
      try container.encode(1, forKey: Name("b"))
    },
  ]

  private struct Refusal: Error {}

  private static func many(twice: Int) -> String {
    let members = (0..<30).map { "\"\($0)\":" + ($0 == twice ? "\"again\"" : "\($0)") }
    return "{" + members.joined(separator: ",") + "}"
  }

  @Test(
    "Codable types are encoded as their keyed, unkeyed and single-value containers require",
    arguments: cases
  )
  func containers(_ testCase: Case) {
    let value = Writing(write: testCase.write)
    func text(_ value: some Encodable) -> String {
      var encoder = LogEncoder()
      encoder.value(value)
      return String(decoding: encoder.bytes, as: UTF8.self)
    }
    #expect(text(value) == testCase.text)
    // Next to other values, inside other values, and repeated.
    let text = text([[value], [value, value]])
    #expect(text == "[[\(testCase.text)],[\(testCase.text),\(testCase.text)]]")
  }

  /// Keeps a container longer than allowed.
  private final class Keeper: @unchecked Sendable {
    var container: (any UnkeyedEncodingContainer)?
  }

  @Test("Encoding into a container after its value has ended has no effect")
  func lateContainer() throws {
    let keeper = Keeper()
    var encoder = LogEncoder()
    encoder.beginArray()
    encoder.value(Writing { keeper.container = $0.unkeyedContainer() })
    encoder.value(
      Writing {
        var container = $0.unkeyedContainer()
        try keeper.container?.encode("lost")
        try container.encode(1)
        try keeper.container?.encode("lost")
      }
    )
    encoder.endArray()
    try keeper.container?.encode("lost")
    #expect(String(decoding: encoder.bytes, as: UTF8.self) == "[[],[1]]")
  }
}

/// The handwritten encoding equals that of Foundation.
@Suite("Texts of Foundation's values")
struct FoundationTextTests {
  private func text(_ value: some LogValue) -> String {
    var encoder = LogEncoder()
    encoder.value(value)
    return String(decoding: encoder.bytes, as: UTF8.self)
  }

  @Test(
    "Decimals are written with the digits of their description and read back",
    arguments: 1...20 as ClosedRange<UInt64>
  )
  func decimals(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let bits = UInt64.random(in: 0...64, using: &random)
      let significand = bits == 0 ? 0 : random.next() >> (64 - bits)
      var value = Decimal(
        sign: Bool.random(using: &random) ? .minus : .plus,
        exponent: Int.random(in: -40...40, using: &random),
        significand: Decimal(significand)
      )
      if Bool.random(using: &random) { value *= Decimal(random.next()) }
      if Bool.random(using: &random) { value /= 7 }
      if value.isNaN { continue }
      #expect(text(value) == value.description, "seed \(seed)")
      let read = try LogDecoder(JSON(parsing: text(value))).value(Decimal.self)
      #expect(read == value, "seed \(seed)")
    }
  }

  @Test(
    "UUIDs are written as in Foundation and read back, also in lowercase",
    arguments: 1...3 as ClosedRange<UInt64>
  )
  func identifiers(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      var (high, low) = (random.next(), random.next())
      let bytes = withUnsafeBytes(of: &high) { Array($0) } + withUnsafeBytes(of: &low) { Array($0) }
      let value = bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
      #expect(text(value) == "\"\(value.uuidString)\"", "seed \(seed)")
      let lowercase = JSON.string(value.uuidString.lowercased())
      #expect(try LogDecoder(lowercase).value(UUID.self) == value, "seed \(seed)")
    }
  }

  @Test(
    "Dates are written as in Foundation and read back",
    arguments: 1...20 as ClosedRange<UInt64>
  )
  func dates(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let seconds = Int64.random(in: -12_600_000_000...252_423_993_599, using: &random)
      // Starts at 1602, because Foundation uses the Julian calendar before 1582.
      let value = Date(timeIntervalSinceReferenceDate: Double(seconds))
      #expect(text(value) == "\"\(value.formatted(.iso8601))\"", "seed \(seed)")
      #expect(try LogDecoder(JSON(logging: value)).value(Date.self) == value, "seed \(seed)")
      let fine = Date(timeIntervalSinceReferenceDate: Double(random.next() >> 40) / 4096)
      #expect(try LogDecoder(JSON(logging: fine)).value(Date.self) == fine, "seed \(seed)")
    }
  }

  @Test(
    "Reading a date refuses texts that are not dates",
    arguments: [
      "", "2001-01-01", "2001-01-01T00:00:00", "2001-02-29T00:00:00Z", "2001-13-01T00:00:00Z",
      "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:00.Z",
      "2001-01-01T00:00:00.1eZ", "0000-01-01T00:00:00Z", "2001/01/01T00:00:00Z",
      "2001-01-01 00:00:00Z", "+001-01-01T00:00:00Z", "2001-01-01T00:00:60Z",
    ]
  )
  func noDates(text: String) {
    #expect(throws: LogDecodingError.self) { try LogDecoder(.string(text)).value(Date.self) }
  }
}
