// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in gauge.jsonl.
@Test @MainActor func gaugeSteps() async throws {
  let state: Gauge.State = try logged(#"{"value":1.0,"readings":0}"#)
  let store = TestStore(initialState: state) {
    Gauge()
  }

  await store.send(.read(2.5)) {
    $0.value = 2.5
    $0.readings = 1
  }
  try await store.send(.read(logged(#"{"$double":"inf"}"#))) {
    $0.value = try logged(#"{"$double":"inf"}"#)
    $0.readings = 2
  }
  // The test ends here: after action 3 the state holds NaN, which does not equal itself.
  await store.skipReceivedActions(strict: false)
  await store.skipInFlightEffects(strict: false)
}
