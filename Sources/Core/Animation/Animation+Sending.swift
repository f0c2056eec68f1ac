#if canImport(SwiftUI)
public import SwiftUI
#endif

extension Effect {
  /// Returns an effect that sends another action to the store, within the same `send` call.
  ///
  /// The changes of `action` and of the action that returned the effect are published together, with the animation of
  /// the `send` call.
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - animation: Has no effect, because the `send` call determines the animation.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends `action`.
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

  /// Returns the effect with an animation for all actions that its operations send.
  ///
  /// The animation has no visible result on systems without SwiftUI.
  ///
  /// - Parameter animation: The animation of the state changes that the actions cause.
  /// - Returns: An effect whose operations send their actions with `animation`.
  public func animation(_ animation: Animation? = .default) -> Effect {
    transaction(Transaction(animation: animation))
  }

  /// Returns the effect with a SwiftUI transaction for all actions that its operations send.
  ///
  /// The transaction has no visible result on systems without SwiftUI.
  ///
  /// - Parameter transaction: The transaction of the state changes that the actions cause.
  /// - Returns: An effect whose operations send their actions within `transaction`.
  public func transaction(_ transaction: Transaction) -> Effect {
    // SwiftUI doesn't declare `Transaction` as `Sendable`, but the type is a structure and this value never changes.
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
  /// Sends an action to the store with an animation, which is ignored on systems without SwiftUI.
  ///
  /// ```swift
  /// return .run { send in
  ///   await send(.loaded, animation: .easeOut)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - animation: The animation of the state changes that the action causes.
  public func callAsFunction(_ action: Action, animation: Animation?) {
    callAsFunction(action, transaction: Transaction(animation: animation))
  }

  /// Sends an action to the store within a transaction, which is ignored on systems without SwiftUI.
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
  ///   - action: The action to send.
  ///   - transaction: The transaction of the state changes that the action causes.
  public func callAsFunction(_ action: Action, transaction: Transaction) {
    withTransaction(transaction) { self(action) }
  }
}

extension Store {
  /// Sends an action with an animation, which is ignored on systems without SwiftUI.
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - animation: The animation of the state changes that the action causes.
  /// - Returns: A task that finishes when all effects that the action started have ended.
  @discardableResult
  public func send(_ action: Action, animation: Animation?) -> StoreTask {
    send(action, transaction: Transaction(animation: animation))
  }

  /// Sends an action within a transaction, which is ignored on systems without SwiftUI.
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - transaction: The transaction of the state changes that the action causes.
  /// - Returns: A task that finishes when all effects that the action started have ended.
  @discardableResult
  public func send(_ action: Action, transaction: Transaction) -> StoreTask {
    withTransaction(transaction) { send(action) }
  }
}

extension ViewActionSending {
  /// Sends a view action with an animation, which is ignored on systems without SwiftUI.
  ///
  /// - Parameters:
  ///   - action: The view action to send.
  ///   - animation: The animation of the state changes that the action causes.
  /// - Returns: A task that finishes when all effects that the action started have ended.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction, animation: Animation?) -> StoreTask {
    store.send(.view(action), animation: animation)
  }

  /// Sends a view action within a transaction, which is ignored on systems without SwiftUI.
  ///
  /// - Parameters:
  ///   - action: The view action to send.
  ///   - transaction: The transaction of the state changes that the action causes.
  /// - Returns: A task that finishes when all effects that the action started have ended.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction, transaction: Transaction) -> StoreTask {
    store.send(.view(action), transaction: transaction)
  }
}
