import ActionLog
import Foundation
import ReplayEngine
import ReplayTestSupport
import TCAReplay
import TestSupport
import Testing

@testable import TCAReplaying

private let idNames = AlikeIDs.all.keys.sorted()

/// A replay cancels the same effects as the store, because it compares the ids themselves.
@MainActor
@Suite("Cancellation ids in replays", .serialized)
struct CancelIDReplayTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/log.jsonl" }

  init() throws { folder = try TemporaryFolder() }

  private func record(_ steps: [SampleStep<Loaders.Action>]) async {
    var initial = Loaders.State()
    initial.left.sheet = SheetLoader.State()
    initial.right.sheet = SheetLoader.State()
    await TCAReplayTests.record(Loaders(), initialState: initial, steps: steps, to: path)
  }

  private func verdict() throws -> Verdict {
    try TCAReplayTests.verdict(of: path, replayedWith: Loaders()) { Loaders.State() }
  }

  private func randomSteps(
    _ seed: UInt64,
    count: Int,
    ids: [String] = idNames
  ) -> [SampleStep<Loaders.Action>] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      Int.random(in: 0..<4, using: &random) == 0
        ? .advance(.milliseconds(Int.random(in: 0...400, using: &random)))
        : .send(.random(ids, using: &random))
    }
  }

  @Test(arguments: Thoroughness.seeds(5, thorough: 100))
  func `a log with random cancellations replays as identical`(seed: UInt64) async throws {
    await record(randomSteps(seed, count: 80))
    #expect(try verdict() == .identical, "seed \(seed)")
  }

  @Test(arguments: Thoroughness.seeds(6, thorough: 200))
  func `a log with random cancellations replays as identical from any checkpoint`(
    seed: UInt64
  ) async throws {
    // The seeds together begin at checkpoints in all parts of a log.
    let step = Thoroughness.count(8, thorough: 1)
    for (start, found) in try await verdictsFromCheckpoints(seed, step: step) {
      #expect(found == .identical, "seed \(seed), from line \(start)")
    }
  }

  /// Returns the verdicts, by line, of replays of a random log that begin at its start and at some of its checkpoints.
  private func verdictsFromCheckpoints(
    _ seed: UInt64,
    step: Int
  ) async throws -> [(Int, Verdict)] {
    // If an id does not read back, a replay that begins later knows only its text.
    let ids = idNames.filter { !$0.hasPrefix("loose") }
    await record(randomSteps(seed, count: 60, ids: ids))
    let makeEngine = { @Sendable (_: LogEvent.Header) -> any FeatureEngine in
      ReducerEngine(reducer: { Loaders() }, initialState: { Loaders.State() })
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map(String.init)
    let withCheckpoints = try LongLog.withCheckpoints(lines, makeEngine: makeEngine)
    let checkpoints = withCheckpoints.indices.filter {
      withCheckpoints[$0].hasPrefix(#"{"kind":"checkpoint""#)
    }
    let first = 1 + Int(seed) % step
    let starts = stride(from: first, to: checkpoints.count, by: step).map { checkpoints[$0] }
    return try ([0] + starts).map { start in
      let segment = [lines[0]] + withCheckpoints[max(1, start)...]
      try (segment.joined(separator: "\n") + "\n").write(
        toFile: path,
        atomically: false,
        encoding: .utf8
      )
      return (start, try verdict())
    }
  }

  @Test(arguments: Thoroughness.seeds(3, thorough: 8))
  func `a log in which cancellation ids with the same text have no numbers replays as identical`(
    seed: UInt64
  ) async throws {
    await record(randomSteps(seed, count: 80))
    let log = try String(contentsOfFile: path, encoding: .utf8)
    let older = log.replacing(/,"n":\d+/, with: "")
    #expect(older != log)
    try older.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try verdict() == .identical, "seed \(seed)")
  }

  private nonisolated static let older = [
    Written(
      ids: ["local", "other local"],
      texts: Array(repeating: #"{"type":"AlikeIDs.CancelID","value":{"load":{}}}"#, count: 2)
    ),
    Written(
      ids: ["loose second", "loose first"],
      texts: [
        #"{"type":"LooseID","value":{"number":1,"label":"second"}}"#,
        #"{"type":"LooseID","value":{"number":1,"label":"first"}}"#,
      ]
    ),
    Written(
      ids: ["negative zero", "zero"],
      texts: [#"{"type":"Double","value":-0.0}"#, #"{"type":"Double","value":0.0}"#]
    ),
  ]

  /// An earlier recorder wrote no numbers, and a separate text for each id.
  @Test(arguments: older, [false, true])
  private func `a replay of an older log writes cancellation ids in the older form`(
    older: Written,
    isPruning: Bool
  ) async throws {
    await record(older.ids.map { load($0) })
    var texts = older.texts
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      guard let found = $0.range(of: #""cancelID":"#),
        let end = $0.range(of: #","source""#, range: found.upperBound..<$0.endIndex)
      else { return String($0) }
      return String($0[..<found.upperBound] + texts.removeFirst() + $0[end.lowerBound...])
    }
    try (lines.joined(separator: "\n") + "\n")
      .write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try ids() == older.texts)
    #expect(try verdict() == .identical)
    var reader = try LogReader(path: path)
    var session = ReplaySession(isPruning: isPruning) {
      try reader.next()?.event
    } makeEngine: { _ in
      ReducerEngine(reducer: { Loaders() }, initialState: { Loaders.State() })
    }
    var written: [String] = []
    while let event = try session.next() {
      guard case .change(let change) = event else { continue }
      written += change.effects.flatMap(\.flattened).compactMap { $0.cancelID?.json.description }
    }
    #expect(written == older.texts)
  }

  private func load(_ id: String, cancelInFlight: Bool = false) -> SampleStep<Loaders.Action> {
    .send(.load(id, under: id, milliseconds: 100, cancelInFlight: cancelInFlight))
  }

  /// Returns the ids in the descriptions of the log, in order.
  private func ids() throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").flatMap { line in
      (try JSON(parsing: String(line)))["effects"]?.array ?? []
    }.flatMap { effect in
      try EffectDescription(JSONText(effect)).flattened
    }.compactMap { $0.cancelID?.json.description }
  }

  private struct Written: Sendable {
    let ids: [String]
    let texts: [String]
  }

  private nonisolated static let written = [
    Written(
      ids: ["private", "other private", "local", "private"],
      texts: [
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}}}"#,
        #"{"type":"OtherIDs.CancelID","value":{"load":{}}}"#,
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}},"n":2}"#,
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}}}"#,
      ]
    ),
    Written(
      ids: ["local", "other local", "local", "other local"],
      texts: [
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}}}"#,
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}},"n":2}"#,
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}}}"#,
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}},"n":2}"#,
      ]
    ),
    Written(
      ids: ["loose second", "loose first", "loose other"],
      texts: [
        #"{"type":"LooseID","value":{"number":1,"label":"second"}}"#,
        #"{"type":"LooseID","value":{"number":1,"label":"second"},"own":{"value":{"number":1,"label":"first"}}}"#,
        #"{"type":"LooseID","value":{"number":2,"label":"first"}}"#,
      ]
    ),
    Written(
      ids: ["negative zero", "zero"],
      texts: [
        #"{"type":"Double","value":-0.0}"#,
        #"{"type":"Double","value":-0.0,"own":{"value":0.0}}"#,
      ]
    ),
    Written(
      ids: ["object 1", "object 2", "object 1"],
      texts: [
        #"{"type":"ObjectID","value":{"$ordinal":1}}"#,
        #"{"type":"ObjectID","value":{"$ordinal":2}}"#,
        #"{"type":"ObjectID","value":{"$ordinal":1}}"#,
      ]
    ),
  ]

  @Test(arguments: written)
  private func `cancellation ids with the same text get different numbers while they are in use`(
    written: Written
  ) async throws {
    await record(written.ids.map { load($0) })
    let ids = try ids()
    #expect(ids == written.texts)
    #expect(try verdict() == .identical)
  }

  @Test func `the number of a cancellation id is reused when its effects have ended`() async throws
  {
    await record([
      load("local"), .wake(.milliseconds(200)), load("other local"), load("local"),
      .wake(.milliseconds(200), sleepers: 2), load("local"),
    ])
    let ids = try ids()
    #expect(
      ids == [
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}}}"#,
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}}}"#,
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}},"n":2}"#,
        #"{"type":"AlikeIDs.CancelID","value":{"load":{}}}"#,
      ]
    )
    #expect(try verdict() == .identical)
  }

  @Test func `a replay diverges if the log cancels effects with another id of the same text`()
    async throws
  {
    await record([load("local"), load("other local"), .send(.stop("other local"))])
    let log = try String(contentsOfFile: path, encoding: .utf8)
    // The third action now cancels the first id.
    let changed = log.replacing(
      #"{"op":"cancel","cancelID":{"type":"AlikeIDs.CancelID","value":{"load":{}},"n":2}"#,
      with: #"{"op":"cancel","cancelID":{"type":"AlikeIDs.CancelID","value":{"load":{}},"n":3}"#
    )
    #expect(changed != log)
    try changed.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try verdict() != .identical)
  }
}
