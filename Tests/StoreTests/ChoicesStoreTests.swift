// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in choices.jsonl.
@Test @MainActor func choicesSteps() async throws {
  let state: Choices.State = try logged(#"{"choice":null,"choices":[],"level":"high","certain":{"all":{}}}"#)
  let store = TestStore(initialState: state) {
    Choices()
  }

  try await store.send(.choice(logged(#"{"none":{}}"#))) {
    $0.choice = try logged(#"{"none":{}}"#)
  }
  try await store.send(.choice(logged(#"{"some":{"_0":3}}"#))) {
    $0.choice = try logged(#"{"some":{"_0":3}}"#)
  }
  try await store.send(.choice(logged(#"{"some":{"_0":4}}"#))) {
    $0.choice = try logged(#"{"some":{"_0":4}}"#)
  }
  await store.send(.choice(nil)) {
    $0.choice = nil
  }
  try await store.send(.choices(logged(#"[{"none":{}},null,{"all":{}}]"#))) {
    $0.choices = try logged(#"[{"none":{}},null,{"all":{}}]"#)
  }
  try await store.send(.level(logged(#""none""#))) {
    $0.level = try logged(#""none""#)
  }
  try await store.send(.level(logged(#""some""#))) {
    $0.level = try logged(#""some""#)
  }
  try await store.send(.certain(logged(#"{"none":{}}"#))) {
    $0.certain = try logged(#"{"none":{}}"#)
  }
  await store.send(.none) {
    $0.choice = try logged(#"{"none":{}}"#)
  }
}
