/// Prints the changes of a reducer.
public struct _ReducerPrinter<State, Action>: Sendable {
  private let print: @Sendable (_ action: Action, _ old: State, _ new: State) -> Void

  /// Creates a printer from a function.
  public init(
    printChange: @escaping @Sendable (_ action: Action, _ old: State, _ new: State) -> Void
  ) {
    print = printChange
  }

  /// Prints a change.
  public func printChange(receivedAction: Action, oldState: State, newState: State) {
    print(receivedAction, oldState, newState)
  }
}

/// A reducer whose changes are printed in debug builds.
public struct _PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: _ReducerPrinter<Base.State, Base.Action>?

  /// Changes the state, and prints the change in an effect.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    guard let printer else { return base._reduce(into: &state, action: action) }
    nonisolated(unsafe) let old = state
    nonisolated(unsafe) let received = action
    let effect = base._reduce(into: &state, action: action)
    nonisolated(unsafe) let new = state
    return effect.merge(
      with: .publisher {
        AnyPublisher { observer in
          printer.printChange(receivedAction: received, oldState: old, newState: new)
          observer.complete()
          return AnyCancellable {}
        }
      }
    )
  }
}

extension Reducer {
  /// Prints the changes of the reducer.
  @warn_unqualified_access
  public func _printChanges(
    _ printer: _ReducerPrinter<State, Action>? = _ReducerPrinter { print($0, $1, $2) }
  ) -> _PrintChangesReducer<Self> {
    _PrintChangesReducer(base: self, printer: printer)
  }
}
