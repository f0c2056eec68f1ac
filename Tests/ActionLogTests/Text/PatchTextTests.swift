import TestSupport
import Testing

@testable import ActionLog

/// Patches that are stored as text, and skipped values.
@Suite struct PatchTextTests {
  private func patch(_ text: String) -> PatchText? {
    PatchText(JSONText(encoded: Array(text.utf8)))
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `skipping a JSON value accepts exactly the texts that parsing accepts`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let value = JSON.random(depth: 4, using: &random)
    var text = value.bytes
    let bytes = Array(" 019-\"\\{}[],:.eEtfnu\u{0}".utf8) + [0xC3, 0xFF]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let place = Int.random(in: 0..<text.count, using: &random)
      text[place] = bytes.randomElement(using: &random) ?? 0
    }
    let parsed = try? JSON(parsing: text)
    let isText = JSONText(encoded: text).isText(of: value)
    #expect(!isText || parsed == value, "seed \(seed)")
    text.withUnsafeBufferPointer { bytes in
      var parser = JSON.Parser(bytes: bytes)
      let isPassed = parser.skipValue()
      parser.skipSpace()
      #expect((isPassed && parser.position == bytes.count) == (parsed != nil), "seed \(seed)")
    }
  }

  @Test(arguments: [511, 512, 513, 100_000])
  func `skipping a JSON value has the same nesting limit as parsing`(levels: Int) {
    let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let parsed = try? JSON(parsing: value)
    Array(value.utf8).withUnsafeBufferPointer { bytes in
      var parser = JSON.Parser(bytes: bytes)
      #expect(parser.skipValue() == (parsed != nil))
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `a patch of text applies and fails as the patch of values does`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let old = JSON.random(depth: 4, using: &random)
    let new = JSON.random(depth: 4, using: &random)
    let patch = JSON.Patch(from: ["a": old, "b": [old]], to: ["a": new, "b": [new, old]])
    let text = try #require(self.patch(patch.json.description))
    #expect(text == PatchText(patch), "seed \(seed)")
    #expect(text.patch == patch, "seed \(seed)")
    var json: JSON = ["a": old, "b": [old]]
    try text.apply(to: &json)
    #expect(json == ["a": new, "b": [new, old]], "seed \(seed)")
    // The patch fails if the value does not fit.
    var (other, same): (JSON, JSON) = ([:], [:])
    let expected = Result { try patch.apply(to: &same) }
    let found = Result { try text.apply(to: &other) }
    #expect("\(expected)" == "\(found)", "seed \(seed)")
  }

  /// Operations, with path and value if they stay text.
  static let operations: [(text: String, path: String?, value: String?)] = [
    (#"{"op":"add","path":"/rows/0","value":{"id":1}}"#, "/rows/0", #"{"id":1}"#),
    (#"{"op":"remove","path":"/a"}"#, "/a", nil),
    (#"{"op":"replace","path":"/a/b","value":"é\n"}"#, "/a/b", #""é\n""#),
    (#"{"op":"replace","path":"","value":[]}"#, "", "[]"),
    (#"{"op":"add","path":"/a","value":"\u0000\u001f"}"#, "/a", #""\u0000\u001f""#),
    (#"{"op":"replace","path":"/a~1b","value":1}"#, nil, nil),
    (#"{"op":"replace","path":"/é","value":1}"#, nil, nil),
    (#"{"op":"replace","path":"/a","value": 1}"#, nil, nil),
    (#"{"op":"move","from":"/a","path":"/b"}"#, nil, nil),
  ]

  @Test(arguments: operations)
  func `operations of a patch stay text only if they are written as an encoder would write them`(
    text: String,
    path: String?,
    value: String?
  ) throws {
    let operation = try JSON.Patch.Operation(json: JSON(parsing: text))
    // Alone, and with another operation.
    for (patch, count) in [("[\(text)]", 1), ("[\(text),\(text)]", 2)] {
      var indices: [Int] = []
      try #require(self.patch(patch)).forEachOperation { found in
        indices.append(found.index)
        #expect(found.path.map { String(decoding: $0, as: UTF8.self) } == path)
        #expect(found.value.map { String(decoding: $0, as: UTF8.self) } == value)
        #expect(found.operation == operation)
      }
      #expect(indices == Array(0..<count))
    }
  }

  /// Texts, and whether they have the form of an encoder.
  static let texts: [(text: String, isWritten: Bool)] =
    (0..<0x80).map { number in
      let text = String(Character(Unicode.Scalar(UInt8(number))))
      return (JSON.string(text).description, true)
    } + [
      (#""\u000a""#, false), (#""\u001F""#, false), (#""\u0020""#, false), (#""\u0041""#, false),
      (#""\/""#, false), (#""\u00e9""#, false), (#""\u0""#, false), (#""\u01""#, false),
      (#""\"#, false),
    ]

  @Test(arguments: texts)
  func `skipping a string in compact JSON fails for escapes that an encoder does not write`(
    text: String,
    isWritten: Bool
  ) {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var parser = JSON.Parser(bytes: bytes)
      parser.isCompact = true
      #expect(parser.skipValue() == isWritten, "\(text)")
    }
  }

  /// Operations, and whether they can change the value at `/rows/2/id`.
  static let touching: [(text: String, isTouching: Bool)] = [
    (#"{"op":"replace","path":"/rows/2","value":0}"#, true),
    (#"{"op":"replace","path":"/rows/2/id/a","value":0}"#, true),
    (#"{"op":"replace","path":"/rows/1","value":0}"#, false),
    (#"{"op":"replace","path":"/rows/2/title","value":0}"#, false),
    (#"{"op":"replace","path":"","value":0}"#, true),
    (#"{"op":"add","path":"/rows/0","value":0}"#, true),
    (#"{"op":"remove","path":"/rows/1"}"#, true),
    (#"{"op":"remove","path":"/rows/3"}"#, false),
    (#"{"op":"add","path":"/rows/-","value":0}"#, true),
    (#"{"op":"remove","path":"/rows/2/title"}"#, false),
    (#"{"op":"add","path":"/other/0","value":0}"#, false),
    (#"{"op":"remove","path":"/a"}"#, false),
    (#"{"op":"move","from":"/a","path":"/b"}"#, true),
  ]

  @Test(arguments: touching)
  func `an operation touches a path if it may change or move the value at the path`(
    text: String,
    isTouching: Bool
  ) throws {
    #expect(try #require(patch("[\(text)]")).touches(Array("/rows/2/id".utf8)) == isTouching)
  }
}
