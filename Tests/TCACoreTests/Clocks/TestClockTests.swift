import TCACore
import Testing

@Suite struct TestClockTests {
  /// A test goes on only when its tasks have come to their sleep, however long that takes.
  private func waitForSleepers(_ count: Int, on clock: TestClock<Duration>) async {
    while clock.sleeperCount < count { await Task.yield() }
  }

  @Test @MainActor func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
    let clock = TestClock()
    let woken = LockIsolated([Int]())
    let tasks = [3, 1, 2, 9].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        woken.withValue { $0.append(seconds) }
      }
    }
    await waitForSleepers(4, on: clock)
    for (seconds, index) in [(1, 1), (2, 2), (3, 0)] {
      await clock.advance(by: .seconds(1))
      try await tasks[index].value
      #expect(woken.value.last == seconds)
    }
    await clock.advance(by: .seconds(2))
    #expect(woken.value == [1, 2, 3])
    #expect(clock.now.offset == .seconds(5))
    tasks[3].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[3].value }
    try await clock.checkSuspension()
  }

  @Test func aSleepOfNoTimeWaitsForTheClock() async throws {
    let clock = TestClock()
    let woken = LockIsolated(false)
    let task = Task {
      try await clock.sleep(for: .zero)
      woken.setValue(true)
    }
    await Task.megaYield()
    #expect(!woken.value)
    await waitForSleepers(1, on: clock)
    await clock.advance()
    try await task.value
    #expect(woken.value)
  }

  @Test func aCancelledTaskNeverSleeps() async {
    let clock = TestClock()
    let task = Task {
      try? await Task.never()
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aPastDeadlineIsNotWaitedFor() async throws {
    let clock = TestClock()
    await clock.advance(by: .seconds(2))
    try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)))
  }

  @Test @MainActor func anEffectTicksWithTheClock() async {
    let clock = TestClock()
    let ticked = Gate()
    let store = Store(initialState: 0) {
      Reduce<Int, Bool> { state, isTick in
        if isTick {
          state += 1
          ticked.open()
          return .none
        }
        @Dependency(\.continuousClock) var clock
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(true) }
        }
      }
    } withDependencies: {
      $0.continuousClock = clock
    }
    let task = store.send(false)
    await waitForSleepers(1, on: clock)
    for count in 1...3 {
      await clock.advance(by: .seconds(1))
      await ticked.wait()
      #expect(store.state == count)
      await waitForSleepers(1, on: clock)
    }
    task.cancel()
    await task.finish()
    #expect(store.state == 3)
  }

  @Test func anImmediateClockJumps() async throws {
    let clock = ImmediateClock()
    let start = clock.now
    try await clock.sleep(for: .seconds(60))
    #expect(start.duration(to: clock.now) == .seconds(60))
  }
}
