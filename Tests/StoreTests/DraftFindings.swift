// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in violated-1e9d7957c55e574a.jsonl.
///
/// The fault: violates invariant 'a saved revision stays saved'.
@MainActor func `violated 1e9d7957c55e574a`() async throws {
  let effects = StubbedEffects<Draft.Action>()
  let state: Draft.State = try logged(#"{"text":"","revision":0,"savedRevision":0,"letters":0,"ticks":0}"#)
  let store = TestStore(initialState: state) {
    Draft().stubbingEffects(by: effects)
  }

  await store.send(.saveButtonTapped)
  await effects.send(.saved(revision: 3), from: "save")
  await store.receive(\.saved) {
    $0.savedRevision = 3
  }
  await effects.send(.saved(revision: 0), from: "save")
  await store.receive(\.saved) {
    $0.savedRevision = 0
  }
  await store.skipInFlightEffects()
}
