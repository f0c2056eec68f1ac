import TestSupport
import Testing

@testable import ActionLog

/// Changes whose application is deferred lead to the same state as changes that are applied at once.
@Suite struct WaitingPatchesTests {
  private static let start: JSON = ["a": 1, "b": ["x": 1, "y": [1, 2]], "c": "text"]

  private static let patches = [
    #"[{"op":"replace","path":"/a","value":2}]"#, #"[{"op":"replace","path":"/a","value":"x"}]"#,
    #"[{"op":"replace","path":"/b/x","value":3}]"#, #"[{"op":"replace","path":"/b","value":null}]"#,
    #"[{"op":"replace","path":"/b","value":{"x":5,"y":[3]}}]"#,
    #"[{"op":"replace","path":"/b/y/0","value":7}]"#, #"[{"op":"add","path":"/b/y/0","value":8}]"#,
    #"[{"op":"remove","path":"/c"}]"#, #"[{"op":"add","path":"/c","value":"again"}]"#,
    #"[{"op":"replace","path":"/c","value":"é"}]"#, "[]",
    #"[{"op":"replace","path":"/a","value":4},{"op":"replace","path":"/c","value":5}]"#,
  ]

  /// The first difference, and the final state if there is none.
  private struct Outcome: Equatable {
    var difference: LogDifference?
    var state: JSON?
  }

  private static func outcome(_ texts: [String], areText: Bool) throws -> Outcome {
    var states = ComparedStates(isReplay: true)
    let start = LogEvent.Checkpoint(seq: 0, state: Self.start)
    #expect(states.compare(start, start) == [])
    for (index, text) in texts.enumerated() {
      let json = try JSON(parsing: text)
      // Values are applied at once.
      let patch = areText ? PatchText(encoded: json.bytes) : PatchText(try JSON.Patch(json: json))
      let found = states.compare(patch, patch, of: index + 1)
      if let difference = found.first { return Outcome(difference: difference) }
    }
    // A change that is not text requires the state.
    let found = states.compare(JSON.Patch(), JSON.Patch(), of: texts.count)
    if let difference = found.first { return Outcome(difference: difference) }
    return Outcome(state: states.recorded)
  }

  @Test(arguments: Thoroughness.seeds(3, thorough: 8))
  func `a comparison of deferred text patches has the same result as one of patches of values`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var failures = 0
    for _ in 0..<200 {
      // Few kinds at a time, so that paths recur.
      let kinds = (0..<Int.random(in: 1...5, using: &random)).compactMap { _ in
        Self.patches.randomElement(using: &random)
      }
      let texts = (0..<12).compactMap { _ in kinds.randomElement(using: &random) }
      let waiting = try Self.outcome(texts, areText: true)
      let applied = try Self.outcome(texts, areText: false)
      #expect(waiting == applied, "seed \(seed): \(texts)")
      #expect((applied.state == nil) == (applied.difference != nil))
      if applied.difference != nil { failures += 1 }
    }
    #expect(failures > 10 && failures < 190, "seed \(seed): \(failures)")
  }
}
