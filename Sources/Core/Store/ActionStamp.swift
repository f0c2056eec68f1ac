/// What the store knows of an action from the moment it is enqueued.
package struct ActionStamp: Sendable {
  /// Its place among all actions of the root store, from 1.
  package let number: Int
  package let origin: ActionOrigin

  package init(number: Int, origin: ActionOrigin) {
    self.number = number
    self.origin = origin
  }
}

/// Where an action comes from.
///
/// The queue carries it. Task-locals would leak it to the effects of other stores.
package enum ActionOrigin: Sendable {
  /// Sent to the store from outside.
  case view
  /// Sent by an effect, `via` the thing that is named, such as `dismiss`.
  case effect(tags: [EffectTag], via: String?)
  /// Sent from inside `reduce` or an observer while the store was busy with an action.
  case reentrant(action: Int)
}
