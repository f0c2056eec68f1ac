import ActionLog
import ReplayEngine
import Testing

@testable import TCAReplaying

/// Steps of a recording that are not known when it begins.
@MainActor @Suite(.timeLimit(.minutes(30))) struct ArrivingStepsTests {
  private typealias Steps = AsyncThrowingStream<RecordRequest.Step, any Error>

  private struct Unreadable: Error {}

  /// An instant that is over, so that nothing waits for a clock.
  private static var past: ContinuousClock.Instant { .now - .seconds(1) }

  private static func step(_ number: Int) -> RecordRequest.Step {
    .send(["increment": ["by": .number(JSON.Number(number))]])
  }

  @Test func `steps come in their order, and then the end`() async throws {
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

  @Test func `a step that comes while it is waited for is taken`() async throws {
    let (source, continuation) = Steps.makeStream()
    let steps = ArrivingSteps(source, until: nil)
    async let waiting = steps.next()
    continuation.yield(Self.step(1))
    #expect(try await waiting == Self.step(1))
  }

  @Test func `an error comes after the steps before it`() async throws {
    let (source, continuation) = Steps.makeStream()
    let steps = ArrivingSteps(source, until: nil)
    continuation.yield(Self.step(1))
    continuation.finish(throwing: Unreadable())
    #expect(try await steps.next() == Self.step(1))
    await #expect(throws: Unreadable.self) { try await steps.next() }
  }

  @Test func `no step is waited for beyond the time limit`() async throws {
    let (source, continuation) = Steps.makeStream()
    let steps = ArrivingSteps(source, until: Self.past)
    #expect(try await steps.next() == nil)
    // What comes too late is not taken.
    continuation.yield(Self.step(1))
    #expect(try await steps.next() == nil)
  }

  @Test(arguments: [false, true])
  func `reading ends with the steps`(isLimited: Bool) async throws {
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
