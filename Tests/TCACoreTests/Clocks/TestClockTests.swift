import TCACore
import Testing

@Suite struct TestClockTests {
  /// Waits until the tasks of a test sleep, regardless of the time.
  private func waitForSleepers(_ count: Int, on clock: TestClock<Duration>) async {
    while clock.sleeperCount < count { await Task.yield() }
  }

  @Test @MainActor func `a test clock wakes sleepers in the order of deadlines`() async throws {
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

  @Test func `a sleep of zero on a test clock waits until the clock advances`() async throws {
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

  @Test func `a sleep on a test clock throws CancellationError in a canceled task`() async {
    let clock = TestClock()
    let task = Task {
      try? await Task.never()
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a sleep on a test clock returns at once if its deadline is past`() async throws {
    let clock = TestClock()
    await clock.advance(by: .seconds(2))
    try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)))
  }

  @Test @MainActor func `a timer in an effect ticks when its test clock advances`() async {
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

  @Test func `run advances a test clock until no task sleeps`() async throws {
    let clock = TestClock()
    let task = Task {
      for _ in 1...3 { try await clock.sleep(for: .seconds(1)) }
      return clock.now.offset
    }
    await waitForSleepers(1, on: clock)
    while clock.now.offset < .seconds(3) { await clock.run(timeout: .seconds(10_000)) }
    #expect(try await task.value == .seconds(3))
    try await clock.checkSuspension()
  }

  @Test func `run of a test clock reports an issue if a task keeps sleeping`() async {
    let clock = TestClock()
    let task = Task {
      for await _ in clock.timer(interval: .seconds(1)) {}
    }
    await waitForSleepers(1, on: clock)
    let issues = await recordingIssues { await clock.run(timeout: .zero) }
    #expect(
      issues == [
        """
        A task still sleeps on the test clock after 0.0 seconds of running it. Cancel effects that never end, such as timers, \
        first.
        """
      ]
    )
    await #expect(throws: SuspensionError()) { try await clock.checkSuspension() }
    #expect(
      "\(SuspensionError())" == """
        A task still sleeps on the test clock. Cancel it, or advance the clock beyond its deadline.
        """
    )
    task.cancel()
    await task.value
  }

  // MARK: Timers

  @Test func `a timer yields the time of each tick until its task is canceled`() async {
    let clock = TestClock()
    let ticks = LockIsolated([Duration]())
    let task = Task {
      for await tick in clock.timer(interval: .seconds(2)) { ticks.withValue { $0.append(tick) } }
    }
    for count in 1...3 {
      await waitForSleepers(1, on: clock)
      await clock.advance(by: .seconds(2))
      while ticks.value.count < count { await Task.yield() }
    }
    task.cancel()
    await task.value
    #expect(ticks.value == [.seconds(2), .seconds(4), .seconds(6)])
  }

  @Test func `a timer skips the ticks that were missed`() async {
    let clock = TestClock()
    var timer = clock.timer(interval: .seconds(1)).makeAsyncIterator()
    let first = Task {
      await waitForSleepers(1, on: clock)
      await clock.advance(by: .seconds(1))
    }
    #expect(await timer.next() == .seconds(1))
    await first.value
    // No task listens for three and a half ticks.
    await clock.advance(by: .milliseconds(3500))
    let second = Task {
      await waitForSleepers(1, on: clock)
      await clock.advance(by: .milliseconds(500))
    }
    #expect(await timer.next() == .seconds(5))
    await second.value
  }

  @Test func `a timer on an immediate clock ticks until its task is canceled`() async {
    let clock = ImmediateClock()
    let ticks = LockIsolated(0)
    let task = Task {
      for await _ in clock.timer(interval: .seconds(1)) {
        let count = ticks.withValue { ticks in
          ticks += 1
          return ticks
        }
        if count == 6 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await task.value
    #expect(ticks.value == 6)
    #expect(ImmediateClock.Instant(offset: .seconds(6)) == clock.now)
  }

  // MARK: Other clocks

  @Test func `AnyClock sleeps and tells the time as the clock that it wraps`() async throws {
    let clock = TestClock()
    await clock.advance(by: .seconds(10))
    let hidden = AnyClock(clock)
    let start = hidden.now
    let task = Task { try await hidden.sleep(for: .seconds(1)) }
    await waitForSleepers(1, on: clock)
    await clock.advance(by: .seconds(1))
    try await task.value
    #expect(start.duration(to: hidden.now) == .seconds(1))
    #expect(hidden.minimumResolution == .zero)
  }

  @Test func `an unimplemented clock reports calls and forwards them`() async throws {
    let clock: some Clock<Duration> = .unimplemented
    let base = ImmediateClock()
    let named = UnimplementedClock(base, name: "Meeting.clock")
    let issues = try await recordingIssues {
      _ = clock.now
      try await named.sleep(until: AnyClock(base).now.advanced(by: .seconds(3)))
    }
    #expect(
      issues == [
        "\"Clock.now\" was called in a test that did not set it. Set it with \"withDependencies\".",
        "\"Meeting.clock.sleep\" was called in a test that did not set it. Set it with \"withDependencies\".",
      ]
    )
    #expect(base.now == ImmediateClock.Instant(offset: .seconds(3)))
  }

  @Test func `an immediate clock advances its time instead of sleeping`() async throws {
    let clock: ImmediateClock<Duration> = .immediate
    let start = clock.now
    try await clock.sleep(for: .seconds(60))
    #expect(start.duration(to: clock.now) == .seconds(60))
  }
}
