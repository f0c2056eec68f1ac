// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in unstable-160a16f76b75f011.jsonl.
///
/// The fault: language is not deterministic (locale), action .footButtonTapped.
@MainActor func `unstable 160a16f76b75f011`() async throws {
  let state: Receipt.State = try logged(
    #"""
    {"items":[],"shelves":"","printedAt":"","ticket":0,"day":0,"language":""}
    """#
  )
  let store = TestStore(initialState: state) {
    Receipt()
  }

  await store.send(.footButtonTapped) {
    $0.language = "tr_TR.UTF-8"
  }
}

/// Takes the steps that were recorded in unstable-16238e57b1f7427f.jsonl.
///
/// The fault: shelves is not deterministic (unordered collection), action .shelvesButtonTapped.
@MainActor func `unstable 16238e57b1f7427f`() async throws {
  let state: Receipt.State = try logged(
    #"""
    {"items":[],"shelves":"","printedAt":"","ticket":0,"day":0,"language":""}
    """#
  )
  let store = TestStore(initialState: state) {
    Receipt()
  } withDependencies: {
    $0.uuid = .incrementing
  }

  await store.send(.scanned(name: "", shelf: "")) {
    try $0.items.append(logged(
      #"""
      {"id":"00000000-0000-0000-0000-000000000000","name":"","shelf":""}
      """#
    ))
  }
  await store.send(.scanned(name: "", shelf: "0")) {
    try $0.items.append(logged(
      #"""
      {"id":"00000000-0000-0000-0000-000000000001","name":"","shelf":"0"}
      """#
    ))
  }
  await store.send(.shelvesButtonTapped) {
    $0.shelves = ", 0"
  }
}

/// Takes the steps that were recorded in unstable-17abed725fc4f039.jsonl.
///
/// The fault: day is not deterministic (time zone), action .bookButtonTapped.
@MainActor func `unstable 17abed725fc4f039`() async throws {
  let state: Receipt.State = try logged(
    #"""
    {"items":[],"shelves":"","printedAt":"","ticket":0,"day":0,"language":""}
    """#
  )
  let store = TestStore(initialState: state) {
    Receipt()
  }

  await store.send(.bookButtonTapped) {
    $0.day = 15
  }
}
