import Synchronization

#if canImport(SwiftUI)
public import SwiftUI
#endif

/// A function that dismisses the feature whose reducer or effect reads the dependency `dismiss`.
///
/// ```swift
/// @Dependency(\.dismiss) var dismiss
///
/// case .closeButtonTapped:
///   return .run { _ in await dismiss() }
/// ```
///
/// The store handles the action `.dismiss`, or `.popFrom(id:)` for an element of a stack, before the call returns. The
/// dismissal cancels the effects of the feature, including the one that makes the call.
public struct DismissEffect: Sendable {
  private enum Dismissal: Sendable {
    /// A function of a store, which dismisses the feature before it returns.
    case ofStore(@MainActor @Sendable () -> Void)
    case given(@MainActor @Sendable () async -> Void)
  }

  private let dismissal: Dismissal?

  /// Creates an effect that calls a function to dismiss a feature.
  public init(_ dismiss: @escaping @MainActor @Sendable () async -> Void) {
    dismissal = .given(dismiss)
  }

  init(ofStore dismiss: @escaping @MainActor @Sendable () -> Void) {
    dismissal = .ofStore(dismiss)
  }

  private init() {
    dismissal = nil
  }

  /// Dismisses the feature, or reports an issue if the feature isn't presented.
  @MainActor
  public func callAsFunction(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await dismiss(within: nil, location)
  }

  /// Dismisses the feature with an animation.
  ///
  /// ```swift
  /// return .run { _ in await dismiss(animation: .default) }
  /// ```
  ///
  /// - Parameters:
  ///   - animation: The animation of the dismissal, which is ignored on systems without SwiftUI.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  @MainActor
  public func callAsFunction(
    animation: Animation?,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await dismiss(within: Transaction(animation: animation), location)
  }

  /// Dismisses the feature within a SwiftUI transaction.
  ///
  /// ```swift
  /// var transaction = Transaction()
  /// transaction.disablesAnimations = true
  /// await dismiss(transaction: transaction)
  /// ```
  ///
  /// - Parameters:
  ///   - transaction: The transaction of the dismissal, which is ignored on systems without SwiftUI.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  @MainActor
  public func callAsFunction(
    transaction: Transaction,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await dismiss(within: transaction, location)
  }

  @MainActor
  private func dismiss(within transaction: Transaction?, _ location: IssueLocation) async {
    switch dismissal {
    case .ofStore(let dismiss):
      guard let transaction else { return dismiss() }
      withTransaction(transaction) { dismiss() }
    case .given(let dismiss): await dismiss()
    case nil: reportIssue(Messages.dismissedOutsideOfPresentation, at: location)
    }
  }

  /// Whether the feature that reads the dependency is presented.
  var isPresented: Bool { dismissal != nil }
}

extension DismissEffect: DependencyKey {
  /// The value for features that aren't presented, which reports an issue when it is called.
  ///
  /// Reducers set another value for the features that they present.
  public static var liveValue: DismissEffect { DismissEffect() }
  /// The value for features that aren't presented, which reports an issue when it is called.
  ///
  /// Reducers set another value for the features that they present.
  public static var testValue: DismissEffect { DismissEffect() }
}

extension DependencyValues {
  /// A function that dismisses the feature whose reducer or effect reads this property.
  public var dismiss: DismissEffect {
    get { self[DismissEffect.self] }
    set { self[DismissEffect.self] = newValue }
  }

  /// Whether the feature that reads this property is presented or an element of a stack.
  ///
  /// ```swift
  /// @Dependency(\.isPresented) var isPresented
  /// @Dependency(\.dismiss) var dismiss
  /// return isPresented ? .run { _ in await dismiss() } : .send(.stop)
  /// ```
  public var isPresented: Bool { dismiss.isPresented }

  /// Sets the dependency `dismiss` to a function that dismisses the child at a path.
  mutating func presents(_ path: [NavigationID]) {
    guard let dismissals = storeContext?.dismissals else { return }
    dismiss = DismissEffect(ofStore: {
      let caller = EffectContext.current
      let origin = caller.map { ActionOrigin.effect(tags: $0.tags, via: "dismiss") } ?? .view
      _ = dismissals.dismiss(path, origin: origin)
    })
  }
}

/// The features of a store that can be dismissed, by their paths in the tree of presented and pushed features.
final class DismissalRegistry: Sendable {
  /// A function that sends the dismissal of a feature to the store, with an origin.
  typealias Dismiss = @MainActor @Sendable (ActionOrigin) -> Void

  private struct Route: Sendable {
    let id: Int
    let dismiss: Dismiss
  }

  private struct RouteTable: Sendable {
    var routes: [[NavigationID]: Route] = [:]
    var lastID = 0
  }

  private let contents = Mutex(RouteTable())

  /// Registers a function that dismisses the feature at a path, in place of an earlier one for the same path.
  ///
  /// - Returns: An id for `close(_:_:)`.
  func open(_ path: [NavigationID], _ dismiss: @escaping Dismiss) -> Int {
    contents.withLock { contents in
      contents.lastID += 1
      contents.routes[path] = Route(id: contents.lastID, dismiss: dismiss)
      return contents.lastID
    }
  }

  /// Removes the function that was registered with an id, unless a later one has replaced it.
  func close(_ path: [NavigationID], _ id: Int) {
    contents.withLock { contents in
      if contents.routes[path]?.id == id { contents.routes[path] = nil }
    }
  }

  /// Dismisses the feature at a path.
  ///
  /// - Returns: Whether a function was registered for the path.
  @MainActor
  func dismiss(_ path: [NavigationID], origin: ActionOrigin) -> Bool {
    guard let route = contents.withLock({ $0.routes[path] }) else { return false }
    route.dismiss(origin)
    return true
  }
}

extension Effect {
  /// Returns an effect that runs while a child is presented, and makes the child dismissible.
  ///
  /// The effect ends together with the other effects of the child. Until then, the `send` call that presented the child
  /// has unfinished work.
  ///
  /// - Parameters:
  ///   - path: The path to the child in the tree of presented and pushed features.
  ///   - wasThere: Whether the child was present before the action. If so, the `send` call of the action doesn't wait
  ///     for the child.
  ///   - dismiss: A function that returns the action that dismisses the child.
  ///   - location: The source location of the operator that presents the child.
  /// - Returns: An effect that sends no actions on its own.
  static func presenting(
    _ path: ChildPath,
    wasThere: Bool,
    dismiss: @escaping @Sendable () -> Action,
    _ location: IssueLocation
  ) -> Effect {
    let ids = path.ids
    guard let dismissals = DependencyValues._current.storeContext?.dismissals else { return .none }
    let id = LockIsolated(0)
    var run = Run(
      leaf: EffectLeaf(name: "presentation", location: location, isInternal: true),
      priority: nil,
      input: nil,
      operation: { _ in
        // The stream has no elements, so the loop ends when the task is canceled.
        for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
        dismissals.close(ids, id.value)
      },
      handler: nil
    )
    run.onLaunch = { deliver in
      id.setValue(dismissals.open(ids) { deliver(dismiss(), $0) })
    }
    if wasThere { run.standingChild = .child(at: ids) }
    return Effect(operation: .run(run)).ofChild(at: path)
  }
}
