import Foundation
import TCACore
import Testing

@MainActor
@Suite struct TestSchedulerTests {
  private let scheduler = DispatchQueue.test

  /// The events with their times in seconds.
  private final class Diary {
    var entries: [String] = []

    func note(_ what: String, at scheduler: TestSchedulerOf<DispatchQueue>) {
      let start = DispatchQueue.test.now
      let milliseconds = start.distance(to: scheduler.now) / .milliseconds(1)
      entries.append("\(what) \(milliseconds)")
    }
  }

  @Test func `a test scheduler runs work in the order of its scheduled times`() {
    let diary = Diary()
    let start = scheduler.now
    scheduler.schedule(after: start.advanced(by: .milliseconds(30))) { [scheduler] in
      diary.note("c", at: scheduler)
    }
    scheduler.schedule(after: start.advanced(by: .milliseconds(10))) { [scheduler] in
      diary.note("a", at: scheduler)
      scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(5))) {
        diary.note("inner", at: scheduler)
      }
    }
    scheduler.schedule(after: start.advanced(by: .milliseconds(10))) { [scheduler] in
      diary.note("b", at: scheduler)
    }
    scheduler.advance(by: .milliseconds(9))
    #expect(diary.entries == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(diary.entries == ["a 10", "b 10"])
    scheduler.advance(by: .milliseconds(100))
    #expect(diary.entries == ["a 10", "b 10", "inner 15", "c 30"])
    #expect(start.distance(to: scheduler.now) == .milliseconds(110))
  }

  @Test func `work scheduled for now waits until the test scheduler advances`() {
    var isDone = false
    scheduler.schedule { isDone = true }
    #expect(!isDone)
    scheduler.advance()
    #expect(isDone)
  }

  @Test func `repeated work of a test scheduler runs at its interval until it is canceled`() {
    var ticks = 0
    let timer = scheduler.schedule(
      after: scheduler.now.advanced(by: 1),
      interval: 2
    ) { ticks += 1 }
    scheduler.advance(by: 1)
    #expect(ticks == 1)
    scheduler.advance(by: 4)
    #expect(ticks == 3)
    timer.cancel()
    scheduler.advance(by: 10)
    #expect(ticks == 3)
  }

  @Test func `repeated work is canceled when its cancellable is released`() {
    var ticks = 0
    _ = scheduler.schedule(after: scheduler.now, interval: 1) { ticks += 1 }
    scheduler.advance(by: 3)
    #expect(ticks == 0)
  }

  @Test func `run of a test scheduler runs all scheduled work in order`() {
    var done: [Int] = []
    for seconds in [3, 1, 2] {
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(seconds))) {
        done.append(seconds)
      }
    }
    scheduler.run()
    #expect(done == [1, 2, 3])
  }

  @Test func `the time of a test scheduler never decreases`() {
    scheduler.advance(by: 2)
    let now = scheduler.now
    scheduler.advance(to: DispatchQueue.test.now)
    #expect(scheduler.now == now)
    var isDone = false
    scheduler.schedule(after: DispatchQueue.test.now) { isDone = true }
    scheduler.advance()
    #expect(isDone)
    #expect(scheduler.now == now)
  }

  @Test func `run loops and operation queues have test schedulers`() {
    var done: [String] = []
    let (runLoop, queue) = (RunLoop.test, OperationQueue.test)
    runLoop.schedule(after: runLoop.now.advanced(by: 0.5)) { done.append("run loop") }
    queue.schedule(after: queue.now.advanced(by: .milliseconds(500))) { done.append("queue") }
    runLoop.advance(by: 0.4)
    queue.advance(by: .seconds(0.5))
    #expect(done == ["queue"])
    runLoop.advance(by: .milliseconds(100))
    #expect(done == ["queue", "run loop"])
    #expect(runLoop.now.date == Date(timeIntervalSince1970: 0.5))
  }

  @Test
  func `an asynchronous advance of a test scheduler lets tasks run after each scheduled item`()
    async
  {
    await withMainSerialExecutor {
      let ticks = LockIsolated<[DispatchQueue.SchedulerTimeType]>([])
      let scheduler = DispatchQueue.test
      let start = scheduler.now
      let task = Task {
        for await tick in scheduler.timer(interval: .seconds(1)) {
          ticks.withValue { $0.append(tick) }
        }
      }
      await scheduler.advance(by: .seconds(3))
      #expect(ticks.value == (1...3).map { start.advanced(by: .seconds($0)) })
      task.cancel()
      await task.value
      await scheduler.run()
      #expect(ticks.value.count == 3)
    }
  }

  @Test func `a task that sleeps on a test scheduler wakes at its deadline`() async throws {
    try await withMainSerialExecutor {
      let scheduler = DispatchQueue.test
      let isAwake = LockIsolated(false)
      let task = Task {
        try await scheduler.sleep(for: .milliseconds(300))
        isAwake.setValue(true)
      }
      await scheduler.advance(by: .milliseconds(299))
      #expect(!isAwake.value)
      await scheduler.advance(by: .milliseconds(1))
      try await task.value
      #expect(isAwake.value)
    }
  }

  @Test func `run of a test scheduler ignores canceled sleeps`() async {
    await withMainSerialExecutor {
      let scheduler = DispatchQueue.test
      let start = scheduler.now
      let task = Task { try await scheduler.sleep(until: start.advanced(by: 5)) }
      await scheduler.advance(by: 1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      // No task waits for the scheduler.
      await scheduler.run()
      #expect(start.distance(to: scheduler.now) == 1)
    }
  }

  @Test func `measure of a test scheduler returns the time by which it advanced`() {
    let duration = scheduler.measure { scheduler.advance(by: .milliseconds(7)) }
    #expect(duration == .milliseconds(7))
  }
}

extension DispatchQueue.SchedulerTimeType.Stride {
  fileprivate static func / (lhs: Self, rhs: Self) -> Int { lhs.magnitude / rhs.magnitude }
}
