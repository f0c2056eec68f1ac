/// A watcher's mark on an effect.
package struct EffectTag: Sendable {
  /// Who watches.
  package let observer: any EffectObserver
  /// What the watcher calls the effect.
  package let id: EffectID

  package init(observer: any EffectObserver, id: EffectID) {
    self.observer = observer
    self.id = id
  }
}

/// Someone who is told what becomes of an effect.
package protocol EffectObserver: AnyObject, Sendable {
  /// Called on the main actor, at the moment of the event, so its place among the actions is exact.
  ///
  /// Only the cancellation by a store that goes away comes from the thread that let go of it.
  func effect(_ id: EffectID, didChange event: EffectLifecycle)
}

/// An event in the life of an effect.
package enum EffectLifecycle: Sendable {
  /// It started later than its action, as a part of a concatenation.
  case started
  /// Its operation returned, also after `cancelled`; `sent` actions of it were delivered.
  case finished(sent: Int)
  /// It was cancelled. Its operation goes on until `finished` or `failed`.
  ///
  /// Of `dropping` concatenations around it, from the inside, nothing more starts; what an action's effects drop does not
  /// count. One that had been cancelled before is named again when something is dropped.
  case cancelled(CancelCause, dropping: Int)
  /// Its operation threw an error.
  case failed(any Error)
}

/// What cancelled an effect.
package enum CancelCause: Sendable {
  /// The effect of an action: `.cancel(id:)` or `cancelInFlight`.
  case action(ActionStamp)
  /// A `Task.cancel(id:)` inside another effect.
  case effect([EffectTag])
  /// The task of the `send` that started it.
  case task
  /// The store went away.
  case store
  /// Something else, such as `Task.cancel(id:)` outside of all effects.
  case other
}
