// swift-format-ignore-file
// Written by .ci/store-tests --update.

import Foundation
import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in todos-cut.jsonl.
@Test @MainActor func todosCutSteps() async throws {
  let effects = StubbedEffects<Todos.Action>()
  let state: Todos.State = try logged(
    #"""
    {"todos":[],"filter":"all","isSaving":false,"saveError":null,"titles":{}}
    """#
  )
  let store = TestStore(initialState: state) {
    Todos().stubbingEffects(by: effects)
  } withDependencies: {
    $0.uuid = .incrementing
  }

  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816931264.9111813))
  await store.send(.addButtonTapped) {
    try $0.todos.append(logged(
      #"""
      {
        "id":"00000000-0000-0000-0000-000000000000",
        "title":"",
        "isDone":false,
        "addedAt":"2026-11-21T05:21:04.9111813Z"
      }
      """#
    ))
  }
  await store.send(.titleChanged(id: UUID(0), "Buy milk")) {
    $0.todos[0].title = "Buy milk"
    $0.isSaving = true
    $0.titles["Buy milk"] = 1
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816931264.916906))
  await store.send(.addButtonTapped) {
    try $0.todos.insert(logged(
      #"""
      {
        "id":"00000000-0000-0000-0000-000000000001",
        "title":"",
        "isDone":false,
        "addedAt":"2026-11-21T05:21:04.916906Z"
      }
      """#
    ), at: 0)
  }
  await effects.finish("save", sending: .saved(.success(1)))
  await store.receive(\.saved.success, 1) {
    $0.isSaving = false
  }
  await store.send(.doneToggled(id: UUID(0))) {
    $0.todos[1].isDone = true
    $0.isSaving = true
  }
  await effects.finish("save", sending: .saved(.failure(.emptyTitle(UUID(1)))))
  await store.receive(\.saved.failure) {
    $0.isSaving = false
    $0.saveError = "emptyTitle(00000000-0000-0000-0000-000000000001)"
  }
  await store.send(.titleChanged(id: UUID(1), "Écrire un test 👩‍💻")) {
    $0.todos[0].title = "Écrire un test 👩‍💻"
    $0.isSaving = true
    $0.saveError = nil
    $0.titles["Écrire un test 👩‍💻"] = 1
  }
  await store.send(.titleChanged(id: UUID(1), "Écrire deux tests")) {
    $0.todos[0].title = "Écrire deux tests"
    $0.titles["Écrire deux tests"] = 1
  }
  // The test ends here: the log was cut while action 9, .saved(.success(2)), was reduced.
  await store.skipReceivedActions(strict: false)
  await store.skipInFlightEffects(strict: false)
}
