/// What makes one value of a child's state another child than the next: the id of an identifiable value.
///
/// An id need not be `Sendable`, but it is a value that is compared here and never changed.
struct ChildIdentity: Hashable, Sendable {
  nonisolated(unsafe) private let id: AnyHashable?

  init<Value>(_ value: Value) {
    func id<Child: Identifiable>(of child: Child) -> AnyHashable { AnyHashable(child.id) }
    if let child = value as? any Identifiable { self.id = id(of: child) } else { self.id = nil }
  }
}

/// The key path or case key path that leads to a child.
///
/// Key paths never change; the language does not know it of those that are made at run time.
struct ChildPlace: Hashable, Sendable {
  nonisolated(unsafe) private let keyPath: AnyKeyPath

  init(_ keyPath: AnyKeyPath) {
    self.keyPath = keyPath
  }
}

extension NavigationID {
  /// A child that is there now and then, at a place.
  init<Value>(child: Value, at place: ChildPlace) {
    self.init(place: CancelKey(place), identity: CancelKey(ChildIdentity(child)))
  }

  /// Runs a child's reducer at this step further down, so that its effects have ids of their own.
  func descend<Result>(_ operation: () -> Result) -> Result {
    var dependencies = DependencyValues._current
    dependencies.navigationPath.append(self)
    return DependencyValues.$_current.withValue(dependencies, operation: operation)
  }
}

/// The id under which all effects of a child run, so that they can be cancelled with it.
private struct ChildEffects: Hashable, Sendable {}

extension Effect {
  /// Ties the effects of a child to its life.
  func belonging(to child: NavigationID) -> Effect {
    if isNone { return self }
    let id = CancelID(ChildEffects(), path: DependencyValues._current.navigationPath + [child])
    return Effect(operation: .cancellable(self, id, cancelInFlight: false))
  }

  /// Cancels all effects of a child and of those below it.
  static func cancelAll(of child: NavigationID, _ location: IssueLocation) -> Effect {
    let id = CancelID(ChildEffects(), path: DependencyValues._current.navigationPath + [child])
    return Effect(operation: .cancel(id, location))
  }
}
