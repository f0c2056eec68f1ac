import Observation

/// Those who observe the state of a root as a whole, for another value may come in its place.
///
/// An observable struct has a registrar, with which whoever reads a property of it is registered anyhow; the whole is but one
/// more property there. Other states are observed at the root.
struct StateObservers<State> {
  private let registrar = ObservationRegistrar()
  private let value = ObservedValue<State>()

  func access(_ state: State) {
    observers(of: state).access(Whole.only, keyPath: Whole.keyPath)
  }

  /// Tells the observers of a state that another one comes in its place.
  ///
  /// Nothing is told where both are one value, which tells the observers of its properties itself.
  ///
  /// - Parameters:
  ///   - state: The old state.
  ///   - new: The new one.
  ///   - replace: Puts the new one there; observers read the state before and after it.
  func replacing(_ state: State, with new: State, _ replace: () -> Void) {
    if let value, value.isSame(state, new) {
      replace()
    } else {
      observers(of: state).withMutation(of: Whole.only, keyPath: Whole.keyPath, replace)
    }
  }

  private func observers(of state: State) -> ObservationRegistrar {
    value?.observers(state) ?? registrar
  }
}

/// Stands for all of a state; it has no parameters, so that its key path is made once.
private struct Whole: Observable, Sendable {
  static let only = Whole()
  static let keyPath: any KeyPath<Whole, Void> & Sendable = \.whole
  var whole: Void { () }
}

/// What an observable state says of itself.
///
/// Asked for once and kept: finding out about a conformance takes long.
private struct ObservedValue<Value> {
  let isSame: (Value, Value) -> Bool
  let observers: (Value) -> ObservationRegistrar?

  /// Nil for a type whose values are not observable.
  init?() {
    guard let type = Value.self as? any ObservableState.Type else { return nil }
    self.init(type)
  }

  private init<State: ObservableState>(_: State.Type) {
    // "State" is "Value" by another name; a cast would copy all that the value holds.
    func with<Result>(_ value: borrowing Value, _ body: (borrowing State) -> Result) -> Result {
      withUnsafePointer(to: value) {
        $0.withMemoryRebound(to: State.self, capacity: 1) { body($0.pointee) }
      }
    }
    isSame = { lhs, rhs in with(lhs) { $0._$id } == with(rhs) { $0._$id } }
    observers = { state in with(state) { $0._$observers } }
  }
}
