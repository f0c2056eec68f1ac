import Synchronization

/// The features of a store that can dismiss themselves, by the way that leads to them.
final class Dismissals: Sendable {
  /// Hands the dismissal to the store.
  typealias Dismiss = @MainActor @Sendable (ActionOrigin) -> Void

  private struct Route: Sendable {
    let id: Int
    let dismiss: Dismiss
  }

  private struct Contents: Sendable {
    var routes: [[NavigationID]: Route] = [:]
    var lastID = 0
  }

  private let contents = Mutex(Contents())

  /// Opens the way for a feature, in place of an earlier one for the same.
  ///
  /// - Returns: What closes it.
  func open(_ path: [NavigationID], _ dismiss: @escaping Dismiss) -> Int {
    contents.withLock { contents in
      contents.lastID += 1
      contents.routes[path] = Route(id: contents.lastID, dismiss: dismiss)
      return contents.lastID
    }
  }

  /// Closes the way for a feature, unless a later one has taken its place.
  func close(_ path: [NavigationID], _ id: Int) {
    contents.withLock { contents in
      if contents.routes[path]?.id == id { contents.routes[path] = nil }
    }
  }

  /// Dismisses a feature.
  ///
  /// - Returns: Whether there was a way to it.
  @MainActor
  func dismiss(_ path: [NavigationID], origin: ActionOrigin) -> Bool {
    guard let route = contents.withLock({ $0.routes[path] }) else { return false }
    route.dismiss(origin)
    return true
  }
}

extension Effect {
  /// Runs as long as a child is presented, and hands its dismissal to the store.
  ///
  /// It ends with the child's other effects. Until then the `send` that presented the child has work.
  ///
  /// - Parameters:
  ///   - path: The way to the child.
  ///   - wasThere: Whether the action found the child there, so that its `send` presents nothing.
  ///   - dismiss: Makes the dismissal.
  ///   - location: The operator that presents.
  /// - Returns: The effect.
  static func presenting(
    _ path: [NavigationID],
    wasThere: Bool,
    dismiss: @escaping @Sendable () -> Action,
    _ location: IssueLocation
  ) -> Effect {
    guard let dismissals = DependencyValues._current.storeContext?.dismissals else { return .none }
    let id = LockIsolated(0)
    var run = Run(
      leaf: EffectLeaf(name: "presentation", location: location, isInternal: true),
      priority: nil,
      input: nil,
      operation: { _ in
        // Nothing ever comes, so this ends when the task is cancelled.
        for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
        dismissals.close(path, id.value)
      },
      handler: nil
    )
    run.onLaunch = { deliver in
      id.setValue(dismissals.open(path) { deliver(dismiss(), $0) })
    }
    if wasThere { run.standingChild = .child(at: path) }
    return Effect(operation: .run(run)).ofChild(at: path)
  }
}
