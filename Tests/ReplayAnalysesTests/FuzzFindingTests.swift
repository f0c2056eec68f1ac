import ActionLog
import ReplayTestSupport
import Testing

@testable import ReplayAnalyses

@Suite struct FuzzFindingTests {
  @Test func `a finding counts the same actions from outside as a minimization of its log`() throws
  {
    // A view sends two actions, an effect one, a `send` effect one, and the reducer one directly.
    let lines =
      SampleLog.lines.prefix(2) + [
        #"{"kind":"action","seq":1,"origin":"view","action":{"burst":{}}}"#,
        #"{"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"send","action":{"first":{}}},{"id":"1.1","op":"run"}]}"#,
        #"{"kind":"action","seq":2,"origin":{"effect":"1.0"},"action":{"first":{}}}"#,
        #"{"kind":"change","seq":2,"patch":[]}"#,
        #"{"kind":"action","seq":3,"origin":{"effect":"1.1"},"action":{"second":{}}}"#,
        #"{"kind":"change","seq":3,"patch":[]}"#,
        #"{"kind":"action","seq":4,"origin":"view","action":{"increment":{}}}"#,
        #"{"kind":"change","seq":4,"patch":[]}"#,
      ]
    let next = SampleLog.events(Array(lines))
    var events: [LogEvent] = []
    while let event = try next() { events.append(event) }
    let finding = FuzzFinding(
      FuzzResponse.ViolatingSequence(
        violation: .overtaken(JSON.ValueLocation([.name("count")])),
        origin: .made(1),
        transitions: 4,
        events: events
      ),
      Symptom(kind: "k", detail: "d", place: "p", action: "a")
    )
    #expect(finding.actions.now == 3)
    #expect(finding.actions.found == 3)
  }
}

@Suite struct MissedPrefixGroupTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let missed: [String]
    let reached: [String]
    let groups: [(name: String, count: Int)]
  }

  static let cases = [
    Case(
      testDescription: "values of a reached path",
      missed: [#"a.b == "c""#, #"a.b == "d""#],
      reached: ["a.b", #"a.b == "e""#],
      groups: [(#"a.b == "c""#, 1), (#"a.b == "d""#, 1)]
    ),
    Case(
      testDescription: "values of a path that is reached with other values only",
      missed: [#"a.b == "c""#, #"a.b == "d""#],
      reached: ["a.b"],
      groups: [(#"a.b == "c""#, 1), (#"a.b == "d""#, 1)]
    ),
    Case(
      testDescription: "a missed path and its values",
      missed: ["a.b", #"a.b == "c d.e""#, "f[*].g", "f[*].h"],
      reached: ["a", "x"],
      groups: [("a.b", 2), ("f", 2)]
    ),
    Case(
      testDescription: "a value with dots",
      missed: [#"a == "b.c""#, #"a == "b.d""#],
      reached: ["a"],
      groups: [(#"a == "b.c""#, 1), (#"a == "b.d""#, 1)]
    ),
  ]

  @Test(arguments: cases)
  func `missed names are grouped by the outermost path that is missed`(testCase: Case) {
    let groups = MissedPrefixGroup.groups(missed: testCase.missed, reached: testCase.reached)
    #expect(groups.map(\.name) == testCase.groups.map(\.name))
    #expect(groups.map(\.count) == testCase.groups.map(\.count))
  }
}
