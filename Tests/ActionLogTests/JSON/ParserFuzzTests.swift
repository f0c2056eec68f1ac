import TestSupport
import Testing

@testable import ActionLog

/// Randomly damaged texts: each is parsed or refused with a message, and a parsed text has a stable spelling.
@Suite struct ParserFuzzTests {
  static let expressions = [
    "$.state.count < 0", "$.state.todos[?@.done == true] && $.seq > 10",
    "length($.state.a) >= 2 || !($['b c'][-1:2:1])", "match(@.a, 'x.*') && $..b[0,1]",
  ]
  static let pointers = ["/rows/0/a~1b", "/a~0/**/x", "", "/é/*/~2"]
  static let patches = [
    #"[{"op":"add","path":"/a/0","value":{"x":[1,2]}},{"op":"move","from":"/a","path":"/b"}]"#,
    #"[{"op":"test","path":"","value":null},{"op":"copy","from":"/a~1","path":"/b/-"}]"#,
  ]

  private func damaged(_ text: String, using random: inout SplitMix64) -> String {
    text.damaged(with: "$@.[]?'\"~/*0-9e&|!=<>(), \\\u{0}é\u{301}𝄞", using: &random)
  }

  private static let document: JSON = [
    "state": ["count": 1, "todos": [["done": true], ["done": 0]], "a": "xy"], "seq": 11,
  ]

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `an expression with typing errors always gives the same result, and errors have messages`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    for text in Self.expressions {
      let text = damaged(text, using: &random)
      let results = (0..<2).map { _ in
        Result { try JSONPath.Expression(parsing: text).holds(for: Self.document) }
      }
      #expect("\(results[0])" == "\(results[1])", "seed \(seed): \(text)")
      if case .failure(let error) = Result(catching: { try JSONPath(parsing: text) }) {
        #expect(!"\(error)".isEmpty, "seed \(seed): \(text)")
      }
    }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `JSON pointers and mask patterns with typing errors read back from their descriptions`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    for text in Self.pointers {
      let text = damaged(text, using: &random)
      if let pointer = try? JSON.Pointer(parsing: text) {
        #expect(try JSON.Pointer(parsing: pointer.description) == pointer, "seed \(seed): \(text)")
        _ = Self.document[pointer]
      }
      // A parsed pattern loses only an optional leading slash, and finds the value that it names.
      let pattern = MaskPath(text)
      #expect(pattern == MaskPath(pattern.description), "seed \(seed): \(text)")
      let tokens = (0..<3).map { _ in JSON.randomText(using: &random) }
      let named = MaskPath(tokens.map { "/" + MaskPath.escaped($0) }.joined())
      let value = tokens.reversed().reduce(1 as JSON) { [$1: $0] }
      #expect(value.has(anyOf: [pattern, named]), "seed \(seed): \(named)")
      #expect(
        value.has(anyOf: [pattern]) == value.has(anyOf: [pattern, pattern]),
        "seed \(seed): \(text)"
      )
    }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `a damaged patch that fails leaves the value unchanged, as JSON and as text`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    for text in Self.patches {
      let text = damaged(text, using: &random)
      let patch = try? JSON.Patch(json: JSON(parsing: text))
      // A failed patch leaves the value unchanged.
      var value = Self.document
      if let patch, (try? patch.apply(to: &value)) == nil {
        #expect(value == Self.document, "seed \(seed): \(text)")
      }
      guard let json = try? JSON(parsing: text) else { continue }
      let read = PatchText(JSONText(encoded: json.bytes))
      #expect(read?.patch == patch, "seed \(seed): \(text)")
    }
  }
}
