// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in picked.jsonl.
@Test @MainActor func pickedSteps() async throws {
  let state: Picked<Int>.State = try logged(#"{"values":[]}"#)
  let store = TestStore(initialState: state) {
    Picked<Int>()
  }

  await store.send(.picked(2)) {
    $0.values = [2]
  }
  await store.send(.picked(5)) {
    $0.values = [2, 5]
  }
}
