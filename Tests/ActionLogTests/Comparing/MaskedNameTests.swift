import ActionLog
import Testing

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
