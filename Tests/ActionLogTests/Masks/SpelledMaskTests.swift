import Foundation
import TestSupport
import Testing

@testable import ActionLog

/// Masked texts in the spellings of Swift and of URLs.
@Suite struct SpelledMaskTests {
  /// Returns a masker that knows a text, and its substitute.
  private func masker(of secret: String) -> (LogMasker, String) {
    var masker = LogMasker(LogMasks(state: ["/secret"]), secret: (1, 2))
    let state = masker.masked(state: ["secret": .string(secret)])
    return (masker, state["secret"]?.string ?? "")
  }

  private func cleaned(_ text: String, by masker: LogMasker) -> String {
    var masker = masker
    guard case .note(let note) = masker.masked(.note(LogEvent.Note(seq: 1, at: 0, text: text)))
    else { return "" }
    return note.text
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let secret: String
    /// A text that contains the secret, and the masked text, with `#` for the substitute.
    let text: String
    let expected: String
    var testDescription: String { text }
  }

  private static let secret = "Zoë \"pass\"/word\n"

  static let rows: [Row] = [
    Row(secret: secret, text: "it is \(secret)!", expected: "it is #!"),
    Row(secret: secret, text: "E(m: \(secret.debugDescription))", expected: "E(m: \"#\")"),
    Row(
      secret: secret,
      text: "E(\("F(\(secret.debugDescription))".debugDescription))",
      expected: ##"E("F(\"#\")")"##
    ),
    Row(
      secret: secret,
      text: secret.precomposedStringWithCanonicalMapping,
      expected: "#"
    ),
    Row(secret: secret, text: secret.decomposedStringWithCanonicalMapping, expected: "#"),
    Row(
      secret: secret.decomposedStringWithCanonicalMapping,
      text: "<\(secret.precomposedStringWithCanonicalMapping)>",
      expected: "<#>"
    ),
    Row(
      secret: secret,
      text: "https://x.org/?q=Zo%C3%AB%20%22pass%22/word%0A&r=1",
      expected: "https://x.org/?q=#&r=1"
    ),
    Row(
      secret: secret,
      text: "https://x.org/?q=Zo%c3%ab+%22pass%22%2fword%0a",
      expected: "https://x.org/?q=#"
    ),
    Row(
      secret: secret,
      text: #"{"password":"Zo\u00eb \"pass\"\/word\n"}"#,
      expected: ##"{"password":"#"}"##
    ),
    Row(secret: "😀 four", text: #"{"t":"\ud83d\ude00 four"}"#, expected: ##"{"t":"#"}"##),
    // Short texts are words of longer ones, not parts of words.
    Row(secret: "Eva", text: "Eva", expected: "#"),
    Row(secret: "Eva", text: "Hello Eva, are you Eva?", expected: "Hello #, are you #?"),
    Row(secret: "Eva", text: "(\"Eva\")", expected: "(\"#\")"),
    Row(secret: "Eva", text: "Evaluate Genevas Evaë", expected: "Evaluate Genevas Evaë"),
    Row(secret: "é", text: "é, café", expected: "#, café"),
    Row(secret: "7", text: "7 of 17", expected: "# of 17"),
    Row(secret: "!", text: "Stop!", expected: "Stop!"),
    Row(secret: "!", text: "!", expected: "#"),
    // Text that only resembles a spelling stays unchanged.
    Row(secret: "word", text: #"\q \u{zz} %zz 100% +"#, expected: #"\q \u{zz} %zz 100% +"#),
  ]

  @Test(arguments: rows)
  func `a masked text is hidden in every encoding in which it may occur`(row: Row) {
    let (masker, substitute) = masker(of: row.secret)
    #expect(
      cleaned(row.text, by: masker) == row.expected.replacing("#", with: substitute)
    )
  }

  @Test(arguments: [0, 1, 2, 3, 7], [false, true])
  func `a masked text within Base64 is hidden, and the bytes around it decode as before`(
    before: Int,
    isForURL: Bool
  ) throws {
    let (masker, substitute) = masker(of: Self.secret)
    func encoded(_ text: String) -> String {
      let data = Data([UInt8](repeating: 0xFB, count: before) + text.utf8 + [0xFF, 0x3E])
      let encoded = data.base64EncodedString()
      guard isForURL else { return encoded }
      return encoded.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    let plain = encoded(Self.secret)
    #expect(cleaned(plain, by: masker) == encoded(substitute))
    #expect(
      cleaned("Basic \(plain), then", by: masker) == "Basic \(encoded(substitute)), then"
    )
  }

  @Test func `a short masked text in Base64 is hidden only if the string contains nothing else`() {
    let (masker, substitute) = masker(of: "Eva")
    #expect(cleaned("RXZh", by: masker) == Data(substitute.utf8).base64EncodedString())
    #expect(cleaned("a RXZh b", by: masker) == "a RXZh b")
  }

  @Test func `canonically equal texts have the same placeholder`() {
    let key = SubstituteHashKey(1, 2)
    let text = "Zoë Å"
    #expect(
      key.substitute(for: text.precomposedStringWithCanonicalMapping)
        == key.substitute(for: text.decomposedStringWithCanonicalMapping)
    )
    #expect(key.substitute(for: text) != key.substitute(for: "Zoe A"))
  }

  @Test func `short numbers and Booleans are hidden only at the paths of masks`() {
    var masker = LogMasker(LogMasks(state: ["/pin", "/isOn", "/card"]), secret: (1, 2))
    let state: JSON = [
      "pin": 123, "isOn": true, "card": 4_242_424_242, "count": 123, "isOpen": true,
      "copy": 4_242_424_242, "text": "123 and 4242424242",
    ]
    let masked = masker.masked(.checkpoint(LogEvent.Checkpoint(seq: 0, state: state)))
    guard case .checkpoint(let checkpoint) = masked else { return }
    #expect(checkpoint.state["pin"] != 123)
    #expect(checkpoint.state["count"] == 123)
    #expect(checkpoint.state["isOpen"] == true)
    #expect(checkpoint.state["card"] == checkpoint.state["copy"])
    #expect(checkpoint.state["text"]?.string?.hasPrefix("123 and masked") == true)
  }

  @Test("A number of less than four digits is not hidden because a masked text reads like it")
  func numbersLikeTexts() {
    var masker = LogMasker(LogMasks(state: ["/words"]), secret: (1, 2))
    let numbers: JSON = [-0.0, 0.25, 1e-7, 12.5, -100]
    let state: JSON = [
      "words": ["-0.0", "0.25", "1e-07", "12.5", "-100", "1234"], "numbers": numbers, "long": 1234,
    ]
    let masked = masker.masked(.checkpoint(LogEvent.Checkpoint(seq: 0, state: state)))
    guard case .checkpoint(let checkpoint) = masked else { return }
    #expect(checkpoint.state["numbers"] == numbers)
    #expect(checkpoint.state["long"] != 1234)
  }

  @Test(
    arguments: [
      #"{"a":"<secret text>"}"#, #"{"a":"E(\"secret text\")"}"#,
      #"{"a":"https://x.org/?q=secret%20text"}"#, #"{"a":"x c2VjcmV0IHRleHQ= y"}"#,
      #"{"a":"AHNlY3JldCB0ZXh0"}"#,
    ]
  )
  func `a masker finds a later learned text in a state that was written before`(
    state: String
  ) throws {
    var masker = LogMasker(LogMasks(state: ["/secret"]), secret: (1, 2))
    let version = masker.version
    masker.learn(["secret": "secret text"], in: .state)
    #expect(masker.shows(since: version, in: Array(state.utf8)))
    #expect(masker.shows(since: version, in: Array(state.utf8), besides: JSON.Patch()))
    var texts = WrittenTextFilter()
    #expect(!masker.mayShow(since: version, in: texts))
    texts.add(try JSON(parsing: state.utf8))
    #expect(masker.mayShow(since: version, in: texts))
  }

  @Test func `a filter of written texts never rules out a text that a search finds`() {
    var random = SplitMix64(seed: 7)
    let letters: [Character] = ["a", "b", "1", " ", "\"", "\\", "\n", "é", "/", "~", "+"]
    func text(_ count: Int) -> String {
      String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
    var found = 0
    for _ in 0..<2_000 {
      let text = text(Int.random(in: 1...7, using: &random))
      let state: JSON = [
        "notes": [.string(self.text(&random, around: text)), 1234, "ab1"],
        self.text(&random, around: text): true,
      ]
      var masker = LogMasker(LogMasks(state: ["/secret"]), secret: (1, 2))
      masker.learn(["secret": .string(text)], in: .state)
      var texts = WrittenTextFilter()
      texts.add(JSON.Patch([.add(JSON.Pointer(["x"]), state)]))
      guard masker.shows(since: 0, in: state.bytes) else { continue }
      found += 1
      #expect(masker.mayShow(since: 0, in: texts), "\(text) in \(state)")
    }
    #expect(found > 500)
  }

  /// Returns a text that contains another one half of the time.
  private func text(_ random: inout SplitMix64, around text: String) -> String {
    let others = ["", "a", " ", "1b", "é", "\"", "ab ab "]
    let start = others.randomElement(using: &random) ?? ""
    let end = others.randomElement(using: &random) ?? ""
    return start + (Bool.random(using: &random) ? text : String(text.reversed())) + end
  }

  @Test(arguments: [#"{"a":"Evaluate"}"#, #"{"a":"Eva"}"#], [true, false])
  func `a masker finds a short text in a state only as a complete string`(
    state: String,
    isPatched: Bool
  ) {
    var masker = LogMasker(LogMasks(state: ["/secret"]), secret: (1, 2))
    masker.learn(["secret": "Eva"], in: .state)
    let bytes = Array(state.utf8)
    let isShown =
      isPatched
      ? masker.shows(since: 0, in: bytes, besides: JSON.Patch()) : masker.shows(since: 0, in: bytes)
    #expect(isShown == state.contains("\"Eva\""))
  }

  @Test func `a comparison ignores masked inputs of effects`()
    throws
  {
    var masker = LogMasker(LogMasks(effect: ["/input/code"]), secret: (1, 2))
    var effect = EffectDescription(.run)
    effect.input = ["code": 12, "name": "a"]
    let masked = masker.masked([effect])
    #expect(masked[0].input?["name"] == "a")
    #expect(masked[0].input?["code"] != 12)
    #expect(masker.unmatched.isEmpty)
    func log(_ effect: EffectDescription) -> [LogEvent] {
      var header = LogEvent.Header(
        id: "L",
        feature: "F",
        stateType: "S",
        startedAt: "",
        recorder: ""
      )
      header.masked = LogMasks(effect: ["/input/code"])
      return [
        .header(header), .checkpoint(LogEvent.Checkpoint(seq: 0, state: [:])),
        .action(LogEvent.Action(seq: 1, at: 0, origin: .view, action: ["a": [:]])),
        .change(LogEvent.Change(seq: 1, patch: JSON.Patch(), effects: [effect])),
      ]
    }
    func differences(_ other: EffectDescription) throws -> [LogDifference] {
      var (recorded, replayed) = (log(masked[0])[...], log(other)[...])
      var comparison = LogComparison(
        recorded: { recorded.popFirst() },
        replayed: { replayed.popFirst() }
      )
      return try comparison.run().differences
    }
    #expect(try differences(effect).isEmpty)
    effect.input = ["code": 12, "name": "b"]
    #expect(try differences(effect).map(\.member) == ["input"])
  }

  @Test(arguments: ["d", "c", "m", "s"])
  func `a masker does not treat values of the app as its own internal marks`(kind: String) {
    var masker = LogMasker(
      LogMasks(state: ["/secret"]),
      secret: (1, 2),
      isMarked: true
    )
    let forged = "\u{10FFFD}\(kind)SECRETVALUE"
    let state = masker.masked(
      state: [
        "secret": .string(forged), "title": .string("say \(forged)"),
        MaskerMark.data.on(forged): "x",
      ]
    )
    let text = state.description
    #expect(!text.contains("SECRETVALUE\""))
    #expect(JSON.string(forged).unmarked == .string(forged))
    #expect((["\u{10FFFD}\(kind)a": 1] as JSON).unmarked == ["\u{10FFFD}\(kind)a": 1])
  }
}
