import ActionLog
import Testing

private typealias Schedule = EffectSchedule<String, String, Int>

@Suite struct EffectScheduleTests {
  private var schedule = Schedule()

  @Test mutating func leavesStartInTheOrderOfThePlan() {
    let steps = schedule.start(.merge([.run("a"), .send("b"), .none, .run("c")]), of: 1)
    #expect(steps == [.run("a"), .send("b"), .run("c")])
    #expect(schedule.alive == ["a", "c"])
  }

  @Test mutating func aPlanOfSendsLeavesNothingBehind() {
    #expect(
      schedule.start(.concatenate([.send("a"), .none, .send("b")]), of: 1)
        == [.send("a"), .send("b")]
    )
    #expect(!schedule.hasWork(of: 1))
    #expect(schedule.isEmpty)
  }

  @Test mutating func aConcatenationGoesOnWhenItsPartHasEnded() {
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

  @Test mutating func concatenationsNest() {
    let inner = Schedule.Plan.concatenate([.run("a"), .run("b")])
    #expect(schedule.start(.concatenate([inner, .run("c")]), of: 1) == [.run("a")])
    #expect(schedule.finish("a") == [.run("b")])
    #expect(schedule.finish("b") == [.run("c")])
    #expect(schedule.finish("c") == [])
    #expect(schedule.isEmpty)
  }

  @Test mutating func cancellingAPartLetsTheNextStartOnceItHasReturned() {
    let first = Schedule.Plan.cancellable("x", path: [], cancelInFlight: false, .run("a"))
    _ = schedule.start(.concatenate([first, .run("b")]), of: 1)
    #expect(schedule.cancel("x", path: []) == [.cancel("a", by: nil)])
    #expect(!schedule.isAlive("a"))
    #expect(schedule.isRunning("a"))
    #expect(schedule.finish("a") == [.run("b")])
  }

  @Test mutating func cancellingAWholeConcatenationDropsItsRest() {
    let whole = Schedule.Plan.concatenate([.run("a"), .run("b")])
    _ = schedule.start(.cancellable("x", path: [], cancelInFlight: false, whole), of: 1)
    #expect(schedule.start(.cancel("x", path: []), of: 2) == [.cancel("a", by: 2)])
    #expect(schedule.finish("a") == [])
    #expect(schedule.isEmpty)
  }

  @Test mutating func aConcatenationMayCancelItself() {
    let whole = Schedule.Plan.concatenate([.run("a"), .cancel("x", path: []), .run("b")])
    _ = schedule.start(.cancellable("x", path: [], cancelInFlight: false, whole), of: 1)
    #expect(schedule.finish("a") == [])
    #expect(schedule.isEmpty)
  }

  @Test mutating func aCancellationReachesItsPathAndWhatIsBelow() {
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

  @Test mutating func cancelInFlightActsWhenTheNodeStarts() {
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

  @Test mutating func cancelInFlightAppliedTwiceKeepsItsOwnEffect() {
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

  @Test mutating func cancellingAnActionEndsAllOfIt() {
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

  @Test mutating func anEffectIsCancelledOnce() {
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
  func effectNamesReadBack(text: String, id: EffectID) {
    #expect(EffectID(text) == id)
    #expect(id.description == text)
  }

  @Test(arguments: ["", "1", "1.", ".0", "01.0", "+1.0", "-1.0", "1.0.0", "1.x"])
  func otherNamesAreRefused(text: String) {
    #expect(EffectID(text) == nil)
  }
}
