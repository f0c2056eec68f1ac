import ActionLog
import Foundation
import TestSupport
import Testing

@testable import ReplayCommandLine

@Suite struct ResultSetTests {
  /// Returns results of some logs, each found several times by several hosts.
  private func results(_ random: inout SplitMix64) throws -> [RunResult] {
    try (0..<200).map { _ in
      let log = Int.random(in: 0..<60, using: &random)
      let cause = Int.random(in: 0..<5, using: &random)
      let json: JSON = [
        "result": 1, "log": .string("\(log).jsonl"), "digest": .string("\(log % 7)"),
        "bytes": .number(JSON.Number(log * 10)),
        "verdict": cause == 0 ? "identical" : "diverged",
        "status": cause == 0 ? 0 : 1, "fingerprint": .string("\(cause)"),
        "symptom": .string("cause \(cause)"), "id": "1", "feature": "F",
        "app": ["version": .string("1.\(log % 3)")],
        "host": .string("\(Int.random(in: 0..<2, using: &random))"), "options": "",
        "seconds": 0.5,
        "finishedAt": .string("2026-11-0\(Int.random(in: 1..<4, using: &random))"),
      ]
      return try #require(RunResult(json: json))
    }
  }

  @Test(
    "ResultSet merges results with the same outcome in any order and grouping",
    arguments: Thoroughness.seeds(8, thorough: 40)
  )
  func merging(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let all = try results(&random)
    var whole = ResultSet()
    for result in all { whole.add(result) }
    // Shards, some of them repeated, as produced by a retried task.
    var shards: [ResultSet] = []
    let count = Int.random(in: 1...8, using: &random)
    for index in 0..<count {
      var shard = ResultSet()
      for (number, result) in all.shuffled(using: &random).enumerated()
      where number % count == index || Bool.random(using: &random) {
        shard.add(result)
      }
      shards.append(shard)
    }
    shards.append(whole)
    while shards.count > 1 {
      shards.shuffle(using: &random)
      let last = shards.removeLast()
      shards[shards.count - 1].merge(last)
    }
    #expect(shards[0] == whole, "seed \(seed)")
    #expect(ResultSummary(shards[0]).json == ResultSummary(whole).json, "seed \(seed)")
  }

  @Test(
    "decoding the line of a RunResult returns an equal RunResult",
    arguments: Thoroughness.seeds(2, thorough: 20)
  )
  func lines(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for result in try results(&random) {
      let read = try #require(RunResult(json: try JSON(parsing: Data(result.line))))
      #expect(read == result)
      #expect(read.line == result.line)
    }
  }
}
