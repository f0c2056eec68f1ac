// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in limits.jsonl.
@Test @MainActor func limitsSteps() async throws {
  let state: Limits.State = try logged(#"{"count":0}"#)
  let store = TestStore(initialState: state) {
    Limits(most: 3)
  }

  await store.send(.added(2)) {
    $0.count = 2
  }
  await store.send(.added(5)) {
    $0.count = 3
  }
}
