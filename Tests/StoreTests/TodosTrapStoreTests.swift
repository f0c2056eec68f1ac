// swift-format-ignore-file
// Written by .ci/store-tests --update.

import Foundation
import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in todos-trap.jsonl.
@Test @MainActor func todosTrapSteps() async throws {
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

  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816931265.3101919))
  await store.send(.addButtonTapped) {
    try $0.todos.append(logged(
      #"""
      {
        "id":"00000000-0000-0000-0000-000000000000",
        "title":"",
        "isDone":false,
        "addedAt":"2026-11-21T05:21:05.3101919Z"
      }
      """#
    ))
  }
  await store.send(.titleChanged(id: UUID(0), "Water the plants")) {
    $0.todos[0].title = "Water the plants"
    $0.isSaving = true
    $0.titles["Water the plants"] = 1
  }
  await effects.finish("save", sending: .saved(.success(1)))
  await store.receive(\.saved.success, 1) {
    $0.isSaving = false
  }
  // The test ends here: the log was cut while action 4, .deleted(at: 3), was reduced.
  await store.skipReceivedActions(strict: false)
  await store.skipInFlightEffects(strict: false)
}
