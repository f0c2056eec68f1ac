import TCACore
import Testing

/// The declaration of a case contains the defaults of its associated values, with names that are valid only there.
@LogValue
enum Edit: Equatable {
  enum Page: String, Equatable {
    case first, last
    static let start = Page.first
  }

  case open
  case rename(to: String, isPinned: Bool = false, page: Page = .start)
  case jump(page: Page = Page.start)
  case move(Int, by: Int = 3, Int = Self.most)
  case tag(note: String? = "none", color: String?)
  /// The first value cannot be omitted, because the second one would take its position.
  case swap(Int = 1, Int)
  static let most = 9
}

@LogValue
enum Lone: Equatable {
  case one(a: Int, b: Int = 2)
}

@Suite("What a log lacks of a payload is what the case's declaration gives it")
struct PayloadDefaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let json: JSON
    let value: Edit
    let drift: [String]
    var testDescription: String { "\(json)" }
  }

  static let cases: [Case] = [
    Case(
      json: ["rename": ["to": "a", "isPinned": true, "page": "last"]],
      value: .rename(to: "a", isPinned: true, page: .last),
      drift: []
    ),
    Case(
      json: ["rename": ["to": "a", "page": "last"]],
      value: .rename(to: "a", isPinned: false, page: .last),
      drift: ["/rename/isPinned missingInLog"]
    ),
    Case(
      json: ["rename": ["to": "a", "gone": 1]],
      value: .rename(to: "a"),
      drift: [
        "/rename/isPinned missingInLog", "/rename/page missingInLog", "/rename/gone unknownToCode",
      ]
    ),
    Case(json: ["jump": [:]], value: .jump(page: .first), drift: ["/jump/page missingInLog"]),
    Case(
      json: ["move": ["_0": 1, "by": 5]],
      value: .move(1, by: 5, 9),
      drift: ["/move/_2 missingInLog"]
    ),
    Case(
      json: ["move": ["_0": 1]],
      value: .move(1, by: 3, 9),
      drift: ["/move/by missingInLog", "/move/_2 missingInLog"]
    ),
    Case(
      json: ["tag": [:]],
      value: .tag(note: "none", color: nil),
      drift: ["/tag/color missingInLog", "/tag/note missingInLog"]
    ),
    Case(
      json: ["tag": ["note": .null, "color": "red"]],
      value: .tag(note: nil, color: "red"),
      drift: []
    ),
    Case(json: ["swap": ["_0": 4, "_1": 5]], value: .swap(4, 5), drift: []),
  ]

  @Test(arguments: cases)
  func `associated values that the log lacks have the defaults that the case declares`(
    testCase: Case
  ) throws {
    let decoder = LogDecoder(testCase.json)
    #expect(try decoder.value(Edit.self) == testCase.value)
    #expect(decoder.drift.map { "\($0.path) \($0.kind)" } == testCase.drift)
  }

  @Test("Missing associated values come from a template only if it has the same case")
  func templates() throws {
    let json: JSON = ["rename": ["to": "a"]]
    let other = Edit.rename(to: "b", isPinned: true, page: .last)
    #expect(
      try LogDecoder(json).value(Edit.self, over: other)
        == .rename(to: "a", isPinned: true, page: .last)
    )
    #expect(try LogDecoder(json).value(Edit.self, over: .open) == .rename(to: "a"))
  }

  static let refused: [(JSON, String)] = [
    (["rename": ["isPinned": true]], "'rename.to' is missing: String has no default for it"),
    (["swap": ["_1": 5]], "'swap.0' is missing: Int has no default for it"),
  ]

  @Test("A missing associated value without a default is an error", arguments: refused)
  func needed(json: JSON, message: String) {
    #expect {
      try LogDecoder(json).value(Edit.self)
    } throws: {
      "\($0)" == message
    }
  }

  @Test("The only case of an enum gets its missing associated values from its declaration")
  func loneCase() throws {
    #expect(try LogDecoder(["one": ["a": 1]]).value(Lone.self) == .one(a: 1, b: 2))
  }
}
