// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in ledger.jsonl.
@Test @MainActor func ledgerSteps() async throws {
  let effects = StubbedEffects<Ledger.Action>()
  let state: Ledger.State = try logged(#"{"sum":0,"isBooking":false}"#)
  let store = TestStore(initialState: state) {
    Ledger().stubbingEffects(by: effects)
  }

  await store.send(.bookTapped) {
    $0.isBooking = true
  }
  // The test ends here: after action 1 something outside of the feature changed the state, which a test store cannot do.
  await store.skipReceivedActions(strict: false)
  await store.skipInFlightEffects(strict: false)
}
