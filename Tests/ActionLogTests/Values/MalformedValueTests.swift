import ActionLog
import Testing

/// The treatment of a value whose type does not write exactly one JSON value.
@Suite("Values that are written wrongly")
struct MalformedValueTests {
  /// A type that writes a given text.
  struct Scribble: LogValue {
    let scribble: @Sendable (inout LogEncoder) -> Void
    func encode(to encoder: inout LogEncoder) { scribble(&encoder) }
    static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self { Self { _ in } }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let scribble: @Sendable (inout LogEncoder) -> Void
  }

  static let cases: [Case] = [
    Case(testDescription: "nothing") { _ in },
    Case(testDescription: "two values") {
      $0.encode(1)
      $0.encode(2)
    },
    Case(testDescription: "an object that stays open") {
      $0.beginObject()
    },
    Case(testDescription: "a name without a value") {
      $0.beginObject()
      $0.key("a")
      $0.endObject()
    },
    Case(testDescription: "a value without a name") {
      $0.beginObject()
      $0.encode(1)
      $0.endObject()
    },
    Case(testDescription: "an end without a beginning") {
      $0.encode(1)
      $0.endObject()
    },
  ]

  @Test(
    "A value whose encoding writes no valid JSON is opaque, and the values around it are written",
    arguments: cases
  )
  func opaque(_ testCase: Case) throws {
    let json = JSON(logging: [[Scribble(scribble: testCase.scribble)], [], []])
    let opaque = try #require(json.array?.first?.array?.first)
    #expect(json.array?.count == 3)
    #expect(opaque["$opaque"] == "LogValue")
    #expect(opaque["reason"]?.string?.hasPrefix("it wrote no JSON value: ") == true)
  }
}
