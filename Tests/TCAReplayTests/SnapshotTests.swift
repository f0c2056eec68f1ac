import ActionLog
import ReplayEngine
import SampleFeatures
import TCACore
import TCAReplay
import TestSupport
import Testing

@testable import ReplayAnalyses

/// A feature that went back does what it does from scratch.
@Suite("Snapshots") struct SnapshotTests {
  /// What an input has led to.
  private struct Seen: Equatable {
    let state: JSON
    let effects: JSON
    let reads: JSON
    let digest: Digest
  }

  /// A feature at the start of a log, with all that the log gives it.
  private struct Subject {
    let feature: SimulatedFeature
    let inputs: [SimulatedFeature.SimulatedInput]

    init(_ sample: SampleHost.Sample, memory: Int = 0) throws {
      let log = try ThreadedLog(try sample.slice.events())
      let table = ThreadTable(log)
      guard case .header(let header) = log.head[0], case .checkpoint(let checkpoint) = log.head[1]
      else { throw CancellationError() }
      var engine = try sample.entry.makeEngine()
      _ = try engine.load(checkpoint, header: header)
      feature = SimulatedFeature(
        engine,
        at: checkpoint,
        sends: table.sends,
        latecomers: table.latecomers,
        memory: memory
      )
      feature.keepStandIns()
      inputs = table.inputs.flatMap { $0 }
        .map { input in
          guard case .action(var action) = input else { return input }
          action.keepsStandIns = true
          return .action(action)
        }
    }

    /// Whether an input ends the process when it comes at another place: `Todos` trusts the row that it is told to delete.
    func mayTrap(_ input: Int) -> Bool {
      guard case .action(let action) = inputs[input] else { return false }
      return action.action.json["deleted"] != nil
    }

    mutating func run(_ inputs: [Int]) throws -> [Seen] {
      var seen: [Seen] = []
      try feature.withContext { seen = try inputs.map { try take($0) } }
      return seen
    }

    private mutating func take(_ input: Int) throws -> Seen {
      var arrival = SimulatedFeature.Arrival()
      feature.apply(inputs[input], &arrival)
      feature.drain(&arrival)
      return Seen(
        state: feature.state.json,
        effects: .array(arrival.started.flatMap(\.descriptions).map { JSON(logging: $0) }),
        reads: .array(arrival.reads.map(\.value)),
        digest: feature.effects.standing
      )
    }
  }

  @Test(
    "fork, run A, go back, run B gives what B gives from scratch",
    arguments: SampleHost.samples
  )
  func forks(sample: SampleHost.Sample) throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var forked = try Subject(sample)
      let all = Array(forked.inputs.indices)
      let fork = Int.random(in: 0...all.count, using: &random)
      // One way goes on as recorded, the other one draws from the whole log: whatever it makes of that, it makes twice.
      let safe = all.filter { !forked.mayTrap($0) }
      let other = (0..<40).compactMap { _ in safe.randomElement(using: &random) }
      let ways =
        Bool.random(using: &random)
        ? [all[fork...].map(\.self), other] : [other, all[fork...].map(\.self)]
      _ = try forked.run(Array(all[..<fork]))
      let snapshot = forked.feature.snapshot()
      _ = try forked.run(ways[0])
      forked.feature.restore(snapshot)
      let second = try forked.run(ways[1])
      // Once more, for what goes back once may not go back twice.
      forked.feature.restore(snapshot)
      let third = try forked.run(ways[1])
      var fresh = try Subject(sample)
      _ = try fresh.run(Array(all[..<fork]))
      let expected = try fresh.run(ways[1])
      #expect(second == expected, "seed \(seed), from input \(fork) on")
      #expect(third == expected, "seed \(seed), from input \(fork) on, the second time")
    }
  }

  @Test(
    "steps that are remembered give what they give from scratch",
    arguments: SampleHost.samples,
    // What is remembered ends at some time; the rest is made by the engine.
    [4 << 20, 60_000]
  )
  func remembers(sample: SampleHost.Sample, memory: Int) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var remembering = try Subject(sample, memory: memory)
      let safe = remembering.inputs.indices.filter { !remembering.mayTrap($0) }
      // Few inputs, so that the same states come again; each comes once in a way, as in a log.
      let drawn = safe.shuffled(using: &random).prefix(8)
      var snapshots: [(feature: SimulatedFeature.Snapshot, way: [Int])] = []
      snapshots.append((remembering.feature.snapshot(), []))
      for _ in 0..<40 {
        guard let from = snapshots.randomElement(using: &random) else { continue }
        let left = drawn.filter { !from.way.contains($0) }
        let way = Array(left.shuffled(using: &random).prefix(4))
        remembering.feature.restore(from.feature)
        let seen = try remembering.run(way)
        snapshots.append((remembering.feature.snapshot(), from.way + way))
        var fresh = try Subject(sample)
        _ = try fresh.run(from.way)
        let expected = try fresh.run(way)
        #expect(seen == expected, "seed \(seed), inputs \(from.way), then \(way)")
      }
    }
  }

  @Test("what the sample features hold can go back", arguments: SampleHost.samples)
  func goesBack(sample: SampleHost.Sample) throws {
    var subject = try Subject(sample)
    for input in subject.inputs.indices {
      _ = try subject.run([input])
      let obstacle = subject.feature.obstacle
      #expect(obstacle == nil)
    }
  }

  final class Player {}

  struct Box: Equatable { var volume = 0 }

  struct Jukebox: Reducer {
    struct State {
      var plays = 0
      var player: Player?
      var done: (@Sendable () -> Void)?
      @Shared(value: Box()) var box
    }
    enum Action { case play }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.plays += 1
      return .none
    }
  }

  @LogValue struct Radio {
    var volume = 0
    @LogIgnored var player: Player?
    @Shared(value: Box()) var box
  }

  @Test("objects that a log leaves out are recognised")
  func ignoredObjects() {
    var state = Radio()
    #expect(LiveObject.first(in: state) == nil)
    #expect(LiveObject.first(in: [state, state]) == nil)
    state.player = Player()
    #expect(LiveObject.first(in: state) == "SnapshotTests.Player")
    #expect(LiveObject.first(in: ["on": [state]]) == "SnapshotTests.Player")
  }

  @Test("objects beside a shared part are recognised")
  func objectsBesideSharedPart() {
    let radio = Shared(value: Radio())
    #expect(LiveObject.first(in: [radio.volume]) == nil)
    radio.withLock { $0.player = Player() }
    #expect(LiveObject.first(in: [radio.volume]) == "SnapshotTests.Player")
  }

  @LogValue struct Playlist {
    var title = ""
    @Shared(value: Box()) var box
    var boxes: [Shared<Box>] = []
  }

  @LogValue struct Shelf {
    var title = ""
    @LogIgnored @Shared(value: Box()) var box
    var boxes: [Shared<Box>] = []
  }

  @LogValue struct Cabinet {
    var playlists: [String: Playlist] = [:]
    var shelf: Shelf?
  }

  @Test(
    "types tell which states hold objects in shared values alone, all of which a log has",
    arguments: [
      (Box.self, true), (Playlist.self, true), ([Playlist?].self, true), (Shared<Radio>.self, true),
      (Radio.self, false), (Shelf.self, false), (Cabinet.self, false), (Jukebox.State.self, false),
      (Player.self, false),
    ] as [(Any.Type, Bool)]
  )
  func sharedAlone(type: Any.Type, isOnlyInShared: Bool) {
    #expect(LiveObject.isOnlyInShared(type) == isOnlyInShared)
  }

  @Test("what is shared tells whether it can hold objects beside the part in a state")
  func sharedThatHoldsObjects() {
    func mayHoldObjects<Value>(_ value: Value) -> Bool {
      SharedStanding(of: Value.self, in: SharedReferences()) { _ = JSON(logging: value) }
        .mayHoldObjects
    }
    #expect(!mayHoldObjects(Playlist(boxes: [Shared(value: Box())])))
    #expect(mayHoldObjects([Shared(value: Radio()).volume]))
    #expect(mayHoldObjects([Shared(value: Playlist())]))
  }

  @Test("objects and closures in a state are recognised")
  func objects() throws {
    var state = Jukebox.State()
    #expect(LiveObject.first(in: state) == nil)
    state.player = Player()
    #expect(LiveObject.first(in: state) == "SnapshotTests.Player")
    state.player = nil
    state.done = {}
    #expect(LiveObject.first(in: state)?.contains("->") == true)
  }
}
