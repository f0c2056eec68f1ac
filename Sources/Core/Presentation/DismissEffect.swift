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

  /// Dismisses the feature, or reports an issue if nobody presents it.
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
      #if canImport(SwiftUI)
      if let transaction { return withTransaction(transaction) { dismiss() } }
      #endif
      dismiss()
    case .given(let dismiss): await dismiss()
    case nil: reportIssue(Messages.dismissedOutsideOfPresentation, at: location)
    }
  }

  /// Whether there is a presentation to dismiss.
  var isPresented: Bool { dismissal != nil }
}

extension DismissEffect: DependencyKey {
  /// Nobody presents a feature until a reducer does.
  public static var liveValue: DismissEffect { DismissEffect() }
  /// Nobody presents a feature until a reducer does.
  public static var testValue: DismissEffect { DismissEffect() }
}

extension DependencyValues {
  /// Dismisses the feature that asks.
  public var dismiss: DismissEffect {
    get { self[DismissEffect.self] }
    set { self[DismissEffect.self] = newValue }
  }

  /// Whether the feature that asks is presented, or stands in a stack.
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
