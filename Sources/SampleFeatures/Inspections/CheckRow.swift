package import TCACore

/// A row of a visit: one check and what was found.
@Reducer
package struct CheckRow: Sendable {
  @ObservableState
  package struct State: Equatable, Identifiable, Sendable {
    package let id: Check.ID
    package let title: String
    package var grade: Grade?
    package var note = ""
    package var secondsLooked = 0
    package var isBeingLookedAt = false
  }

  package enum Action: BindableAction, Sendable {
    case binding(BindingAction<State>)
    case delegate(Delegate)
    case gradeTapped(Grade)
    case lookButtonTapped
    case ticked

    @CasePathable
    package enum Delegate: Equatable, Sendable { case isPoor }
  }

  private enum CancelID { case look }

  @Dependency(\.continuousClock) private var clock

  package var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .gradeTapped(let grade):
        let wasPoor = state.grade == .poor
        state.grade = state.grade == grade ? nil : grade
        return state.grade == .poor && !wasPoor ? .send(.delegate(.isPoor)) : .none
      case .lookButtonTapped:
        state.isBeingLookedAt.toggle()
        guard state.isBeingLookedAt else { return .cancel(id: CancelID.look) }
        return .run(name: "look") { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
        }
        .cancellable(id: CancelID.look, cancelInFlight: true)
      case .ticked:
        state.secondsLooked += 1
        return .none
      case .binding, .delegate:
        return .none
      }
    }
  }
}
