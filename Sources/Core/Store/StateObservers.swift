import Observation

/// Those who observe the state of a root as a whole.
///
/// The type has no parameters, so that its key path is made once and not for every access.
final class StateObservers: Observable {
  private let registrar = ObservationRegistrar()

  /// Stands for the state.
  private var state: Void { () }

  func access() {
    registrar.access(self, keyPath: \.state)
  }

  func willChange() {
    registrar.willSet(self, keyPath: \.state)
  }

  func didChange() {
    registrar.didSet(self, keyPath: \.state)
  }
}
