// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in pairs.jsonl.
@Test @MainActor func pairsSteps() async throws {
  let state: Pairs.State = try logged(#"{"pairs":[],"boxes":[]}"#)
  let store = TestStore(initialState: state) {
    Pairs()
  }

  await store.send(.paired(3, "e")) {
    try $0.pairs.append(logged(#"{"id":3,"element":"e"}"#))
  }
  await store.send(.boxed(7, "a b")) {
    try $0.boxes.append(logged(#"{"id":7,"element":{"title":"a b","isOpen":false}}"#))
  }
  await store.send(.opened(0)) {
    $0.boxes[0].element.isOpen = true
  }
}
