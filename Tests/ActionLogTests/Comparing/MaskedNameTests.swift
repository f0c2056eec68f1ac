import Testing

@testable import ActionLog

@Suite("Differences that masks explain")
struct MaskedNameTests {
  private static let first = "masked30674bf6255a0ef792"
  private static let second = "masked1d07aad1c045259cb2"

  /// A recorded value, a replayed one, and the paths that differ although the record has masks.
  private static let cases: [(recorded: String, replayed: String, paths: [String])] = [
    (#"{"a":"\#(first)"}"#, #"{"a":"secret"}"#, []),
    (#"{"\#(first)":1,"b":2}"#, #"{"secret":1,"b":2}"#, []),
    (#"{"\#(first)":1,"\#(second)":2}"#, #"{"one":1,"other":2}"#, []),
    (#"{"at \#(first)":"\#(second)"}"#, #"{"at home":"secret"}"#, []),
    (#"{"a":{"\#(first)":{"b":1}}}"#, #"{"a":{"secret":{"b":1}}}"#, []),
    (#"[{"\#(first)":1}]"#, #"[{"secret":1}]"#, []),
    (#"{"\#(first)":1}"#, #"{"secret":2}"#, ["/\(first)", "/secret"]),
    (#"{"at \#(first)":1}"#, #"{"in town":1}"#, ["/at \(first)", "/in town"]),
    (#"{"\#(first)":1}"#, #"{}"#, ["/\(first)"]),
    (#"{"\#(first)":1}"#, #"{"secret":1,"more":1}"#, ["/more"]),
    (#"{"\#(first)":1}"#, #"{"\#(second)":1}"#, ["/\(first)", "/\(second)"]),
    (#"{"secret":1}"#, #"{"\#(first)":1}"#, ["/secret", "/\(first)"]),
    (
      #"{"a":{"\#(first)":1},"b":{}}"#, #"{"a":{},"b":{"secret":1}}"#, ["/a/\(first)", "/b/secret"]
    ),
  ]

  @Test("A masked name or text stands for any other one, in the record alone", arguments: cases)
  func differences(recorded: String, replayed: String, paths: [String]) throws {
    let differences = JSON.valueDifferences(
      from: try JSON(parsing: Array(recorded.utf8)),
      to: try JSON(parsing: Array(replayed.utf8)),
      isMasked: true
    )
    #expect(Set(differences.map(\.path.description)) == Set(paths))
  }

  @Test(
    "The substitute of any text and number stands for another value, in the record alone",
    arguments: [
      #""secret""#, #""01020304-0506-0708-090A-0B0C0D0E0F10""#, #""2025-11-20T09:12:03.12Z""#,
      #"{"$date":-0.5}"#, "1234", "-7", "1.25", "1e300", #"{"$double":"nan"}"#,
    ]
  )
  func substitutes(text: String) throws {
    let value = try JSON(parsing: Array(text.utf8))
    for _ in 0..<100 {
      let substitute = SubstituteHashKey().substitute(for: value)
      let clear: JSON = substitute.number == nil ? "constant" : 5678
      #expect(substitute.substitutes.count == 1, "\(substitute)")
      #expect(JSON.valueDifferences(from: substitute, to: clear, isMasked: true) == [])
      #expect(JSON.valueDifferences(from: clear, to: substitute, isMasked: true).count == 1)
      #expect(JSON.valueDifferences(from: substitute, to: clear, isMasked: false).count == 1)
    }
  }

  @Test(
    "A text around the substitute of a UUID or date is compared",
    arguments: [
      #""01020304-0506-0708-090A-0B0C0D0E0F10""#, #""2025-11-20T09:12:03.12Z""#,
    ]
  )
  func longerTexts(text: String) throws {
    let value = try JSON(parsing: Array(text.utf8))
    let substitute = try #require(SubstituteHashKey().substitute(for: value).string)
    func differences(_ text: String) -> [JSON.Difference] {
      JSON.valueDifferences(
        from: .string("saved \(substitute) at home"),
        to: .string(text),
        isMasked: true
      )
    }
    #expect(differences("saved this at home") == [])
    #expect(differences("saved this in town").count == 1)
  }

  @Test("An input of an effect is compared like an action", arguments: cases)
  func inputs(recorded: String, replayed: String, paths: [String]) throws {
    let difference = LogDifference(
      seq: 1,
      cause: .effects,
      subject: "1.0",
      member: "input",
      expected: try JSON(parsing: Array(recorded.utf8)),
      actual: try JSON(parsing: Array(replayed.utf8))
    )
    #expect(LogMasks(state: ["/password"]).hides(difference) == paths.isEmpty)
  }

  @Test(
    "A cancellation id is the same with its own spelling, masked or not",
    arguments: [false, true]
  )
  func spellings(isMasked: Bool) {
    func effect(_ id: EffectDescription.CancelID) -> EffectDescription {
      var effect = EffectDescription(.run)
      effect.cancelID = id
      return effect
    }
    let recorded = effect(
      .init(type: "String", value: .string(isMasked ? Self.first : "caf\u{E9}"))
    )
    var id = EffectDescription.CancelID(type: "String", value: "caf\u{E9}")
    id.ownSpelling = EffectDescription.CancelID(type: "String", value: "cafe\u{301}").spelling
    #expect(EffectDescription.differences(of: 1, [recorded], [effect(id)]).isEmpty)
    id.type = "Substring"
    let differences = EffectDescription.differences(of: 1, [recorded], [effect(id)])
    #expect(differences.map(\.member) == ["cancelID"])
  }
}
