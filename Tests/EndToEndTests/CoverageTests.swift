import ActionLog
import Foundation
import TestSupport
import Testing

/// `coverage` with a host that has features.
@Suite struct CoverageTests {
  private func document(_ arguments: String...) throws -> JSON {
    let result = try Tool.replay.run(arguments + ["--format", "json"])
    #expect(result.status == 0, "\(result.error)")
    return try JSON(parsing: result.output)
  }

  @Test("coverage counts actions, effects and their ends as stats does", arguments: Project.samples)
  func numbersOfStats(sample: String) throws {
    let log = Project.sample(sample)
    let stats = try #require(try document("stats", log)["logs"]?.array?.first)
    let feature = try #require(try document("coverage", log)["features"]?.array?.first)
    func counts(_ list: String, _ name: String, _ json: JSON) -> [String: Int] {
      let rows = (json[list]?.array ?? []).filter { $0["count"]?.int != 0 }
      return Dictionary(rows.map { ($0[name]?.string ?? "", $0["count"]?.int ?? -1) }) { $0 + $1 }
    }
    func counts(_ list: String, _ json: JSON) -> [String: Int] {
      Dictionary((json[list]?.object ?? [:]).map { ($0.key, $0.value["count"]?.int ?? -1) }) {
        $0 + $1
      }
    }
    #expect(counts("actions", "action", feature) == counts("actions", stats))
    let (own, others) = (counts("effects", "effect", feature), counts("effects", stats))
    #expect(own.values.reduce(0, +) == others.values.reduce(0, +))
    for end in ["finished", "cancelled", "failed"] {
      let ends = (feature["effects"]?.array ?? []).reduce(0) { $0 + ($1[end]?.int ?? 0) }
      #expect(
        ends == (stats["effects"]?.object ?? [:]).reduce(0) { $0 + ($1.value[end]?.int ?? 0) }
      )
    }
  }

  @Test("coverage reports a host that does not list its cases within the time limit")
  func hangingHost() throws {
    let folder = try TemporaryFolder()
    let host = try folder.script("exec sleep 1000", named: "host")
    let log = Project.sample("exchange.jsonl")
    let result = try Tool.replay.run("coverage", log, "--host", host, "--timeout", "0.3")
    #expect(result.status == 69)
    #expect(result.error.contains("longer than 0.3 s"), "\(result.error)")
  }

  @Test("the types of the sample features declare all cases that their logs contain")
  func typesOfTheSamples() throws {
    let features = try document("coverage", Project.sample(""))["features"]?.array ?? []
    #expect(features.count == 10)
    var unknown: [String] = []
    for feature in features {
      #expect(feature["typesKnown"] == true)
      for action in feature["actions"]?.array ?? [] where action["declared"] != true {
        // A binding names its member.
        #expect(action["action"]?.string?.hasSuffix(".binding.set") == true, "\(action)")
      }
      for place in feature["places"]?.array ?? [] where place["declared"] != true {
        let text = place["place"]?.string ?? ""
        // The cases of the library's own settings do not belong to the features. An optional of an enum can be `nil`.
        if !text.contains(".titleVisibility."), !text.contains(".role."), !text.hasSuffix(" == nil")
        {
          unknown.append(text)
        }
      }
    }
    #expect(unknown == [])
  }

  @Test func `features and coverage give the same result with --host as with the default host`()
    throws
  {
    let features = try document("features", "--cases")["features"]?.array ?? []
    let counter = try #require(features.first { $0["name"] == "Counter" })
    #expect(counter["module"] == "SampleFeatures")
    #expect(
      try document("features", "--cases", "--host", Tool.replay.path)["features"]?.array == features
    )
    let log = Project.sample("counter.jsonl")
    #expect(
      try document("coverage", log) == document("coverage", log, "--host", Tool.replay.path)
    )
  }

  @Test func `coverage reports a host that cannot list cases, and prints its other results`()
    throws
  {
    let folder = try TemporaryFolder()
    let host = try folder.script(
      #"case "$*" in *--cases*) exit 64;; esac; echo '{"features":[]}'"# + "\n",
      named: "host"
    )
    let result = try Tool.replay.run(
      "coverage",
      Project.sample("counter.jsonl"),
      "--host",
      host
    )
    #expect(result.status == 0)
    #expect(
      result.error
        == "tca-replay: \(host) does not say which cases its features have, so what is never reached is not known; build it"
        + " with this version of tca-replay\n"
    )
    #expect(
      result.output.contains("Counter\n  the host has no such feature, so there may be more\n")
    )
  }

  @Test func `coverage --lines requires a host that is built with code coverage`() throws {
    let result = try Tool.replay.run("coverage", Project.sample("counter.jsonl"), "--lines")
    #expect(result.status == 69)
    #expect(
      result.error
        == "tca-replay: \(Tool.replay.path) does not count its lines; build it with 'swift build --enable-code-coverage'\n"
    )
  }
}
