// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in draft.jsonl.
@Test @MainActor func draftSteps() async throws {
  let effects = StubbedEffects<Draft.Action>()
  let state: Draft.State = try logged(#"{"text":"","revision":0,"savedRevision":0,"letters":0,"ticks":0}"#)
  let store = TestStore(initialState: state) {
    Draft().stubbingEffects(by: effects)
  }

  await store.send(.editButtonTapped)
  await store.send(.typed("H")) {
    $0.text = "H"
    $0.revision = 1
  }
  await effects.finish("count", sending: .counted(1))
  await store.receive(\.counted, 1) {
    $0.letters = 1
  }
  await store.send(.typed("i")) {
    $0.text = "Hi"
    $0.revision = 2
  }
  await effects.finish("count", sending: .counted(2))
  await store.receive(\.counted, 2) {
    $0.letters = 2
  }
  await store.send(.saveButtonTapped)
  await effects.finish("save", sending: .saved(revision: 2))
  await store.receive(\.saved) {
    $0.savedRevision = 2
  }
  await effects.send(.ticked, from: "tick")
  await store.receive(\.ticked) {
    $0.ticks = 1
  }
  await store.send(.typed(",")) {
    $0.text = "Hi,"
    $0.revision = 3
  }
  await effects.finish("count", sending: .counted(3))
  await store.receive(\.counted, 3) {
    $0.letters = 3
  }
  await store.send(.typed(" ")) {
    $0.text = "Hi, "
    $0.revision = 4
  }
  await effects.finish("count", sending: .counted(4))
  await store.receive(\.counted, 4) {
    $0.letters = 4
  }
  await store.send(.typed("t")) {
    $0.text = "Hi, t"
    $0.revision = 5
  }
  await effects.finish("count", sending: .counted(5))
  await store.receive(\.counted, 5) {
    $0.letters = 5
  }
  await store.send(.typed("h")) {
    $0.text = "Hi, th"
    $0.revision = 6
  }
  await effects.finish("count", sending: .counted(6))
  await store.receive(\.counted, 6) {
    $0.letters = 6
  }
  await effects.send(.ticked, from: "tick")
  await store.receive(\.ticked) {
    $0.ticks = 2
  }
  await store.send(.typed("a")) {
    $0.text = "Hi, tha"
    $0.revision = 7
  }
  await effects.finish("count", sending: .counted(7))
  await store.receive(\.counted, 7) {
    $0.letters = 7
  }
  await store.send(.typed("n")) {
    $0.text = "Hi, than"
    $0.revision = 8
  }
  await effects.finish("count", sending: .counted(8))
  await store.receive(\.counted, 8) {
    $0.letters = 8
  }
  await store.send(.typed("k")) {
    $0.text = "Hi, thank"
    $0.revision = 9
  }
  await effects.finish("count", sending: .counted(9))
  await store.receive(\.counted, 9) {
    $0.letters = 9
  }
  await store.send(.typed(" ")) {
    $0.text = "Hi, thank "
    $0.revision = 10
  }
  await effects.send(.ticked, from: "tick")
  await store.receive(\.ticked) {
    $0.ticks = 3
  }
  await effects.finish("count", sending: .counted(10))
  await store.receive(\.counted, 10) {
    $0.letters = 10
  }
  await store.send(.typed("y")) {
    $0.text = "Hi, thank y"
    $0.revision = 11
  }
  await effects.finish("count", sending: .counted(11))
  await store.receive(\.counted, 11) {
    $0.letters = 11
  }
  await store.send(.typed("o")) {
    $0.text = "Hi, thank yo"
    $0.revision = 12
  }
  await effects.finish("count", sending: .counted(12))
  await store.receive(\.counted, 12) {
    $0.letters = 12
  }
  await store.send(.typed("u")) {
    $0.text = "Hi, thank you"
    $0.revision = 13
  }
  await effects.finish("count", sending: .counted(13))
  await store.receive(\.counted, 13) {
    $0.letters = 13
  }
  await store.send(.saveButtonTapped)
  await effects.send(.ticked, from: "tick")
  await store.receive(\.ticked) {
    $0.ticks = 4
  }
  await effects.finish("save", sending: .saved(revision: 13))
  await store.receive(\.saved) {
    $0.savedRevision = 13
  }
  await store.send(.typed("!")) {
    $0.text = "Hi, thank you!"
    $0.revision = 14
  }
  await effects.finish("count", sending: .counted(14))
  await store.receive(\.counted, 14) {
    $0.letters = 14
  }
  await store.send(.doneButtonTapped)
}
