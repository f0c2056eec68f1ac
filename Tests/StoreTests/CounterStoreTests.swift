// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in counter.jsonl.
@Test @MainActor func counterSteps() async throws {
  let effects = StubbedEffects<Counter.Action>()
  let reads = StubbedReads()
  let state: Counter.State = try logged(#"{"count":0,"isTimerRunning":false,"die":null}"#)
  let store = TestStore(initialState: state) {
    Counter().stubbingEffects(by: effects).answeringReads(from: reads)
  } withDependencies: {
    $0.withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())
  }

  await store.send(.incrementButtonTapped) {
    $0.count = 1
  }
  await store.send(.incrementButtonTapped) {
    $0.count = 2
  }
  await store.send(.decrementButtonTapped) {
    $0.count = 1
  }
  await store.send(.timerButtonTapped) {
    $0.isTimerRunning = true
  }
  await effects.send(.timerTicked, from: "tick")
  await store.receive(\.timerTicked) {
    $0.count = 2
  }
  await effects.send(.timerTicked, from: "tick")
  await store.receive(\.timerTicked) {
    $0.count = 3
  }
  reads.answer("random", with: "5721163644789426632")
  await store.send(.dieButtonTapped) {
    $0.die = 2
  }
  await store.send(.timerButtonTapped) {
    $0.isTimerRunning = false
  }
  await store.send(.timerButtonTapped) {
    $0.isTimerRunning = true
  }
  await effects.send(.timerTicked, from: "tick")
  await store.receive(\.timerTicked) {
    $0.count = 4
  }
  await store.send(.resetButtonTapped) {
    $0.count = 0
    $0.isTimerRunning = false
    $0.die = nil
  }
  await store.send(.incrementButtonTapped) {
    $0.count = 1
  }
}
