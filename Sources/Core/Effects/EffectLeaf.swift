/// The description of a leaf in an effect's tree: its source location and its captured context.
package struct EffectLeaf: Sendable {
  /// The name that the feature assigned.
  package var name: String?
  /// The source location that created the effect.
  package var location: IssueLocation
  /// Whether the library created the effect for its own use.
  ///
  /// Recordings omit such effects.
  package var isInternal = false
  /// The effect's observers, with their ids for it.
  package var tags: [EffectTag] = []
  /// The dependencies and the navigation path at the effect's creation.
  package let dependencies: DependencyValues

  package init(name: String? = nil, location: IssueLocation, isInternal: Bool = false) {
    self.name = name
    self.location = location
    self.isInternal = isInternal
    self.dependencies = DependencyValues._current
  }
}

/// An observer of an effect, with its id for the effect.
package struct EffectTag: Sendable {
  package let observer: any EffectObserver
  package let id: EffectID

  package init(observer: any EffectObserver, id: EffectID) {
    self.observer = observer
    self.id = id
  }
}

/// An observer of effects.
package protocol EffectObserver: AnyObject, Sendable {
  /// Called on the main actor at the time of the event, so its position among the actions is exact.
  ///
  /// The cancellation by a released store is an exception. It is reported on the thread that released the store.
  func effect(_ id: EffectID, didChange event: EffectLifecycle)
  /// The observer of the calls that effects make; `nil` if there is none.
  var calls: (any CallObserver)? { get }
}

extension EffectObserver {
  package var calls: (any CallObserver)? { nil }
}

/// A change in the state of an effect.
package enum EffectLifecycle: Sendable {
  /// The effect started later than its action, as part of a concatenation.
  case started
  /// The operation returned, possibly after `cancelled`.
  ///
  /// The effect had delivered `sent` actions.
  case finished(sent: Int)
  /// The effect was cancelled.
  ///
  /// Its operation continues until `finished` or `failed`.
  ///
  /// The `dropping` innermost concatenations around the effect start no further effects. Concatenations that an
  /// action's effects drop don't count. An effect that was cancelled before is reported again if another concatenation
  /// is dropped.
  case cancelled(CancelCause, dropping: Int)
  /// The operation threw an error.
  case failed(any Error)
}

/// The cause of an effect's cancellation.
package enum CancelCause: Sendable {
  /// The effect of an action: `.cancel(id:)` or `cancelInFlight`.
  case action(ActionStamp)
  /// A call of `Task.cancel(id:)` inside another effect.
  case effect([EffectTag])
  /// The task of the `send` that started the effect.
  case task
  /// The release of the store.
  case store
  /// Another cause, such as `Task.cancel(id:)` outside of all effects.
  case other
}
