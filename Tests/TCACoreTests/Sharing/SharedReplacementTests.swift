import Observation
import TCACore
import Testing

/// What copies share when something else takes its place.
@Suite struct SharedReplacementTests {
  private struct State {
    @Shared var count: Int
  }

  @Test func `earlier copies follow what takes the place of a shared value`() {
    @Shared(value: 1) var count
    let copy = $count
    let state = State(count: $count)
    $count = Shared(value: 2)
    #expect(copy.wrappedValue == 2)
    #expect(state.count == 2)
    copy.withLock { $0 = 3 }
    #expect(count == 3)
    state.$count = Shared(value: 4)
    #expect(count == 4 && copy.wrappedValue == 4)
  }

  @Test func `earlier copies of a reader follow it`() {
    @SharedReader(value: 1) var count
    let copy = $count
    $count = SharedReader(value: 2)
    #expect(count == 2 && copy.wrappedValue == 2)
  }

  @Test func `what was shared before goes on without them`() {
    let first = Shared(value: 1)
    @Shared(projectedValue: Shared(value: 0)) var count
    $count = first
    #expect(count == 1)
    $count = Shared(value: 2)
    #expect(first.wrappedValue == 1, "its own place")
    first.withLock { $0 = 10 }
    #expect(count == 2)
  }

  @Test func `those that have read the value hear of it`() {
    @Shared(value: 1) var count
    let isTold = LockIsolated(false)
    withObservationTracking {
      _ = count
    } onChange: {
      isTold.setValue(true)
    }
    $count = Shared(value: 2)
    #expect(isTold.value)
  }
}
