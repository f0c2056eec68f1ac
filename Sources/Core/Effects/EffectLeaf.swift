/// The description of an effect that does something: where it was written, what it captured.
package struct EffectLeaf: Sendable {
  /// The name that the feature gave it.
  package var name: String?
  /// Where it was written.
  package var location: IssueLocation
  /// Whether the library made it for its own needs; such effects are not part of a recording.
  package var isInternal = false
  /// Its observers, and their ids for it.
  package var tags: [EffectTag] = []
  /// The dependencies and the navigation path that surrounded its making.
  package let dependencies: DependencyValues

  package init(name: String? = nil, location: IssueLocation, isInternal: Bool = false) {
    self.name = name
    self.location = location
    self.isInternal = isInternal
    self.dependencies = DependencyValues._current
  }
}

/// An observer's mark on an effect.
package struct EffectTag: Sendable {
  /// The observer.
  package let observer: any EffectObserver
  /// The observer's id for the effect.
  package let id: EffectID

  package init(observer: any EffectObserver, id: EffectID) {
    self.observer = observer
    self.id = id
  }
}

/// An observer of an effect's life.
package protocol EffectObserver: AnyObject, Sendable {
  /// Called on the main actor, at the moment of the event, so its place among the actions is exact.
  ///
  /// Only the cancellation by a store that goes away comes from the thread that let go of it.
  func effect(_ id: EffectID, didChange event: EffectLifecycle)
  /// The observer of the calls that effects make; `nil` when there is none.
  var calls: (any CallObserver)? { get }
}

extension EffectObserver {
  package var calls: (any CallObserver)? { nil }
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

/// The cause of an effect's cancellation.
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
