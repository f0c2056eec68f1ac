import Observation

/// Those who observe the state of a root as a whole.
///
/// The type has no parameters, so that its key path is made once and not for every access. It stands for the state itself: its
/// key path has no parts, which all would be hashed a dozen times for each change that is told.
final class StateObservers: Observable {
  private let registrar = ObservationRegistrar()

  func access() {
    registrar.access(self, keyPath: \.self)
  }

  func willChange() {
    registrar.willSet(self, keyPath: \.self)
  }

  func didChange() {
    registrar.didSet(self, keyPath: \.self)
  }
}
