import ActionLog
import ReplayEngine
import SampleFeatures
import TCACore
import TCAReplay
import TestSupport
import Testing

@testable import ReplayAnalyses

/// A restored feature behaves as if it had started from scratch.
@Suite("Snapshots") struct SnapshotTests {
  /// The result of an input.
  private struct Seen: Equatable {
    let state: JSON
    let effects: JSON
    let reads: JSON
    let digest: Digest
  }

  /// A feature at the start of a log, with all inputs of the log.
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

    /// Returns whether an input traps at another position.
    ///
    /// `Todos` does not check the index of a deleted row.
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
      var arrival = SimulatedFeature.InputResults()
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
    "A sample feature that is restored from a snapshot gives the results of a new run",
    arguments: SampleHost.samples
  )
  func forks(sample: SampleHost.Sample) throws {
    for seed in Thoroughness.seeds(4, thorough: 12) {
      var random = SeededGenerator(seed: seed)
      var forked = try Subject(sample)
      let all = Array(forked.inputs.indices)
      let fork = Int.random(in: 0...all.count, using: &random)
      // One run continues as recorded. The other one uses random inputs from the entire log, and must behave equally
      // both times.
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
      // Restored twice, because the first restore could damage the snapshot.
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
    "A sample feature that reuses stored steps gives the results of a new run",
    arguments: SampleHost.samples,
    // The memory for steps is limited. The engine performs the other steps again.
    [4 << 20, 60_000]
  )
  func remembers(sample: SampleHost.Sample, memory: Int) throws {
    for seed in Thoroughness.seeds(2, thorough: 4) {
      var random = SeededGenerator(seed: seed)
      var remembering = try Subject(sample, memory: memory)
      let safe = remembering.inputs.indices.filter { !remembering.mayTrap($0) }
      // Few inputs, so that the same states recur. Each input occurs once per run, as in a log.
      let drawn = safe.shuffled(using: &random).prefix(8)
      var snapshots: [(feature: SimulatedFeature.Snapshot, way: [Int])] = []
      snapshots.append((remembering.feature.snapshot(), []))
      for _ in 0..<Thoroughness.count(15, thorough: 40) {
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

  @Test(
    "The state of every sample feature can be restored from a snapshot",
    arguments: SampleHost.samples
  )
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

  @Test("ReferenceTypeDetector finds an object in an ignored member of the state")
  func ignoredObjects() {
    var state = Radio()
    #expect(ReferenceTypeDetector.first(in: state) == nil)
    #expect(ReferenceTypeDetector.first(in: [state, state]) == nil)
    state.player = Player()
    #expect(ReferenceTypeDetector.first(in: state) == "SnapshotTests.Player")
    #expect(ReferenceTypeDetector.first(in: ["on": [state]]) == "SnapshotTests.Player")
  }

  @Test("ReferenceTypeDetector finds an object that is beside a shared part of the state")
  func objectsBesideSharedPart() {
    let radio = Shared(value: Radio())
    #expect(ReferenceTypeDetector.first(in: [radio.volume]) == nil)
    radio.withLock { $0.player = Player() }
    #expect(ReferenceTypeDetector.first(in: [radio.volume]) == "SnapshotTests.Player")
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
    "The type of a state determines whether all its objects are in recorded shared values",
    arguments: [
      (Box.self, true), (Playlist.self, true), ([Playlist?].self, true), (Shared<Radio>.self, true),
      (Radio.self, false), (Shelf.self, false), (Cabinet.self, false), (Jukebox.State.self, false),
      (Player.self, false),
    ] as [(Any.Type, Bool)]
  )
  func sharedAlone(type: Any.Type, isOnlyInShared: Bool) {
    #expect(ReferenceTypeDetector.isOnlyInShared(type) == isOnlyInShared)
  }

  @Test(
    "SharedValueIdentities determines whether a shared value may hold objects outside the part in the state"
  )
  func sharedThatHoldsObjects() {
    func mayHoldObjects<Value>(_ value: Value) -> Bool {
      SharedValueIdentities(of: Value.self, in: SharedReferences()) { _ = JSON(logging: value) }
        .mayHoldObjects
    }
    #expect(!mayHoldObjects(Playlist(boxes: [Shared(value: Box())])))
    #expect(mayHoldObjects([Shared(value: Radio()).volume]))
    #expect(mayHoldObjects([Shared(value: Playlist())]))
  }

  @Test("ReferenceTypeDetector finds an object or a closure in a state by its type")
  func objects() throws {
    var state = Jukebox.State()
    #expect(ReferenceTypeDetector.first(in: state) == nil)
    state.player = Player()
    #expect(ReferenceTypeDetector.first(in: state) == "SnapshotTests.Player")
    state.player = nil
    state.done = {}
    #expect(ReferenceTypeDetector.first(in: state)?.contains("->") == true)
  }
}
