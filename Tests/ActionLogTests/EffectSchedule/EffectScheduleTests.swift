import ActionLog
import Synchronization
import TestSupport
import Testing

private typealias Schedule = EffectSchedule<String, String, Int>

@Suite struct EffectScheduleTests {
  private var schedule = Schedule()

  @Test mutating func `the leaves of an effect start in the order of the plan`() {
    let steps = schedule.start(.merge([.run("a"), .send("b"), .none, .run("c")]), of: 1)
    #expect(steps == [.run("a"), .send("b"), .run("c")])
    #expect(schedule.alive == ["a", "c"])
  }

  @Test mutating func `a plan that only sends actions leaves no work in the schedule`() {
    #expect(
      schedule.start(.concatenate([.send("a"), .none, .send("b")]), of: 1)
        == [.send("a"), .send("b")]
    )
    #expect(!schedule.hasWork(of: 1))
    #expect(schedule.isEmpty)
  }

  @Test mutating func `a concatenation starts its next effect after the current one ends`() {
    #expect(
      schedule.start(.concatenate([.merge([.run("a"), .run("b")]), .send("c"), .run("d")]), of: 1)
        == [.run("a"), .run("b")]
    )
    #expect(schedule.finish("b") == [])
    #expect(schedule.finish("a") == [.send("c"), .run("d")])
    #expect(schedule.hasWork(of: 1))
    #expect(schedule.finish("d") == [])
    #expect(schedule.isEmpty)
  }

  @Test mutating func `schedules have the same hash when the same effects are alive and pending`() {
    var other = Schedule()
    #expect(schedule.standingHash == other.standingHash)
    let first = Schedule.Plan.cancellable(
      "id",
      path: [1],
      cancelInFlight: false,
      .concatenate([.run("a"), .run("b")])
    )
    _ = schedule.start(first, of: 1)
    _ = schedule.start(.run("c"), of: 2)
    _ = other.start(.run("c"), of: 2)
    #expect(schedule.standingHash != other.standingHash)
    _ = other.start(first, of: 1)
    // The order in which effects began is irrelevant.
    #expect(schedule.standingHash == other.standingHash)
    _ = schedule.cancel("id", path: [])
    #expect(schedule.standingHash != other.standingHash)
    // Canceled with everything that would have followed, or alone.
    _ = other.cancel("a")
    #expect(schedule.standingHash != other.standingHash)
    _ = other.cancel("a", dropping: 1)
    #expect(schedule.standingHash == other.standingHash)
    _ = schedule.finish("a")
    _ = other.finish("a")
    #expect(schedule.standingHash == other.standingHash)
  }

  @Test mutating func `a concatenation within a concatenation runs all effects in order`() {
    let inner = Schedule.Plan.concatenate([.run("a"), .run("b")])
    #expect(schedule.start(.concatenate([inner, .run("c")]), of: 1) == [.run("a")])
    #expect(schedule.finish("a") == [.run("b")])
    #expect(schedule.finish("b") == [.run("c")])
    #expect(schedule.finish("c") == [])
    #expect(schedule.isEmpty)
  }

  @Test mutating func `a concatenation starts its next effect after a canceled effect returns`() {
    let first = Schedule.Plan.cancellable("x", path: [], cancelInFlight: false, .run("a"))
    _ = schedule.start(.concatenate([first, .run("b")]), of: 1)
    #expect(schedule.cancel("x", path: []) == [.cancel("a", by: nil)])
    #expect(!schedule.isAlive("a"))
    #expect(schedule.isRunning("a"))
    #expect(schedule.finish("a") == [.run("b")])
  }

  @Test(
    "The cost of a cancellation does not grow with the number of canceled effects that have not returned"
  )
  func cancelledEffectsThatHaveNotReturned() {
    var schedule = EffectSchedule<CountedID, String, Int>()
    func lookUps(
      _ number: Int,
      cancelling: (CountedID) -> EffectSchedule<CountedID, String, Int>.Plan
    ) -> Int {
      let before = CountedID.lookUps.withLock { $0 }
      _ = schedule.start(cancelling(CountedID(number: number)), of: number)
      return CountedID.lookUps.withLock { $0 } - before
    }
    // An effect that replaces the previous one, and one that is canceled at once.
    let replacing = (1...200).map { number in
      lookUps(number) { .cancellable("x", path: [], cancelInFlight: true, .run($0)) }
    }
    let cancelled = (201...400).map { number in
      lookUps(number) { leaf in
        .merge([
          .cancel("y", path: [1]),
          .cancellable("y", path: [1, 2], cancelInFlight: false, .run(leaf)),
        ])
      }
    }
    // Growing tables look up all ids from time to time.
    func median(_ counts: ArraySlice<Int>) -> Int { counts.sorted()[counts.count / 2] }
    #expect(median(replacing[2..<100]) == median(replacing[100...]), "\(replacing)")
    #expect(median(cancelled[2..<100]) == median(cancelled[100...]), "\(cancelled)")
    #expect(schedule.alive == [CountedID(number: 200), CountedID(number: 400)])
    for number in 1...400 { _ = schedule.finish(CountedID(number: number)) }
    #expect(schedule.isEmpty)
  }

  @Test mutating func `a cancellation reaches effects that its own plan starts afterwards`() {
    let plan = Schedule.Plan.merge([.run("a"), .cancel("x", path: []), .run("b")])
    #expect(
      schedule.start(.cancellable("x", path: [], cancelInFlight: false, plan), of: 1)
        == [.run("a"), .cancel("a", by: 1), .run("b")]
    )
    #expect(schedule.cancel("x", path: []) == [.cancel("b", by: nil)])
    let next = Schedule.Plan.merge([.cancel("y", path: []), .run("d")])
    _ = schedule.start(
      .cancellable("y", path: [], cancelInFlight: false, .concatenate([.run("c"), next])),
      of: 2
    )
    #expect(schedule.finish("c") == [.run("d")])
    #expect(schedule.cancel("y", path: []) == [.cancel("d", by: nil)])
  }

  @Test mutating func `canceling a concatenation drops the effects that have not started`() {
    let whole = Schedule.Plan.concatenate([.run("a"), .run("b")])
    _ = schedule.start(.cancellable("x", path: [], cancelInFlight: false, whole), of: 1)
    #expect(schedule.start(.cancel("x", path: []), of: 2) == [.cancel("a", by: 2)])
    #expect(schedule.finish("a") == [])
    #expect(schedule.isEmpty)
  }

  @Test
  mutating func `a concatenation ends after a part of it cancels the id of the concatenation`() {
    let whole = Schedule.Plan.concatenate([.run("a"), .cancel("x", path: []), .run("b")])
    _ = schedule.start(.cancellable("x", path: [], cancelInFlight: false, whole), of: 1)
    #expect(schedule.finish("a") == [])
    #expect(schedule.isEmpty)
  }

  @Test mutating func `a cancellation reaches effects at its path and below it`() {
    for (leaf, path) in [("root", []), ("child", [1]), ("grandchild", [1, 2]), ("other", [3])] {
      _ = schedule.start(.cancellable("x", path: path, cancelInFlight: false, .run(leaf)), of: 1)
    }
    #expect(
      schedule.cancel("x", path: [1]) == [
        .cancel("child", by: nil), .cancel("grandchild", by: nil),
      ]
    )
    #expect(schedule.alive == ["root", "other"])
    #expect(schedule.cancel("y", path: []) == [])
  }

  @Test mutating func `cancelInFlight cancels earlier effects only when its own effect starts`() {
    func searching(_ leaf: String) -> Schedule.Plan {
      .cancellable("x", path: [], cancelInFlight: true, .run(leaf))
    }
    #expect(schedule.start(searching("a"), of: 1) == [.run("a")])
    #expect(schedule.start(.concatenate([.run("b"), searching("c")]), of: 2) == [.run("b")])
    #expect(schedule.isAlive("a"))
    #expect(schedule.finish("b") == [.cancel("a", by: 2), .run("c")])
    #expect(schedule.finish("a") == [])
    #expect(schedule.finish("c") == [])
    #expect(schedule.isEmpty)
  }

  @Test
  mutating func `cancelInFlight applied twice with the same id does not cancel its own effect`() {
    let inner = Schedule.Plan.cancellable("x", path: [], cancelInFlight: true, .run("a"))
    let outer = Schedule.Plan.cancellable(
      "x",
      path: [],
      cancelInFlight: true,
      .concatenate([inner, .run("b")])
    )
    #expect(schedule.start(outer, of: 1) == [.run("a")])
    #expect(schedule.alive == ["a"])
    #expect(schedule.finish("a") == [.run("b")])
  }

  @Test
  mutating func `a cancellation id stays registered while an effect under it is alive or pending`()
  {
    func ids(_ schedule: Schedule) -> [String] { schedule.cancellableIDs.sorted() }
    let inner = Schedule.Plan.cancellable(
      "inner",
      path: [],
      cancelInFlight: false,
      .merge([.run("a"), .run("b")])
    )
    let outer = Schedule.Plan.cancellable(
      "outer",
      path: [],
      cancelInFlight: false,
      .concatenate([inner, .run("c")])
    )
    _ = schedule.start(outer, of: 1)
    _ = schedule.cancel("a")
    #expect(ids(schedule) == ["inner", "outer"])
    _ = schedule.cancel("b")
    #expect(ids(schedule) == ["outer"])
    _ = schedule.cancel("b", dropping: 1)
    #expect(ids(schedule) == [])
    #expect(schedule.finish("a") + schedule.finish("b") == [])
    #expect(schedule.isEmpty)

    _ = schedule.start(outer, of: 2)
    _ = schedule.cancel("inner", path: [])
    #expect(ids(schedule) == ["outer"])
    _ = schedule.cancel(actions: [2])
    #expect(ids(schedule) == [])

    // A plan that cancels an effect it has just started.
    _ = schedule.start(.merge([inner, .cancel("inner", path: [])]), of: 3)
    #expect(ids(schedule) == [])
  }

  @Test mutating func `canceling an action ends its effects and drops its pending ones`() {
    _ = schedule.start(.concatenate([.merge([.run("a"), .run("b")]), .run("c")]), of: 1)
    _ = schedule.start(.run("d"), of: 2)
    #expect(
      schedule.cancel(actions: [1]) == [
        .cancel("a", by: nil, dropping: 1), .cancel("b", by: nil, dropping: 1),
      ]
    )
    #expect(schedule.finish("a") + schedule.finish("b") == [])
    #expect(!schedule.hasWork(of: 1))
    #expect(schedule.alive == ["d"])
  }

  @Test mutating func `an effect is canceled and finished at most once`() {
    _ = schedule.start(.run("a"), of: 1)
    #expect(
      schedule.cancel("a") + schedule.cancel("a") + schedule.cancel("b") == [.cancel("a", by: nil)]
    )
    #expect(schedule.cancelAll() == [])
    #expect(schedule.finish("a") == [])
    #expect(schedule.finish("a") == [])
    #expect(schedule.isEmpty)
  }

  @Test(arguments: [("1.0", EffectID(seq: 1, index: 0)), ("12.345", EffectID(seq: 12, index: 345))])
  func `an effect id reads back from its description`(text: String, id: EffectID) {
    #expect(EffectID(text) == id)
    #expect(id.description == text)
  }

  @Test(arguments: ["", "1", "1.", ".0", "01.0", "+1.0", "-1.0", "1.0.0", "1.x"])
  func `EffectID is nil for a text that is not two numbers with a period between them`(text: String)
  {
    #expect(EffectID(text) == nil)
  }
}

/// A replay has its own schedule, which receives only starts, ends and cancellations from elsewhere.
@Suite struct FollowedScheduleTests {
  typealias Schedule = EffectSchedule<Int, Int, Int>

  @Test
  func `canceling an action drops the pending effects of an effect that was canceled before`() {
    var schedule = Schedule()
    let inner = Schedule.Plan.cancellable(7, path: [], cancelInFlight: false, .run(1))
    _ = schedule.start(.concatenate([inner, .cancel(8, path: [])]), of: 1)
    #expect(schedule.cancel(7, path: []) == [.cancel(1, by: nil)])
    #expect(schedule.cancel(actions: [1]) == [.cancel(1, by: nil, dropping: 1)])
    #expect(schedule.cancel(actions: [1]) == [])
  }

  @Test func `a cancellation drops pending effects of the canceled inner concatenation only`() {
    var schedule = Schedule()
    let inner = Schedule.Plan.concatenate([.run(1), .run(2)])
    _ = schedule.start(
      .concatenate([.cancellable(7, path: [], cancelInFlight: false, inner), .run(3)]),
      of: 1
    )
    #expect(schedule.cancel(7, path: []) == [.cancel(1, by: nil, dropping: 1)])
    #expect(schedule.finish(1) == [.run(3)])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a schedule that applies the ends and cancellations of another schedule stays equal to it`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var source = Schedule()
    var follower = Schedule()
    var story = Story()
    for action in 1...40 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3:
        let plan = story.plan(depth: 4, using: &random)
        let steps = source.start(plan, of: action)
        #expect(follower.start(plan, of: action) == steps, "seed \(seed)")
      case 4, 5:
        guard let leaf = story.runningLeaf(in: source, using: &random) else { break }
        let steps = source.finish(leaf)
        #expect(follower.finish(leaf) == steps, "seed \(seed)")
      case 6:
        tell(source.cancel(Int.random(in: 0..<3, using: &random), path: []), to: &follower)
      default:
        tell(source.cancel(actions: [Int.random(in: 1...action, using: &random)]), to: &follower)
      }
      #expect(follower.alive == source.alive, "seed \(seed)")
    }
  }

  private func tell(_ steps: [Schedule.EffectCommand], to follower: inout Schedule) {
    for case .cancel(let leaf, nil, let dropping) in steps {
      _ = follower.cancel(leaf, dropping: dropping)
    }
  }

  private struct Story {
    var leaves = 0

    mutating func plan(depth: Int, using random: inout SplitMix64) -> Schedule.Plan {
      switch Int.random(in: 0..<(depth == 0 ? 3 : 8), using: &random) {
      case 0, 1:
        leaves += 1
        return .run(leaves)
      case 2: return .cancel(Int.random(in: 0..<3, using: &random), path: [])
      case 3: return .merge(plans(depth: depth, using: &random))
      case 4, 5, 6: return .concatenate(plans(depth: depth, using: &random))
      default:
        return .cancellable(
          Int.random(in: 0..<3, using: &random),
          path: [],
          cancelInFlight: Bool.random(using: &random),
          plan(depth: depth - 1, using: &random)
        )
      }
    }

    private mutating func plans(
      depth: Int,
      using random: inout SplitMix64
    ) -> [Schedule.Plan] {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in plan(depth: depth - 1, using: &random)
      }
    }

    func runningLeaf(in schedule: Schedule, using random: inout SplitMix64) -> Int? {
      guard leaves > 0 else { return nil }
      return (1...leaves).filter(schedule.isRunning).randomElement(using: &random)
    }
  }
}

/// An id that counts its lookups.
private struct CountedID: Hashable, Sendable {
  static let lookUps = Mutex(0)
  let number: Int

  func hash(into hasher: inout Hasher) {
    Self.lookUps.withLock { $0 += 1 }
    hasher.combine(number)
  }
}
