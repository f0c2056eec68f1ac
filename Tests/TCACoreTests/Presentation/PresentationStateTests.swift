import TCACore
import Testing

/// The box of presented state.
@Suite struct PresentationStateTests {
  private final class Counter: Sendable {
    let comparisons = LockIsolated(0)
  }

  private struct Compared: Equatable {
    let counter: Counter
    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.counter.comparisons.withValue { $0 += 1 }
      return true
    }
  }

  @Test func `a presentation state equals its copy without a comparison of the presented values`() {
    let counter = Counter()
    let box = PresentationState(wrappedValue: Compared(counter: counter))
    let copy = box
    #expect(box == copy)
    #expect(counter.comparisons.value == 0)
    #expect(box == PresentationState(wrappedValue: Compared(counter: counter)))
    #expect(counter.comparisons.value == 1)
  }

  @Test func `the case subscript of a presentation state changes the payload in place`() {
    var result = PresentationState<Result<Int, Wrong>>(wrappedValue: .success(1))
    result[case: \.success]? += 1
    #expect(result.wrappedValue == .success(2))
    let issues = recordingIssues { result[case: \.failure] = Wrong() }
    #expect(issues.count == 1)
    #expect(result.wrappedValue == .success(2))
    result[case: \.success] = nil
    #expect(result.wrappedValue == nil)
  }

  @Test func `members and cases of a presentation state are presentation states themselves`() {
    let box = PresentationState(wrappedValue: Job.State(id: 7))
    #expect(box.id.wrappedValue == 7)
    let stop = PresentationState<Stop.State>(wrappedValue: .job(Job.State(id: 8)))
    let job: PresentationState<Job.State> = stop.job
    #expect(job.wrappedValue?.id == 8)
    #expect(stop.alert.wrappedValue == nil)
  }

  private struct Wrong: Error, Equatable {}
}
