import TCACore

/// A sum that an effect changes without an action.
@Reducer
struct Ledger {
  @ObservableState
  struct State: Equatable {
    @Shared(.inMemory("ledger")) var sum = 0
    var isBooking = false
  }

  enum Action {
    case bookTapped
    case booked
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .bookTapped:
        state.isBooking = true
        return .run(name: "book") { [sum = state.$sum] send in
          sum.withLock { $0 += 100 }
          await send(.booked)
        }
      case .booked:
        state.isBooking = false
        return .none
      }
    }
  }
}
