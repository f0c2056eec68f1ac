// swift-format-ignore-file
// Written by .ci/store-tests --update.

import Foundation
import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in search.jsonl.
@Test @MainActor func searchSteps() async throws {
  let effects = StubbedEffects<Search.Action>()
  let state: Search.State = try logged(
    #"""
    {"query":"","results":[],"tags":[],"isSearching":false,"failure":null,"askedAt":null}
    """#
  )
  let store = TestStore(initialState: state) {
    Search().stubbingEffects(by: effects)
  }

  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816931265.2122754))
  await store.send(.queryChanged("O")) {
    $0.query = "O"
    $0.isSearching = true
    $0.askedAt = Date(timeIntervalSinceReferenceDate: 816931265.2122754)
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816931265.2178359))
  await store.send(.queryChanged("Os")) {
    $0.query = "Os"
    $0.askedAt = Date(timeIntervalSinceReferenceDate: 816931265.2178359)
  }
  try await effects.finish("search", sending: .answered(.success(logged(
    #"""
    [{"name":"Oslo","tags":["capital","fjord"]},{"name":"Osaka","tags":["castle","harbour"]}]
    """#
  ))))
  await store.receive(\.answered.success) {
    $0.results = ["Oslo", "Osaka"]
    $0.tags = try logged(#"["capital","castle","fjord","harbour"]"#)
    $0.isSearching = false
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816931265.2425977))
  await store.send(.queryChanged("l1ma")) {
    $0.query = "l1ma"
    $0.isSearching = true
    $0.askedAt = Date(timeIntervalSinceReferenceDate: 816931265.2425977)
  }
  try await effects.finish("search", sending: .answered(.failure(.notAWord(logged(#""l1ma""#)))))
  await store.receive(\.answered.failure) {
    $0.results = []
    $0.isSearching = false
    $0.failure = "notAWord(\"l1ma\")"
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816931265.2641937))
  await store.send(.queryChanged("L")) {
    $0.query = "L"
    $0.isSearching = true
    $0.failure = nil
    $0.askedAt = Date(timeIntervalSinceReferenceDate: 816931265.2641937)
  }
  await store.send(.queryChanged(""))
  await store.receive(\.clearButtonTapped) {
    $0.query = ""
    $0.tags = []
    $0.isSearching = false
    $0.askedAt = nil
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816931265.2649367))
  await store.send(.queryChanged("Lima")) {
    $0.query = "Lima"
    $0.isSearching = true
    $0.askedAt = Date(timeIntervalSinceReferenceDate: 816931265.2649367)
  }
  try await effects.finish("search", sending: .answered(.success(logged(#"[{"name":"Lima","tags":["capital","harbour","desert"]}]"#))))
  await store.receive(\.answered.success) {
    $0.results = ["Lima"]
    $0.tags = try logged(#"["capital","desert","harbour"]"#)
    $0.isSearching = false
  }
}
