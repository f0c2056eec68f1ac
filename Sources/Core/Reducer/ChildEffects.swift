/// The id under which all effects of a child run, so that they are cancelled when it goes away.
private struct ChildEffects: Hashable, Sendable {}

extension CancelID {
  /// The id of all effects of a child.
  static func child(at path: [NavigationID]) -> CancelID {
    CancelID(ChildEffects(), path: path)
  }
}

extension NavigationID {
  /// A child that is there now and then, at a place.
  init<Value>(child: Value, at place: ChildPlace) {
    self.init(place: CancelKey(place), identity: ChildIdentity(of: child).map { CancelKey($0) })
  }

  /// An element of a collection at a place.
  init<ID: Hashable & Sendable>(element: ID, at place: ChildPlace) {
    self.init(place: CancelKey(place), identity: CancelKey(element))
  }

  /// The way from the root feature to this child of the reducer that is running.
  var path: [NavigationID] { DependencyValues._current.navigationPath + [self] }
}

extension Reducer {
  /// Runs a child's reducer further down, where its effects have ids of their own.
  ///
  /// - Parameters:
  ///   - state: The child's state.
  ///   - action: The child's action.
  ///   - path: The way to the child.
  ///   - prepare: Sets dependencies for the child.
  /// - Returns: The child's effects, tied to its life.
  func reduceChild(
    _ state: inout State,
    action: Action,
    at path: [NavigationID],
    _ prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> Effect<Action> {
    var dependencies = DependencyValues._current
    dependencies.navigationPath = path
    prepare(&dependencies)
    return DependencyValues.$_current.withValue(dependencies) {
      _reduce(into: &state, action: action)
    }
    .ofChild(at: path)
  }
}

extension Effect {
  /// Ties an effect to the life of a child.
  func ofChild(at path: [NavigationID]) -> Effect {
    if isNone { return self }
    return Effect(operation: .cancellable(self, .child(at: path), cancelInFlight: false))
  }

  /// Cancels all effects of a child that has gone, and of what was presented or pushed below it, which is forgotten.
  static func cancelChild(at path: [NavigationID], _ location: IssueLocation) -> Effect {
    DependencyValues._current.storeContext?.mounted.forget(below: path)
    return Effect(operation: .cancel(.child(at: path), location))
  }
}

extension Optional {
  /// Changes the value in place, if there is one.
  mutating func modifyIfPresent<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
    guard var value = self else { return nil }
    // Moved out, so that what it holds is not copied.
    self = nil
    defer { self = value }
    return body(&value)
  }
}
