/// Two reducers, one after the other.
public struct ReducerSequence<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  private let first: First
  private let second: Second

  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Runs both, and merges their effects.
  public func reduce(
    into state: inout First.State,
    action: First.Action
  ) -> Effect<First.Action> {
    let effect = first._reduce(into: &state, action: action)
    return effect.merge(with: second._reduce(into: &state, action: action))
  }
}

/// The reducers of a loop, one after the other.
public struct ReducerArray<Element: Reducer>: Reducer {
  private let reducers: [Element]

  init(_ reducers: [Element]) {
    self.reducers = reducers
  }

  /// Runs all, and merges their effects.
  public func reduce(
    into state: inout Element.State,
    action: Element.Action
  ) -> Effect<Element.Action> {
    var effects: [Effect<Element.Action>] = []
    for reducer in reducers {
      effects.append(reducer._reduce(into: &state, action: action))
    }
    return .merge(effects)
  }
}

/// The reducer of one of two branches.
public enum ConditionalReducer<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  /// The reducer of the first branch.
  case first(First)
  /// The reducer of the second branch.
  case second(Second)

  /// Runs the reducer of the branch taken.
  public func reduce(
    into state: inout First.State,
    action: First.Action
  ) -> Effect<First.Action> {
    switch self {
    case .first(let reducer): reducer._reduce(into: &state, action: action)
    case .second(let reducer): reducer._reduce(into: &state, action: action)
    }
  }
}
