import Observation
import TCACore
import Testing

/// The storage that copies share after one of them was replaced.
@Suite struct SharedReplacementTests {
  private struct State {
    @Shared var count: Int
  }

  @Test func `earlier copies of a shared value have the new value after a replacement`() {
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

  @Test func `earlier copies of a SharedReader have the new value after a replacement`() {
    @SharedReader(value: 1) var count
    let copy = $count
    $count = SharedReader(value: 2)
    #expect(count == 2 && copy.wrappedValue == 2)
  }

  @Test func `a shared value that was replaced continues as a separate value`() {
    let first = Shared(value: 1)
    @Shared(projectedValue: Shared(value: 0)) var count
    $count = first
    #expect(count == 1)
    $count = Shared(value: 2)
    #expect(first.wrappedValue == 1, "its own place")
    first.withLock { $0 = 10 }
    #expect(count == 2)
  }

  @Test func `replacing a shared value notifies its observers`() {
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
