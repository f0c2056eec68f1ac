import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import ReplayDebugger

/// The start of the replay of a changed log.
@Suite("The start of a fork") struct ForkStartTests {
  private struct Checkpoint: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let state: String
    let effects: String
    /// Whether a fork may begin at the position.
    let isStart: Bool
  }

  private static func effect(_ ids: String...) -> String {
    ids.enumerated().map { index, id in
      #"{"id":"1.\#(index)","op":"run","cancelID":\#(id)}"#
    }.joined(separator: ",")
  }

  private static let checkpoints = [
    Checkpoint(testDescription: "without effects", state: "{}", effects: "", isStart: true),
    Checkpoint(
      testDescription: "with ids that print differently",
      state: #"{"n":2}"#,
      effects: effect(#"{"type":"A","value":1}"#, #"{"type":"B","value":1}"#),
      isStart: true
    ),
    Checkpoint(
      testDescription: "with ids that print alike",
      state: "{}",
      effects: effect(#"{"type":"A","value":1}"#, #"{"type":"A","value":1,"n":2}"#),
      isStart: false
    ),
    Checkpoint(
      testDescription: "with places that print alike",
      state: "{}",
      effects: effect(
        #"{"type":"A","value":1,"path":[{"place":"sheet"}]}"#,
        #"{"type":"A","value":1,"path":[{"place":"sheet","n":2}]}"#
      ),
      isStart: false
    ),
    Checkpoint(
      testDescription: "with objects as ids",
      state: "{}",
      effects: effect(
        #"{"type":"A","value":{"$ordinal":1}}"#,
        #"{"type":"A","value":{"$ordinal":2}}"#
      ),
      isStart: false
    ),
    Checkpoint(
      testDescription: "with a value that the log does not hold",
      state: #"{"note":{"$opaque":"Note"}}"#,
      effects: "",
      isStart: false
    ),
  ]

  @Test(arguments: checkpoints)
  private func `a fork starts at the last checkpoint in which no two effects look the same`(
    _ checkpoint: Checkpoint
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let lines = [
      #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"F","stateType":"S","startedAt":"2026-01-01T00:00:00Z","recorder":"0.2.0","environment":{},"segment":1}"#,
      #"{"kind":"checkpoint","seq":0,"state":{},"effects":[]}"#,
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"start":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[]}"#,
      #"{"kind":"checkpoint","seq":1,"state":\#(checkpoint.state),"effects":[\#(checkpoint.effects)]}"#,
      #"{"kind":"action","seq":2,"at":2,"origin":"view","action":{"stop":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[]}"#,
    ]
    try (lines.joined(separator: "\n") + "\n")
      .write(toFile: path, atomically: false, encoding: .utf8)
    let start = try ForkStart(LogSlice(path: path, name: path), before: 2)
    #expect(start.checkpoint?.line == (checkpoint.isStart ? 5 : 2))
  }
}
