#if canImport(SwiftUI)
public import SwiftUI
#endif

extension Send {
  /// Hands an action to the store and animates what it changes, where there are views.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - animation: How its changes are animated.
  public func callAsFunction(_ action: Action, animation: Animation?) {
    callAsFunction(action, transaction: Transaction(animation: animation))
  }

  /// Hands an action to the store within a transaction of the views, where there are any.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - transaction: What surrounds its changes.
  public func callAsFunction(_ action: Action, transaction: Transaction) {
    #if canImport(SwiftUI)
    withTransaction(transaction) { self(action) }
    #else
    self(action)
    #endif
  }
}
