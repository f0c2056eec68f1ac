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
  private let dismiss: (@MainActor @Sendable () async -> Void)?

  /// Makes one of a function.
  public init(_ dismiss: @escaping @MainActor @Sendable () async -> Void) {
    self.dismiss = dismiss
  }

  private init() {
    dismiss = nil
  }

  /// Dismisses the feature, or reports an issue if nobody presents it.
  @MainActor
  public func callAsFunction(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    guard let dismiss else {
      reportIssue(
        Messages.dismissedOutsideOfPresentation,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
      )
      return
    }
    await dismiss()
  }

  /// Whether there is a presentation to dismiss.
  var isPresented: Bool { dismiss != nil }
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
    dismiss = DismissEffect {
      let caller = EffectContext.current
      let origin = caller.map { ActionOrigin.effect(tags: $0.tags, via: "dismiss") } ?? .view
      _ = dismissals.dismiss(path, origin: origin)
    }
  }
}
