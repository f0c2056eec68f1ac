package import ComposableArchitecture

/// The visible properties of an effect: whether there is one, and the name and priority of a task.
///
/// The library reveals no other properties, and these only by reflection.
package enum EffectOutline {
  case none
  case run(name: String?, priority: TaskPriority?)
  /// Any effect other than a single task: an action sent immediately, a cancellation, a publisher, or a combination.
  case publisher

  /// Creates the outline of an effect.
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
