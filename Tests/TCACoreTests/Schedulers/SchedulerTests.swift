import ActionLog
import Foundation
import TCACore
import Testing

@MainActor
@Suite struct SchedulerTests {
  @Test func `immediate schedulers run delayed and repeated work at once`() async throws {
    var done: [String] = []
    let scheduler = AnySchedulerOf<DispatchQueue>.immediate
    let now = scheduler.now
    scheduler.schedule { done.append("now") }
    scheduler.schedule(after: now.advanced(by: 60)) { done.append("later") }
    let timer = scheduler.schedule(after: now, interval: 1) { done.append("tick") }
    timer.cancel()
    try await scheduler.sleep(for: .seconds(60))
    #expect(done == ["now", "later", "tick"])
    #expect(scheduler.now == now)
    RunLoop.immediate.schedule { done.append("run loop") }
    AnySchedulerOf<OperationQueue>.immediate.schedule { done.append("queue") }
    #expect(done.suffix(2) == ["run loop", "queue"])
  }

  @Test func `unimplemented schedulers report each use and run the work`() {
    var done = 0
    let scheduler = AnySchedulerOf<DispatchQueue>.unimplemented("search")
    let issues = recordingIssues {
      scheduler.schedule { done += 1 }
      _ = scheduler.now
    }
    #expect(done == 1)
    #expect(issues.count == 2)
    #expect(issues.first?.contains("search.schedule") == true)
    #expect(issues.last?.contains("search.now") == true)
    #expect(recordingIssues { RunLoop.unimplemented.schedule {} }.count == 1)
    #expect(recordingIssues { OperationQueue.unimplemented.schedule {} }.count == 1)
  }

  @Test func `mainQueue and mainRunLoop report an issue in a test that does not set them`() {
    let issues = recordingIssues {
      @Dependency(\.mainQueue) var mainQueue
      @Dependency(\.mainRunLoop) var mainRunLoop
      mainQueue.schedule {}
      mainRunLoop.schedule {}
    }
    #expect(issues.count == 2)
  }

  @Test func `live schedulers sleep and run timers for at least the given time`() async throws {
    try await withDependencies {
      $0.context = .live
    } operation: {
      @Dependency(\.mainQueue) var mainQueue
      @Dependency(\.mainRunLoop) var mainRunLoop
      let start = mainQueue.now
      try await mainQueue.sleep(for: .milliseconds(2))
      #expect(start.distance(to: mainQueue.now) >= .milliseconds(2))
      let date = mainRunLoop.now
      try await mainRunLoop.sleep(for: .milliseconds(2))
      #expect(date.distance(to: mainRunLoop.now) >= .milliseconds(2))
      for await _ in mainQueue.timer(interval: .milliseconds(1)).prefix(2) {}
      try await AnySchedulerOf<OperationQueue>.main.sleep(for: .milliseconds(1))
      try await AnySchedulerOf<DispatchQueue>.global().sleep(for: .milliseconds(1))
    }
  }

  @Test func `live schedulers run immediate work`() async {
    await withCheckedContinuation { done in DispatchQueue.main.schedule { done.resume() } }
    await withCheckedContinuation { done in RunLoop.main.schedule { done.resume() } }
    await withCheckedContinuation { done in OperationQueue.main.schedule { done.resume() } }
    await withCheckedContinuation { done in UIScheduler.shared.schedule { done.resume() } }
    await withCheckedContinuation { done in
      OperationQueue().schedule(after: .init(Date())) { done.resume() }
    }
  }

  @Test func `UIScheduler runs work synchronously on the main queue`() async {
    await withCheckedContinuation { done in
      DispatchQueue.main.schedule {
        var isDone = false
        UIScheduler.shared.schedule { isDone = true }
        #expect(isDone)
        done.resume()
      }
    }
  }

  @Test func `intervals of dispatch queues count in nanoseconds and saturate`() {
    typealias Stride = DispatchQueue.SchedulerTimeType.Stride
    #expect(Stride.seconds(2) == 2)
    #expect(Stride.seconds(0.25) == 0.25)
    #expect(Stride.milliseconds(3) == .microseconds(3_000))
    #expect(Stride.microseconds(3) == .nanoseconds(3_000))
    #expect(Stride.seconds(1) - .seconds(3) == -2)
    #expect(Stride.seconds(Int.max).magnitude == .max)
    #expect(Stride.seconds(-1e300).magnitude == .min)
    let start = DispatchQueue.test.now.advanced(by: 10)
    #expect(start.distance(to: start.advanced(by: -3)) == -3)
    #expect(start.advanced(by: 1) > start)
    let date = RunLoop.test.now
    #expect(date.distance(to: date.advanced(by: .milliseconds(250))) == 0.25)
  }

  @Test func `a scheduler's cancellable cancels once, when it is canceled or released`() {
    var cancels = 0
    var kept: Set<AnyCancellable> = []
    AnyCancellable { cancels += 1 }.store(in: &kept)
    #expect(cancels == 0)
    kept.first?.cancel()
    kept.removeAll()
    #expect(cancels == 1)
  }

  /// Answers reads with live values.
  private struct LiveReads: DependencyReadInterceptor {
    let reads = LockIsolated<[String]>([])

    func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
      let value = live()
      reads.withValue { $0.append("\(key) \(JSON(logging: value))") }
      return value
    }
  }

  @Test func `a read of a scheduler's time in a reducer is recorded`() {
    let reads = LiveReads()
    let scope = ReducerReadScope(interceptor: reads, parent: nil)
    withDependencies {
      $0.mainQueue = DispatchQueue.test.eraseToAnyScheduler()
      $0.mainQueue = $0.mainQueue
      $0.mainRunLoop = .immediate
    } operation: {
      ReducerReadScope.$current.withValue(scope) {
        @Dependency(\.mainQueue) var mainQueue
        @Dependency(\.mainRunLoop) var mainRunLoop
        #expect(mainQueue.now == DispatchQueue.test.now)
        #expect(mainRunLoop.now == RunLoop.test.now)
      }
    }
    #expect(
      reads.reads.value == ["mainQueue.now 1", "mainRunLoop.now \"1970-01-01T00:00:00Z\""]
    )
  }
}
