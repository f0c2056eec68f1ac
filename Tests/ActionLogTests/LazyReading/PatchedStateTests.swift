import ActionLog
import TestSupport
import Testing

/// A state that is led on when somebody asks is the same as one that is led on at once.
@Suite struct PatchedStateTests {
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

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func patchesThatHaveWaitedLeadToTheSameStateOrFailAlike(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var failures = 0
    for _ in 0..<200 {
      // Few kinds at a time, so that places come again.
      let kinds = (0..<Int.random(in: 1...5, using: &random)).compactMap { _ in
        Self.patches.randomElement(using: &random)
      }
      let texts = (0..<12).compactMap { _ in kinds.randomElement(using: &random) }
      let lazy = Self.outcome {
        var state = PatchedState(Self.start)
        for (seq, text) in texts.enumerated() {
          try state.append(.text(Array(text.utf8)), of: seq)
        }
        return try state.take()
      }
      let eager = Self.outcome {
        var state = PatchedState(Self.start)
        for (seq, text) in texts.enumerated() {
          try state.append(.patch(JSON.Patch(json: JSON(parsing: text))), of: seq)
        }
        return try state.take()
      }
      #expect(lazy == eager, "seed \(seed): \(texts)")
      if case .failure = eager { failures += 1 }
    }
    #expect(failures > 10 && failures < 190, "seed \(seed): \(failures)")
  }

  private enum Outcome: Equatable {
    case success(JSON)
    case failure(seq: Int, JSON.Patch.ApplyError)
  }

  private static func outcome(_ body: () throws -> JSON) -> Outcome? {
    do { return .success(try body()) } catch let failure as PatchedState.Failure {
      return .failure(seq: failure.seq, failure.error)
    } catch { return nil }
  }
}
