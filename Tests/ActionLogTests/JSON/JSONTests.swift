import Foundation
import TestSupport
import Testing

@testable import ActionLog

@Suite("JSON")
struct JSONTests {
  @Test(
    "JSON reads the texts that RFC 8259 allows and writes them on one line",
    arguments: [
      (#" { "a" : [ 1 , 2.50 , -0 , 1E+2 ] } "#, #"{"a":[1,2.50,-0,1E+2]}"#),
      (#""\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#, #""é😀/\b\f\n\r\t\"\\""#),
      ("12345678901234567890123", "12345678901234567890123"),
      ("[true,false,null]", "[true,false,null]"),
      (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#),
    ]
  )
  func reads(text: String, written: String) throws {
    #expect(try JSON(parsing: text).description == written)
  }

  @Test(
    "A JSON syntax error says what was found and at which byte",
    arguments: [
      ("", "the text ends in the middle of a JSON value, at byte 0"),
      ("{\"a\":", "the text ends in the middle of a JSON value, at byte 5"),
      ("{\"a\" 1}", "found '1' where ':' was expected, at byte 5"),
      ("[1,]", "found ']' where a value was expected, at byte 3"),
      ("{a:1}", "found 'a' where a member name was expected, at byte 1"),
      ("01", "found '0' where a number was expected, at byte 0"),
      ("1.", "found '1' where a number was expected, at byte 0"),
      ("nul", "the text ends in the middle of a JSON value, at byte 3"),
      ("nulx", "found 'x' where 'null' was expected, at byte 3"),
      ("1 2", "found more text after the JSON value, at byte 2"),
      ("\"\u{1}\"", "found byte 0x1 where an escaped control character was expected, at byte 1"),
      ("\"\\ud800\"", "found half of a surrogate pair in a \\u escape, at byte 2"),
      ("\"\\x\"", "found 'x' where an escape was expected, at byte 2"),
    ]
  )
  func refuses(text: String, message: String) {
    #expect {
      try JSON(parsing: text)
    } throws: {
      String(describing: $0) == message
    }
  }

  @Test("JSON refuses bytes that are not UTF-8")
  func invalidUTF8() {
    #expect(throws: JSON.ParseError(offset: 1, problem: .invalidUTF8)) {
      try JSON(parsing: [0x22, 0xC3, 0x28, 0x22] as [UInt8])
    }
  }

  @Test("JSON reads nesting up to its limit and refuses one level more")
  func nesting() throws {
    let limit = JSON.deepestNesting
    let deep = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    #expect(try JSON(parsing: deep).description == deep)
    #expect(throws: JSON.ParseError(offset: limit, problem: .nestedTooDeep)) {
      try JSON(parsing: String(repeating: "[", count: 100_000))
    }
  }

  @Test(
    "JSON numbers are equal when their exact decimal values are",
    arguments: [
      ("1", "1.0", true), ("100", "1e2", true), ("0.1", "0.10000000000000001", false),
      ("9007199254740993", "9007199254740992", false), ("-0", "0", false), ("0", "0e9", true),
      ("1e400", "10e399", true), ("1e400", "1e401", false), ("-1.50", "-15e-1", true),
      ("12", "13", false), ("12", "120", false), ("-12", "12", false), ("-12", "-12.0", true),
      ("120", "12e1", true), ("120", "12E+1", true),
    ]
  )
  func numbers(lhs: String, rhs: String, equal: Bool) throws {
    let left = try JSON(parsing: lhs)
    let right = try JSON(parsing: rhs)
    #expect((left == right) == equal)
    if equal { #expect(left.hashValue == right.hashValue) }
  }

  @Test("JSON distinguishes canonically equal strings, as values and as names")
  func canonicalEquivalence() throws {
    #expect(JSON.string("é") != JSON.string("e\u{301}"))
    let object = try JSON(parsing: "{\"é\":1,\"e\u{301}\":2}")
    #expect(object.object?.count == 2)
    #expect(object["e\u{301}"] == 2)
  }

  @Test("JSON objects are equal regardless of the order of their members")
  func objects() {
    let names = (0..<50).map { "name\($0)" }
    let forward = JSON.Object(members: names.map { (key: $0, value: .string($0)) })
    let backward = JSON.Object(members: names.reversed().map { (key: $0, value: .string($0)) })
    #expect(forward == backward)
    #expect(forward.hashValue == backward.hashValue)
    var smaller = forward
    for name in names.dropFirst(3) { smaller[name] = nil }
    #expect(smaller.keys == ["name0", "name1", "name2"])
    #expect(smaller["name2"] == "name2")
    #expect(smaller["name3"] == nil)
  }

  @Test func `JSON objects are equal regardless of members that were removed`() {
    let names = (0..<20).map { "name\($0)" } + [""]
    let full = JSON.Object(members: names.map { (key: $0, value: .string($0)) })
    for removed in names {
      var (reduced, other) = (full, full)
      reduced[removed] = nil
      other[removed] = nil
      let rest = names.filter { $0 != removed }
      let built = JSON.Object(members: rest.map { (key: $0, value: .string($0)) })
      #expect(reduced == built, "without \(removed)")
      #expect(built == reduced, "without \(removed)")
      other["new"] = .string(removed)
      #expect(full != other, "\(removed) replaced")
      #expect(other != full, "\(removed) replaced")
    }
  }

  @Test(
    "Random JSON values read back from the bytes they are written to",
    arguments: [1, 2, 3] as [UInt64]
  )
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let value = JSON.random(depth: 4, using: &random)
      #expect(try JSON(parsing: value.bytes) == value, "seed \(seed)")
    }
  }

  @Test(
    "Parsing arbitrary bytes returns a value or throws an error",
    arguments: [11, 12] as [UInt64]
  )
  func fuzz(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      var bytes = JSON.random(depth: 3, using: &random).bytes
      for _ in 0..<Int.random(in: 1..<4, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        }
      }
      if let value = try? JSON(parsing: bytes) {
        #expect((try? JSON(parsing: value.bytes)) == value, "seed \(seed): \(bytes)")
      }
    }
  }
}

@Suite("Canonical JSON")
struct CanonicalJSONTests {
  @Test(
    "Canonical JSON writes numbers as ECMAScript does (RFC 8785, appendix B)",
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
      (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
      (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"), (0xC340_0000_0000_0000, "-9007199254740992"),
      (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
      (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5555, "333333333.3333333"),
      (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)]
  )
  func numbers(bits: UInt64, text: String) throws {
    let number = try #require(JSON.Number(Double(bitPattern: bits)))
    #expect(String(decoding: JSON.number(number).canonical, as: UTF8.self) == text)
  }

  @Test(
    "Canonical JSON writes the public test suite as its expected output",
    .enabled(if: ProcessInfo.processInfo.environment["CONFORMANCE_DIR"] != nil),
    arguments: ["arrays", "french", "structures", "unicode", "values", "weird"]
  )
  func conformance(name: String) throws {
    let folder = try #require(ProcessInfo.processInfo.environment["CONFORMANCE_DIR"])
    let input = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/jcs/input/\(name).json"))
    let output = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/jcs/output/\(name).json"))
    let canonical = try JSON(parsing: [UInt8](input)).canonical
    #expect(String(decoding: canonical, as: UTF8.self) == String(decoding: output, as: UTF8.self))
  }
}
