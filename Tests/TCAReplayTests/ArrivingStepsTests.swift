import ActionLog
import ReplayEngine
import Testing

@testable import TCAReplaying

/// Steps of a recording that are not known when it begins.
@MainActor @Suite(.timeLimit(.minutes(30))) struct ArrivingStepsTests {
  private typealias Steps = AsyncThrowingStream<RecordRequest.Step, any Error>

  private struct Unreadable: Error {}

  /// A past instant, so that no step waits for a clock.
  private static var past: ContinuousClock.Instant { .now - .seconds(1) }

  private static func step(_ number: Int) -> RecordRequest.Step {
    .send(["increment": ["by": .number(JSON.Number(number))]])
  }

  @Test func `ArrivingSteps returns its steps in order, followed by the end`() async throws {
    let (source, continuation) = Steps.makeStream()
    let steps = ArrivingSteps(source, until: nil)
    continuation.yield(Self.step(1))
    continuation.yield(Self.step(2))
    #expect(try await steps.next() == Self.step(1))
    #expect(try await steps.next() == Self.step(2))
    continuation.yield(Self.step(3))
    continuation.finish()
    #expect(try await steps.next() == Self.step(3))
    #expect(try await steps.next() == nil)
    #expect(try await steps.next() == nil)
  }

  @Test func `ArrivingSteps returns a step that arrives while the step is awaited`() async throws {
    let (source, continuation) = Steps.makeStream()
    let steps = ArrivingSteps(source, until: nil)
    async let waiting = steps.next()
    continuation.yield(Self.step(1))
    #expect(try await waiting == Self.step(1))
  }

  @Test func `ArrivingSteps throws an error of its source after the steps before the error`()
    async throws
  {
    let (source, continuation) = Steps.makeStream()
    let steps = ArrivingSteps(source, until: nil)
    continuation.yield(Self.step(1))
    continuation.finish(throwing: Unreadable())
    #expect(try await steps.next() == Self.step(1))
    await #expect(throws: Unreadable.self) { try await steps.next() }
  }

  @Test func `ArrivingSteps ends at its time limit and ignores later steps`() async throws {
    let (source, continuation) = Steps.makeStream()
    let steps = ArrivingSteps(source, until: Self.past)
    #expect(try await steps.next() == nil)
    // A step that arrives too late is ignored.
    continuation.yield(Self.step(1))
    #expect(try await steps.next() == nil)
  }

  @Test(arguments: [false, true])
  func `releasing ArrivingSteps cancels its source`(isLimited: Bool) async throws {
    let (source, continuation) = Steps.makeStream()
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    continuation.onTermination = { reason in
      if case .cancelled = reason { end.yield(true) } else { end.yield(false) }
    }
    var steps: ArrivingSteps? = ArrivingSteps(
      source,
      until: isLimited ? .now + .seconds(86_400) : nil
    )
    continuation.yield(Self.step(1))
    #expect(try await steps?.next() == Self.step(1))
    steps = nil
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() == true)
  }
}
