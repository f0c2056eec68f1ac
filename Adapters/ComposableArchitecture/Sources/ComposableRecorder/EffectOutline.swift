package import ComposableArchitecture

/// What can be seen of an effect: whether there is one, and for a task its name and priority.
///
/// The library shows no more, and that only by reflection.
package enum EffectOutline {
  case none
  case run(name: String?, priority: TaskPriority?)
  /// Anything but a single task: an action that is sent at once, a cancellation, a publisher, several of these together.
  case publisher

  /// The outline of an effect.
  package init<Action>(_ effect: Effect<Action>) {
    guard let operation = Mirror(reflecting: effect).children.first?.value,
      Mirror(reflecting: operation).displayStyle == .enum
    else {
      self = .publisher
      return
    }
    guard let child = Mirror(reflecting: operation).children.first else {
      self = .none
      return
    }
    guard child.label == "run" else {
      self = .publisher
      return
    }
    let members = Mirror(reflecting: child.value).children
    func member<Value>(_ name: String, _: Value.Type) -> Value? {
      members.first { $0.label == name }.flatMap { $0.value as? Value? } ?? nil
    }
    self = .run(
      name: member("name", String.self),
      priority: member("priority", TaskPriority.self)
    )
  }
}
