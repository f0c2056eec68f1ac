extension Reducer {
  /// Prints each action that comes to a reducer, and what it changed.
  ///
  /// ```swift
  /// Store(initialState: Counter.State()) { Counter()._printChanges() }
  /// // received action:
  /// //   Counter.Action.increment
  /// // - Counter.State(count: 0)
  /// // + Counter.State(count: 1)
  /// ```
  ///
  /// Printing happens after the action, on a queue of its own, in the order of the actions. Builds without `DEBUG` print
  /// nothing.
  ///
  /// - Parameter printer: What is printed; nil prints nothing.
  /// - Returns: The reducer that does it.
  @warn_unqualified_access
  public func _printChanges(
    _ printer: _ReducerPrinter<State, Action>? = .customDump
  ) -> _PrintChangesReducer<Self> {
    _PrintChangesReducer(base: self, printer: printer)
  }
}

/// A reducer whose changes are printed.
public struct _PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: _ReducerPrinter<Base.State, Base.Action>?

  /// Runs the reducer and hands its change to the printer.
  public func reduce(
    into state: inout Base.State,
    action: Base.Action
  ) -> Effect<Base.Action> {
    #if DEBUG
    guard let printer else { return base._reduce(into: &state, action: action) }
    let oldState = state
    var dependencies = DependencyValues._current
    let tracker = SharedChangeTracker(within: dependencies.sharedChangeTracker)
    dependencies.sharedChangeTracker = tracker
    let effect = DependencyValues.$_current.withValue(dependencies) {
      base._reduce(into: &state, action: action)
    }
    printer.enqueue(action, from: oldState, to: state, shared: tracker.close())
    return effect
    #else
    return base._reduce(into: &state, action: action)
    #endif
  }
}
