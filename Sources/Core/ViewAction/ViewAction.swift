/// An action whose part that views send stands apart, in a case `view`.
///
/// ```swift
/// enum Action: ViewAction {
///   case view(View)
///   case saved
///   enum View { case saveButtonTapped }
/// }
/// ```
public protocol ViewAction<ViewAction> {
  /// What views send.
  associatedtype ViewAction

  /// Makes an action of what a view sent.
  static func view(_ action: ViewAction) -> Self
}

/// A type, such as a view, that sends the view's part of a store's actions; `@ViewAction` writes the conformance.
@MainActor
public protocol ViewActionSending<StoreState, StoreAction> {
  /// The state of the store.
  associatedtype StoreState
  /// The actions of the store.
  associatedtype StoreAction: ViewAction

  /// Where the actions go.
  var store: Store<StoreState, StoreAction> { get }
}

extension ViewActionSending {
  /// Sends an action of the view to the store.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction) -> StoreTask {
    store.send(.view(action))
  }
}
