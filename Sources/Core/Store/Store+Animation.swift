#if canImport(SwiftUI)
public import SwiftUI
#endif

extension Store {
  /// Sends an action and animates what it changes, where there are views.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - animation: How its changes are animated.
  /// - Returns: What the action started.
  @discardableResult
  public func send(_ action: Action, animation: Animation?) -> StoreTask {
    send(action, transaction: Transaction(animation: animation))
  }

  /// Sends an action within a transaction of the views, where there are any.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - transaction: What surrounds its changes.
  /// - Returns: What the action started.
  @discardableResult
  public func send(_ action: Action, transaction: Transaction) -> StoreTask {
    #if canImport(SwiftUI)
    withTransaction(transaction) { send(action) }
    #else
    send(action)
    #endif
  }
}

extension ViewActionSending {
  /// Sends an action of the view and animates what it changes, where there are views.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - animation: How its changes are animated.
  /// - Returns: What the action started.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction, animation: Animation?) -> StoreTask {
    store.send(.view(action), animation: animation)
  }

  /// Sends an action of the view within a transaction of the views, where there are any.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - transaction: What surrounds its changes.
  /// - Returns: What the action started.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction, transaction: Transaction) -> StoreTask {
    store.send(.view(action), transaction: transaction)
  }
}
