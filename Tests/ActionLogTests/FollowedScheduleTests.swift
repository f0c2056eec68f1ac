import ActionLog
import TestSupport
import Testing

/// A replay has a schedule of its own, which hears only of starts, ends and cancellations from elsewhere.
@Suite struct FollowedScheduleTests {
  typealias Schedule = EffectSchedule<Int, Int, Int>

  @Test func whatWasDroppedIsToldOfAnEffectThatHadBeenCancelledBefore() {
    var schedule = Schedule()
    let inner = Schedule.Plan.cancellable(7, path: [], cancelInFlight: false, .run(1))
    _ = schedule.start(.concatenate([inner, .cancel(8, path: [])]), of: 1)
    #expect(schedule.cancel(7, path: []) == [.cancel(1, by: nil)])
    #expect(schedule.cancel(actions: [1]) == [.cancel(1, by: nil, dropping: 1)])
    #expect(schedule.cancel(actions: [1]) == [])
  }

  @Test func onlyTheConcatenationsWithinWhatWasCancelledAreDropped() {
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
  func aScheduleThatIsToldWhatHappenedGoesTheSameWay(seed: UInt64) {
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

  private func tell(_ steps: [Schedule.Step], to follower: inout Schedule) {
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
