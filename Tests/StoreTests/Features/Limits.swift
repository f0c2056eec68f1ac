import TCACore

/// A feature whose initializer takes an argument.
@Reducer
struct Limits {
  let most: Int

  @ObservableState
  struct State: Equatable {
    var count = 0
  }

  enum Action {
    case added(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .added(let number):
        state.count = min(most, state.count + number)
        return .none
      }
    }
  }
}

/// A feature of a generic type.
@Reducer
struct Picked<Value: Codable & Equatable & Sendable> {
  @ObservableState
  struct State: Equatable {
    var values: [Value] = []
  }

  enum Action {
    case picked(Value)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .picked(let value):
        state.values.append(value)
        return .none
      }
    }
  }
}
