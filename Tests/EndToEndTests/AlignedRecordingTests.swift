import Foundation
import TestSupport
import Testing

/// The output of `diff`, `view` and `fork` for recordings of one app.
@Suite struct AlignedRecordingTests {
  /// Each action with effects finishes before the next one, so that the order does not depend on time.
  private static let script = [
    #"{"addButtonTapped":{}}"#,
    #"{"titleChanged":{"id":{"$state":"/todos/0/id"},"_1":"Milk"}}"#,
    #"{"$finish":true}"#,
    #"{"addButtonTapped":{}}"#,
    #"{"filterPicked":{"_0":"completed"}}"#,
    #"{"titleChanged":{"id":{"$state":"/todos/0/id"},"_1":"Bread"}}"#,
    #"{"$finish":true}"#,
    #"{"filterPicked":{"_0":"all"}}"#,
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try record(Self.script, "a.jsonl")
    try record(Self.script, "b.jsonl")
    var shorter = Self.script
    shorter.remove(at: 4)
    try record(shorter, "c.jsonl")
  }

  private func record(_ script: [String], _ name: String) throws {
    try folder.write(script.joined(separator: "\n") + "\n", to: "script.actions")
    let result = try Tool.replay.run(
      "record",
      "Todos",
      "--actions",
      "script.actions",
      "-o",
      name,
      in: folder.path
    )
    try #require(result.status == 0, "\(result.error)")
  }

  @Test func `diff finds no difference between two recordings of one script, except with --exact`()
    throws
  {
    let result = try Tool.replay.run("diff", "a.jsonl", "b.jsonl", in: folder.path)
    #expect(result.status == 0)
    #expect(result.output == "no difference, through action 8; 2 ids and 2 dates mapped\n")
    let exact = try Tool.replay.run("diff", "a.jsonl", "b.jsonl", "--exact", in: folder.path)
    #expect(exact.status == 1)
  }

  @Test func `if only one recording has an action, diff reports just that action`() throws {
    let result = try Tool.replay.run("diff", "a.jsonl", "c.jsonl", in: folder.path)
    #expect(result.status == 1)
    #expect(
      result.output == """
        − a.jsonl, + c.jsonl
        actions 1 to 4 match; action 5 is only in a.jsonl; 6 to 8 match 5 to 7; 2 ids and 2 dates mapped
        a.jsonl has 8 actions, c.jsonl 7

        action 5 is only in a.jsonl
          − 5  .filterPicked("completed")
          state
            filter
              − "completed"
              + "all"

        """
    )
  }

  @Test func `view shows the result of diff for two recordings on its page`() throws {
    let page = try Tool.replay.run("view", "a.jsonl", "c.jsonl", "-o", "-", in: folder.path)
    #expect(page.status == 0)
    #expect(
      page.output.contains(
        #""line":"actions 1 to 4 match; action 5 is only in this log; 6 to 8 match 5 to 7; 2 ids and 2 dates mapped; this log has 8 actions, c.jsonl 7""#
      )
    )
    #expect(
      page.output.contains(
        #""matches":[{"first":[1,4],"second":[1,4]},{"first":[6,8],"second":[5,7]}]"#
      )
    )
  }

  @Test func `fork reports which actions the old and the new timeline share`() throws {
    let fork = try Tool.replay.run(
      "fork",
      "a.jsonl",
      "--skip",
      "5",
      "-o",
      "d.jsonl",
      in: folder.path
    )
    #expect(fork.status == 0, "\(fork.error)")
    #expect(
      fork.output.contains(
        "\nactions 1 to 4 match; action 5 is only in the old timeline; 6 to 8 match 5 to 7\n"
      ),
      "\(fork.output)"
    )
    let diff = try Tool.replay.run("diff", "a.jsonl", "d.jsonl", in: folder.path)
    #expect(
      diff.output.hasPrefix(
        """
        − a.jsonl, + d.jsonl
        actions 1 to 4 match; action 5 is only in a.jsonl; 6 to 8 match 5 to 7
        a.jsonl has 8 actions, d.jsonl 7
        """
      )
    )
  }
}
