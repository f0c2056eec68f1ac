/// The properties of a leaf in an effect's tree, such as the effect's name, source location, and observers.
package struct EffectLeaf: Sendable {
  /// The name that the feature assigned to the effect; `nil` if the effect has no name.
  package var name: String?
  /// The source location of the code that created the effect.
  package var location: IssueLocation
  /// Whether the library created the effect for its own use.
  ///
  /// If `true`, recordings omit the effect.
  package var isInternal = false
  /// The observers of the effect, with their ids for it.
  package var tags: [EffectObserverTag] = []
  /// The dependencies that were current when the effect was created, including the navigation path.
  package let dependencies: DependencyValues

  package init(name: String? = nil, location: IssueLocation, isInternal: Bool = false) {
    self.name = name
    self.location = location
    self.isInternal = isInternal
    self.dependencies = DependencyValues._current
  }
}

/// An observer of an effect, with its id for the effect.
package struct EffectObserverTag: Sendable {
  package let observer: any EffectObserver
  package let id: EffectID

  package init(observer: any EffectObserver, id: EffectID) {
    self.observer = observer
    self.id = id
  }
}

/// An object that observes the effects of a store.
package protocol EffectObserver: AnyObject, Sendable {
  /// Called when an event in the life of an effect occurs.
  ///
  /// The calls happen on the main actor and in the order of the events, so an event's position among the actions is
  /// exact. The only exception is a cancellation by the release of a store, which is reported on the thread that
  /// releases the store.
  func effect(_ id: EffectID, didChange event: EffectLifecycleEvent)
  /// The observer of the calls that effects make; `nil` if there is none.
  var calls: (any DependencyCallObserver)? { get }
}

extension EffectObserver {
  package var calls: (any DependencyCallObserver)? { nil }
}

/// An event in the life of an effect.
package enum EffectLifecycleEvent: Sendable {
  /// The effect started after its action had been handled, as part of a concatenation.
  case started
  /// The operation returned, possibly after a `cancelled` event.
  ///
  /// - Parameter sent: The number of actions that the store received from the effect.
  case finished(sent: Int)
  /// The effect was canceled, but its operation continues until a `finished` or `failed` event.
  ///
  /// If another concatenation is dropped later, the cancellation is reported again.
  ///
  /// - Parameter dropping: The number of concatenations around the effect, counted from the innermost, that start no
  ///   further effects. The number is 0 if an action's effect caused the cancellation.
  case cancelled(CancelCause, dropping: Int)
  /// The operation threw an error.
  case failed(any Error)
}

/// The cause of the cancellation of an effect.
package enum CancelCause: Sendable {
  /// The effect of an action: `.cancel(id:)`, or `cancellable(id:cancelInFlight:)`.
  case action(ActionStamp)
  /// A call of `Task.cancel(id:)` or `withTaskCancellation(id:cancelInFlight:)` in an effect, which the tags identify.
  case effect([EffectObserverTag])
  /// The cancellation of the task that was returned by the `send` call that started the effect.
  case task
  /// The release of the store.
  case store
  /// Another cause, such as `Task.cancel(id:)` outside of all effects.
  case other
}
