import ActionLog
import ReplayTestSupport
import Testing

@testable import ReplayAnalyses

/// The answers of effects that may not follow certain others.
@Suite struct OvertakingTests {
  /// Two effects start, and answer in this order.
  private struct Answers: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var kinds = ["load", "load"]
    var actions = [#"{"loaded":{"_0":1}}"#, #"{"loaded":{"_0":2}}"#]
    /// The order of the answers.
    var order = [1, 2]
    var state = #"{"count":0,"name":0,"list":[]}"#
    /// The changes by the answers.
    var patches = [
      #"[{"op":"replace","path":"/count","value":10}]"#,
      #"[{"op":"replace","path":"/count","value":20}]"#,
    ]
    /// The older answers that may replace a value, after all other steps.
    var rivals: [OvertakingRaces.ContestedValue] = []
    /// The values of newer effects that the recorded order replaces.
    var recorded: [JSON.ValueLocation] = []
  }

  private static func rival(
    _ name: String,
    _ older: JSON,
    _ newer: JSON
  ) -> OvertakingRaces.ContestedValue {
    OvertakingRaces.ContestedValue(
      place: JSON.ValueLocation([.name(name)]),
      older: older,
      newer: newer
    )
  }

  private static let cases = [
    Answers(testDescription: "the older one may come last", rivals: [rival("count", 10, 20)]),
    Answers(
      testDescription: "the older one's value is there already",
      patches: ["[]", #"[{"op":"replace","path":"/count","value":20}]"#],
      rivals: [rival("count", 0, 20)]
    ),
    Answers(
      testDescription: "they write lists",
      patches: [
        #"[{"op":"add","path":"/list/0","value":1},{"op":"add","path":"/list/1","value":2}]"#,
        #"[{"op":"remove","path":"/list/1"},{"op":"replace","path":"/list/0","value":3}]"#,
      ],
      rivals: [rival("list", [1, 2], [3])]
    ),
    Answers(
      testDescription: "they write under a key of digits",
      state: #"{"votes":{"16":0}}"#,
      patches: [10, 20].map { #"[{"op":"replace","path":"/votes/16","value":\#($0)}]"# },
      rivals: [
        OvertakingRaces.ContestedValue(
          place: JSON.ValueLocation([.name("votes"), .name("16")]),
          older: 10,
          newer: 20
        )
      ]
    ),
    Answers(
      testDescription: "they add a dictionary, and an array in it",
      state: #"{"votes":null}"#,
      patches: [10, 20].map {
        #"[{"op":"replace","path":"/votes","value":{"16":[]}},{"op":"add","path":"/votes/16/0","value":\#($0)}]"#
      },
      rivals: [
        rival("votes", ["16": [10]], ["16": [20]]),
        OvertakingRaces.ContestedValue(
          place: JSON.ValueLocation([.name("votes"), .name("16")]),
          older: [10],
          newer: [20]
        ),
      ]
    ),
    Answers(
      testDescription: "the recording lets it come last already",
      order: [2, 1],
      recorded: [JSON.ValueLocation([.name("count")])]
    ),
    Answers(
      testDescription: "both write the same",
      patches: Array(repeating: #"[{"op":"replace","path":"/count","value":10}]"#, count: 2)
    ),
    Answers(
      testDescription: "the newer one brings back what was there",
      patches: [
        #"[{"op":"replace","path":"/count","value":1}]"#,
        #"[{"op":"replace","path":"/count","value":0}]"#,
      ]
    ),
    Answers(testDescription: "they are of two kinds", kinds: ["load", "save"]),
    Answers(
      testDescription: "their actions are of two cases",
      actions: [#"{"loaded":{"_0":1}}"#, #"{"failed":{"_0":1}}"#]
    ),
    Answers(
      testDescription: "their actions are for two elements",
      actions: [1, 2].map { #"{"rows":{"_0":{"element":{"id":\#($0),"action":{"loaded":{}}}}}}"# }
    ),
    Answers(
      testDescription: "their actions are for one element",
      actions: [1, 1].map { #"{"rows":{"_0":{"element":{"id":\#($0),"action":{"loaded":{}}}}}}"# },
      rivals: [rival("count", 10, 20)]
    ),
  ]

  private func log(_ answers: Answers) throws -> ThreadedLog {
    var lines = [
      SampleLog.lines[0],
      #"{"kind":"checkpoint","seq":0,"state":\#(answers.state),"effects":[]}"#,
    ]
    for seq in 1...2 {
      lines += [
        #"{"kind":"action","seq":\#(seq),"origin":"view","action":{"load":{}}}"#,
        #"{"kind":"change","seq":\#(seq),"patch":[],"effects":[{"id":"\#(seq).0","op":"run","name":"\#(answers.kinds[seq - 1])"}]}"#,
      ]
    }
    for (index, effect) in answers.order.enumerated() {
      let seq = index + 3
      lines += [
        #"{"kind":"action","seq":\#(seq),"origin":{"effect":"\#(effect).0"},"action":\#(answers.actions[effect - 1])}"#,
        #"{"kind":"change","seq":\#(seq),"patch":\#(answers.patches[effect - 1])}"#,
      ]
    }
    lines.append(#"{"kind":"end","seq":4,"reason":"closed"}"#)
    return try ThreadedLog(SampleLog.events(lines))
  }

  private func step(of effect: Int, in log: ThreadedLog) -> Int? {
    log.steps.firstIndex { $0.thread == .effect(EffectID(seq: effect, index: 0)) }
  }

  @Test(arguments: cases)
  private func `overtaking is possible only for an older effect of the same kind`(
    _ answers: Answers
  ) throws {
    let log = try log(answers)
    let older = try #require(step(of: 1, in: log))
    let newer = try #require(step(of: 2, in: log))
    #expect(log.overtaking.rivals(of: older) { $0 != older } == answers.rivals)
    #expect(log.overtaking.rivals(of: newer) { $0 != newer } == [])
    #expect(log.overtaking.rivals(of: older) { _ in false } == [])
    #expect(log.overtaking.recorded.map(\.place) == answers.recorded)
  }

  @Test(
    "An answer overtakes a newer one if its value replaces the newer answer's value",
    arguments: [
      // The value before the answer, and after it.
      (20, 10, true),
      // The answer adds to the existing value.
      (10, 20, false),
      // Another value was there.
      (30, 10, false),
      // The answer was rejected.
      (20, 20, false),
    ]
  )
  func replaced(before: Int, after: Int, isReplaced: Bool) {
    let states = [before, after].map { ["count": .number(JSON.Number($0))] as JSON }
    let rival = Self.rival("count", 10, 20)
    #expect(rival.isReplaced(before: states[0], after: states[1]) == isReplaced)
  }
}
