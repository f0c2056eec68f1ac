/// Someone who is told when actions and effects begin and end.
package protocol IntervalObserver: Sendable {
  /// Whether anybody looks; nothing is done otherwise.
  var isEnabled: Bool { get }

  /// An action or an effect begins.
  ///
  /// - Returns: What `event` and `end` are called with.
  func begin(_ kind: IntervalKind, _ text: String) -> UInt64

  /// An effect sends an action.
  func event(_ id: UInt64, _ kind: IntervalKind, _ text: String)

  /// An action or an effect ends.
  func end(_ id: UInt64, _ kind: IntervalKind, _ text: String)
}

/// What takes time.
package enum IntervalKind: Sendable {
  case action
  case effect
}

/// A reducer that tells an observer of its actions and effects.
package struct IntervalReducer<Base: Reducer>: Reducer {
  private let base: Base
  private let prefix: String
  private let observer: (any IntervalObserver)?

  package init(_ base: Base, prefix: String, observer: (any IntervalObserver)?) {
    self.base = base
    self.prefix = prefix.isEmpty ? "" : "[\(prefix)] "
    self.observer = observer
  }

  package func reduce(
    into state: inout Base.State,
    action: Base.Action
  ) -> Effect<Base.Action> {
    guard let observer, observer.isEnabled else {
      return base._reduce(into: &state, action: action)
    }
    let label = ActionLabel.of(action)
    let id = observer.begin(.action, prefix + label)
    let effect = base._reduce(into: &state, action: action)
    observer.end(id, .action, "")
    return effect.observed(by: observer, prefix: prefix, startedBy: label)
  }
}

extension Effect {
  /// The effect with its work observed; it stays the same tree.
  fileprivate func observed(
    by observer: any IntervalObserver,
    prefix: String,
    startedBy label: String
  ) -> Effect {
    mapRuns { run in
      let operation = run.operation
      let name = run.leaf.name.map { "\($0), " } ?? ""
      run.operation = { send in
        let id = observer.begin(.effect, "\(prefix)\(name)from \(label)")
        let observedSend = Send<Action> { action in
          observer.event(id, .effect, "\(prefix)sent \(ActionLabel.of(action))")
          send(action)
        }
        do {
          try await operation(observedSend)
          observer.end(id, .effect, Task.isCancelled ? "cancelled" : "finished")
        } catch {
          observer.end(
            id,
            .effect,
            Task.isCancelled || error is CancellationError ? "cancelled" : "failed"
          )
          throw error
        }
      }
    }
  }
}
