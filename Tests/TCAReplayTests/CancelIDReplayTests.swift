import ActionLog
import Foundation
import ReplayEngine
import ReplayTestSupport
import TCAReplay
import TestSupport
import Testing

@testable import TCAReplaying

/// Effects under ids that print alike, or are equal though they print differently.
@Reducer
private struct Loaders: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var loaded: [String] = []
    var left = LeftLoader.State()
    var right = RightLoader.State()
  }

  enum Action: Sendable {
    case load(String, under: String, milliseconds: Int, cancelInFlight: Bool)
    case loadBoth(String, String)
    case loadAfterOther(String, String)
    case stop(String)
    case stopFromEffect(String)
    case loaded(String)
    case leftSheet(SheetLoader.Action)
    case rightSheet(SheetLoader.Action)
    case left(LeftLoader.Action)
    case right(RightLoader.Action)
  }

  @Dependency(\.continuousClock) private var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load(let name, let id, let milliseconds, let cancelInFlight):
        return load(name, under: id, milliseconds, cancelInFlight: cancelInFlight)
      case .loadBoth(let first, let second):
        return .merge(load("a", under: first, 300), load("b", under: second, 400))
      case .loadAfterOther(let first, let second):
        return .concatenate(load("c", under: first, 300), load("d", under: second, 300))
      case .stop(let id): return .cancel(id: AlikeIDs.id(id))
      case .stopFromEffect(let id):
        return .run(name: "stopper") { _ in
          try await clock.sleep(for: .milliseconds(100))
          Task.cancel(id: AlikeIDs.id(id))
        }
      case .loaded(let name):
        state.loaded.append(name)
        return .none
      // A user sees only what is presented.
      case .leftSheet(let action):
        return state.left.sheet == nil ? .none : .send(.left(.sheet(.presented(action))))
      case .rightSheet(let action):
        return state.right.sheet == nil ? .none : .send(.right(.sheet(.presented(action))))
      case .left, .right: return .none
      }
    }
    Scope(state: \.left, action: \.left) { LeftLoader() }
    Scope(state: \.right, action: \.right) { RightLoader() }
  }

  private func load(
    _ name: String,
    under id: String,
    _ milliseconds: Int,
    cancelInFlight: Bool = false
  ) -> Effect<Action> {
    .run(name: "load") { send in
      try await clock.sleep(for: .milliseconds(milliseconds))
      await send(.loaded(name))
    }
    .cancellable(id: AlikeIDs.id(id), cancelInFlight: cancelInFlight)
  }
}

extension AlikeIDs {
  fileprivate static func id(_ name: String) -> any Hashable & Sendable { all[name]?() ?? name }
}

/// Presents a sheet whose path prints as that of `RightLoader`.
@Reducer
private struct LeftLoader: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { @Presents var sheet: SheetLoader.State? }
  enum Action: Sendable {
    case toggle
    case sheet(PresentationAction<SheetLoader.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .toggle = action { state.sheet = state.sheet == nil ? SheetLoader.State() : nil }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { SheetLoader() }
  }
}

@Reducer
private struct RightLoader: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { @Presents var sheet: SheetLoader.State? }
  enum Action: Sendable {
    case toggle
    case sheet(PresentationAction<SheetLoader.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .toggle = action { state.sheet = state.sheet == nil ? SheetLoader.State() : nil }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { SheetLoader() }
  }
}

@Reducer
private struct SheetLoader: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { var loaded = 0 }
  enum Action: Sendable { case load, stop, loaded }

  @Dependency(\.continuousClock) private var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load:
        return .run(name: "sheet") { send in
          try await clock.sleep(for: .milliseconds(250))
          await send(.loaded)
        }
        .cancellable(id: AlikeIDs.load)
      case .stop: return .cancel(id: AlikeIDs.load)
      case .loaded:
        state.loaded += 1
        return .none
      }
    }
  }
}

private let idNames = AlikeIDs.all.keys.sorted()

extension Loaders.Action {
  fileprivate static func random(
    _ ids: [String],
    using random: inout SplitMix64
  ) -> Loaders.Action {
    func id() -> String { ids[Int.random(in: 0..<ids.count, using: &random)] }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2, 3:
      return .load(
        "\(Int.random(in: 0..<9, using: &random))",
        under: id(),
        milliseconds: Int.random(in: 1...900, using: &random),
        cancelInFlight: Bool.random(using: &random)
      )
    case 4: return .loadBoth(id(), id())
    case 5: return .loadAfterOther(id(), id())
    case 6: return .stopFromEffect(id())
    case 7:
      let action: SheetLoader.Action = [.load, .load, .stop][Int.random(in: 0..<3, using: &random)]
      return Bool.random(using: &random) ? .leftSheet(action) : .rightSheet(action)
    case 8: return Bool.random(using: &random) ? .left(.toggle) : .right(.toggle)
    default: return .stop(id())
    }
  }
}

/// A replay cancels what the store has cancelled, because it decides by the ids themselves.
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

  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func `random cancellations replay identically`(seed: UInt64) async throws {
    await record(randomSteps(seed, count: 80))
    #expect(try verdict() == .identical, "seed \(seed)")
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `random cancellations replay identically from any checkpoint`(seed: UInt64) async throws {
    // Of an id that does not read back, a replay that begins later knows the text alone.
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
    for start in [0] + checkpoints.dropFirst() {
      let segment = [lines[0]] + withCheckpoints[max(1, start)...]
      try (segment.joined(separator: "\n") + "\n").write(
        toFile: path,
        atomically: false,
        encoding: .utf8
      )
      guard start > 0 else {
        #expect(try verdict() == .identical, "seed \(seed)")
        continue
      }
      // Of ids that print alike and are alive at the checkpoint, a replay may take one for another.
      withKnownIssue("ids that print alike at a checkpoint", isIntermittent: true) {
        let found = try verdict()
        #expect(found == .identical, "seed \(seed), from line \(start)")
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `a log without numbers replays identically`(seed: UInt64) async throws {
    await record(randomSteps(seed, count: 80))
    let log = try String(contentsOfFile: path, encoding: .utf8)
    let older = log.replacing(/,"n":\d+/, with: "")
    #expect(older != log)
    try older.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try verdict() == .identical, "seed \(seed)")
  }

  private func load(_ id: String, cancelInFlight: Bool = false) -> SampleStep<Loaders.Action> {
    .send(.load(id, under: id, milliseconds: 100, cancelInFlight: cancelInFlight))
  }

  /// The ids in the descriptions of the log, in their order.
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
        #"{"type":"LooseID","value":{"number":1,"label":"second"}}"#,
        #"{"type":"LooseID","value":{"number":2,"label":"first"}}"#,
      ]
    ),
    Written(
      ids: ["negative zero", "zero"],
      texts: [#"{"type":"Double","value":-0.0}"#, #"{"type":"Double","value":-0.0}"#]
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
  private func `alike ids have numbers while they are in use`(written: Written) async throws {
    await record(written.ids.map { load($0) })
    let ids = try ids()
    #expect(ids == written.texts)
    #expect(try verdict() == .identical)
  }

  @Test func `the number of an id is free when its effects have ended`() async throws {
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

  @Test func `another id where numbers differ is a difference`() async throws {
    await record([load("local"), load("other local"), .send(.stop("other local"))])
    let log = try String(contentsOfFile: path, encoding: .utf8)
    // The third action cancels the first id now.
    let changed = log.replacing(
      #"{"op":"cancel","cancelID":{"type":"AlikeIDs.CancelID","value":{"load":{}},"n":2}"#,
      with: #"{"op":"cancel","cancelID":{"type":"AlikeIDs.CancelID","value":{"load":{}},"n":3}"#
    )
    #expect(changed != log)
    try changed.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try verdict() != .identical)
  }
}
