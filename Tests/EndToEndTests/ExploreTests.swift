import Foundation
import TestSupport
import Testing

/// Explorations with real processes.
@Suite("Explore")
struct ExploreTests {
  private static let invariant = "$.state.savedRevision >= $.before.savedRevision"

  @Test("the race of the draft is found, and written as a log that runs and can be minimized")
  func findsTheRace() throws {
    let folder = try TemporaryFolder()
    let race = "\(folder.path)/race.jsonl"
    let result = try Tool.replay.run(
      "explore",
      Project.sample("draft.jsonl"),
      "--invariant",
      Self.invariant,
      "-o",
      race
    )
    #expect(result.status == 1)
    #expect(result.error == "")
    let run = try Tool.replay.run("run", race)
    #expect(run.status == 0, "\(run.output)")
    let small = "\(folder.path)/small.jsonl"
    let minimized = try Tool.replay.run(
      "minimize",
      race,
      "--when",
      "$.state.savedRevision < $.before.savedRevision",
      "-o",
      small
    )
    #expect(minimized.status == 0)
    #expect(minimized.error == "")
    #expect(
      minimized.output.contains("38 actions from outside reduced to 4 in"),
      "\(minimized.output)"
    )
    #expect(try Tool.replay.run("run", small).status == 0)
  }

  @Test("what holds in every order is said to, in JSON")
  func holds() throws {
    let result = try Tool.replay.run(
      "explore",
      Project.sample("search.jsonl"),
      "--invariant",
      "$.state.failure == null || $.state.isSearching == false",
      "--format",
      "json"
    )
    #expect(result.status == 0)
    #expect(result.output.contains(#""held":true,"isComplete":true"#), "\(result.output)")
  }
}
