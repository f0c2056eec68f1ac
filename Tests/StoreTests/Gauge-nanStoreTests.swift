// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in gauge-nan.jsonl.
@Test @MainActor func gaugeNanSteps() async throws {
  let state: Gauge.State = try logged(#"{"value":{"$double":"nan"},"readings":0}"#)
  let store = TestStore(initialState: state) {
    Gauge()
  }

  // The test ends here: the first state holds NaN, which does not equal itself.
  await store.skipReceivedActions(strict: false)
  await store.skipInFlightEffects(strict: false)
}
