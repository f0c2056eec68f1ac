import Synchronization

#if canImport(SwiftUI)
public import SwiftUI
#endif

/// Lets a presented feature dismiss itself.
///
/// ```swift
/// @Dependency(\.dismiss) var dismiss
///
/// case .closeButtonTapped:
///   return .run { _ in await dismiss() }
/// ```
///
/// The store gets a `.dismiss`, or a `.popFrom(id:)` for an element of a stack, before the call
/// returns. With it the effects of the feature are cancelled, the one that calls among them.
public struct DismissEffect: Sendable {
  private enum Dismissal: Sendable {
    /// The store's own, which is done when it returns.
    case ofStore(@MainActor @Sendable () -> Void)
    case given(@MainActor @Sendable () async -> Void)
  }

  private let dismissal: Dismissal?

  /// Makes one of a function.
  public init(_ dismiss: @escaping @MainActor @Sendable () async -> Void) {
    dismissal = .given(dismiss)
  }

  init(ofStore dismiss: @escaping @MainActor @Sendable () -> Void) {
    dismissal = .ofStore(dismiss)
  }

  private init() {
    dismissal = nil
  }

  /// Dismisses the feature, or reports an issue if it is not presented.
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

  /// Dismisses the feature and animates that, where there are views.
  ///
  /// ```swift
  /// return .run { _ in await dismiss(animation: .default) }
  /// ```
  ///
  /// - Parameters:
  ///   - animation: How the dismissal is animated.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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

  /// Dismisses the feature within a transaction of the views, where there are any.
  ///
  /// ```swift
  /// var transaction = Transaction()
  /// transaction.disablesAnimations = true
  /// await dismiss(transaction: transaction)
  /// ```
  ///
  /// - Parameters:
  ///   - transaction: What surrounds the dismissal.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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

  /// Whether there is a presentation to dismiss.
  var isPresented: Bool { dismissal != nil }
}

extension DismissEffect: DependencyKey {
  /// No feature is presented until a reducer does so.
  public static var liveValue: DismissEffect { DismissEffect() }
  /// No feature is presented until a reducer does so.
  public static var testValue: DismissEffect { DismissEffect() }
}

extension DependencyValues {
  /// Dismisses the feature that asks.
  public var dismiss: DismissEffect {
    get { self[DismissEffect.self] }
    set { self[DismissEffect.self] = newValue }
  }

  /// Whether the feature that asks is presented, or is in a stack.
  ///
  /// ```swift
  /// @Dependency(\.isPresented) var isPresented
  /// @Dependency(\.dismiss) var dismiss
  /// return isPresented ? .run { _ in await dismiss() } : .send(.stop)
  /// ```
  public var isPresented: Bool { dismiss.isPresented }

  /// Lets a child dismiss itself.
  mutating func presents(_ path: [NavigationID]) {
    guard let dismissals = storeContext?.dismissals else { return }
    dismiss = DismissEffect(ofStore: {
      let caller = EffectContext.current
      let origin = caller.map { ActionOrigin.effect(tags: $0.tags, via: "dismiss") } ?? .view
      _ = dismissals.dismiss(path, origin: origin)
    })
  }
}

/// The features of a store that can dismiss themselves, by the way that leads to them.
final class Dismissals: Sendable {
  /// Hands the dismissal to the store.
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
