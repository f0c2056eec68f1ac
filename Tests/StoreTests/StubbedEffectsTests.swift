import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Effects and reads that a test replaces.
@MainActor @Suite struct StubbedEffectsTests {
  @Test func `a stubbed effect sends the actions that the test specifies`() async {
    let effects = StubbedEffects<Counter.Action>()
    let store = TestStore(initialState: Counter.State()) {
      Counter().stubbingEffects(by: effects)
    }
    await store.send(.timerButtonTapped) { $0.isTimerRunning = true }
    await effects.send(.timerTicked, from: "tick")
    await store.receive(.timerTicked) { $0.count = 1 }
    await effects.finish("tick", sending: .timerTicked)
    await store.receive(.timerTicked) { $0.count = 2 }
  }

  @Test func `sending from a canceled stubbed effect reports that it does not run`() async {
    let effects = StubbedEffects<Counter.Action>()
    let store = TestStore(initialState: Counter.State()) {
      Counter().stubbingEffects(by: effects)
    }
    await store.send(.timerButtonTapped) { $0.isTimerRunning = true }
    await store.send(.timerButtonTapped) { $0.isTimerRunning = false }
    await withKnownIssue {
      await effects.send(.timerTicked, from: "tick")
    } matching: { issue in
      "\(issue)".contains(
        """
        The effect "tick" was to go on, but it does not run.

        Running effects: none
        """
      )
    }
  }

  @Test func `finishing a stubbed effect that does not run reports the running effects`() async {
    let effects = StubbedEffects<Counter.Action>()
    let store = TestStore(initialState: Counter.State()) {
      Counter().stubbingEffects(by: effects)
    }
    await store.send(.timerButtonTapped) { $0.isTimerRunning = true }
    await withKnownIssue {
      await effects.finish(at: 1)
    } matching: { issue in
      "\(issue)".contains(
        """
        An effect without a name at position 1 was to go on, but it does not run.

        Running effects: "tick"
        """
      )
    }
    await effects.finish("tick")
  }

  @Test func `stubbed reads return their answers in order`() async {
    let reads = StubbedReads()
    let store = TestStore(initialState: Counter.State()) {
      Counter().answeringReads(from: reads)
    } withDependencies: {
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())
    }
    reads.answer("random", with: "5721163644789426632")
    await store.send(.dieButtonTapped) { $0.die = 2 }
    reads.answer("random", with: "18446744073709551615")
    await store.send(.dieButtonTapped) { $0.die = 6 }
  }

  @Test func `stubbed reads report an issue if the feature does not read an answer`() async {
    await withKnownIssue {
      let reads = StubbedReads()
      let store = TestStore(initialState: Counter.State()) {
        Counter().answeringReads(from: reads)
      }
      reads.answer("random", with: "0")
      await store.send(.incrementButtonTapped) { $0.count = 1 }
    } matching: { issue in
      "\(issue)".contains("The feature has not read: random")
    }
  }
}
