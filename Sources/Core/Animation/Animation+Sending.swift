#if canImport(SwiftUI)
public import SwiftUI
#endif

extension Effect {
  /// Hands another action to the store, within the same `send`, whose animation it shares.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - animation: How its changes are animated where they come later than the action before.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  public static func send(
    _ action: Action,
    animation: Animation?,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    send(action, fileID: fileID, filePath: filePath, line: line, column: column)
      .animation(animation)
  }

  /// The effect with all that its operations send animated, where there are views.
  ///
  /// - Parameter animation: How the changes are animated.
  /// - Returns: The effect.
  public func animation(_ animation: Animation? = .default) -> Effect {
    transaction(Transaction(animation: animation))
  }

  /// The effect with all that its operations send in a transaction of the views, where there are any.
  ///
  /// - Parameter transaction: What surrounds the changes.
  /// - Returns: The effect.
  public func transaction(_ transaction: Transaction) -> Effect {
    // SwiftUI's type is a value that is only read, but says nothing of that.
    let transaction = UncheckedSendable(transaction)
    return mapRuns { run in
      let (operation, handler) = (run.operation, run.handler)
      var wrappedHandler = handler
      if let handler {
        wrappedHandler = { await handler($0, $1.within(transaction)) }
      }
      run = Run(
        leaf: run.leaf,
        priority: run.priority,
        input: run.input,
        operation: { try await operation($0.within(transaction)) },
        handler: wrappedHandler,
        onLaunch: run.onLaunch,
        standingChild: run.standingChild
      )
    }
  }
}

extension Send {
  nonisolated fileprivate func within(
    _ transaction: UncheckedSendable<Transaction>
  ) -> Send {
    Send { self($0, transaction: transaction.value) }
  }
}

extension Send {
  /// Hands an action to the store and animates what it changes, where there are views.
  ///
  /// ```swift
  /// return .run { send in
  ///   await send(.loaded, animation: .easeOut)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - animation: How its changes are animated.
  public func callAsFunction(_ action: Action, animation: Animation?) {
    callAsFunction(action, transaction: Transaction(animation: animation))
  }

  /// Hands an action to the store within a transaction of the views, where there are any.
  ///
  /// ```swift
  /// return .run { send in
  ///   var transaction = Transaction(animation: .default)
  ///   transaction.disablesAnimations = true
  ///   await send(.loaded, transaction: transaction)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - transaction: What surrounds its changes.
  public func callAsFunction(_ action: Action, transaction: Transaction) {
    withTransaction(transaction) { self(action) }
  }
}

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
    withTransaction(transaction) { send(action) }
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
