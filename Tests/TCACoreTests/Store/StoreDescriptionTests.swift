import TCACore
import Testing

/// The names of stores in messages and debuggers.
@MainActor
@Suite struct StoreDescriptionTests {
  private func name<State, Action>(_ state: State, _: Action.Type) -> String {
    Store<State, Action>(initialState: state) {}.debugDescription
  }

  @Test func `the name of a store's type is shortened to StoreOf with the feature's name`() {
    let job = Job.State()
    #expect(name(job, Job.Action.self) == "StoreOf<Job>")
    #expect(name(Optional(job), Job.Action.self) == "StoreOf<Job?>")
    #expect(
      name([job] as IdentifiedArrayOf<Job.State>, IdentifiedActionOf<Job>.self)
        == "IdentifiedStoreOf<Job>"
    )
    #expect(
      name(PresentationState(wrappedValue: job), PresentationAction<Job.Action>.self)
        == "PresentationStoreOf<Job>"
    )
    #expect(
      name(StackState<Screens.Path.State>(), StackActionOf<Screens.Path>.self)
        == "StackStoreOf<Screens.Path>"
    )
    #expect(
      name(FavoritingState(id: 1), FavoritingAction.self)
        == "Store<FavoritingState<Int>, FavoritingAction>"
    )
    #expect(name(job, Desk.Action.self) == "Store<Job.State, Desk.Action>")
  }
}
