#if canImport(Combine)
public import Combine
#endif

/// The work that follows an action: further actions, asynchronous operations, cancellations, or none.
///
/// An effect is a tree of data until a store runs it. Code can inspect and describe effects without running them.
///
/// ```swift
/// return .run { send in
///   let fact = try await api.fact(number)
///   await send(.factResponse(fact))
/// }
/// .cancellable(id: CancelID.fact)
/// ```
public struct Effect<Action>: Sendable {
  /// The root node of the effect's tree.
  package var operation: EffectOperation

  package init(operation: EffectOperation) {
    self.operation = operation
  }
}

/// The effect type of a reducer: `EffectOf<Feature>` for `Effect<Feature.Action>`.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

extension Effect {
  /// A node of an effect's tree, with its children.
  package indirect enum EffectOperation: Sendable {
    case none
    case send(SentAction<Action>, EffectLeaf)
    case run(Run)
    case merge([Effect])
    case concatenate([Effect])
    case cancellable(Effect, CancelID, cancelInFlight: Bool)
    case cancel(CancelID, IssueLocation)
  }

  /// An asynchronous operation that can send actions.
  package struct Run: Sendable {
    package var leaf: EffectLeaf
    package let priority: TaskPriority?
    /// The data that the operation depends on; `nil` if the feature doesn't state it with `.run(name:input:)`.
    package let input: (any Sendable)?
    package var operation: @Sendable (Send<Action>) async throws -> Void
    package let handler: (@Sendable (any Error, Send<Action>) async -> Void)?
    /// A closure that the store calls when it starts the operation.
    ///
    /// The closure receives a function that sends actions synchronously on behalf of the effect.
    var onLaunch: (@MainActor @Sendable (@escaping Deliver) -> Void)?
    /// The cancellation id of the child that the operation serves; `nil` if no child existed before the action.
    ///
    /// The task that `send` returns doesn't wait for an operation with such an id.
    var standingChild: CancelID?
  }

  /// A function that sends an action with its origin to the store.
  typealias Deliver = @MainActor @Sendable (Action, ActionOrigin) -> Void

  /// Whether the effect is `.none`.
  @usableFromInline package var isNone: Bool {
    if case .none = operation { true } else { false }
  }
}

/// An action that an effect sends.
///
/// Unchecked: `Action` need not be `Sendable`. Like reducers, effects are created, inspected, and started on the main
/// actor. Only the operations of `.run` can leave the main actor. The compiler can't verify this.
package struct SentAction<Action>: @unchecked Sendable {
  package let action: Action
}

extension Effect {
  /// An effect that sends no actions and runs no operations.
  public static var none: Effect { Effect(operation: .none) }

  /// Returns an effect that sends another action to the store, within the same `send` call.
  ///
  /// ```swift
  /// return .send(.delegate(.saved(state.draft)))
  /// ```
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends `action`.
  public static func send(
    _ action: Action,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Effect(operation: .send(SentAction(action: action), EffectLeaf(location: location)))
  }

  /// Returns an effect that runs an asynchronous operation, which can send actions.
  ///
  /// ```swift
  /// return .run { send in
  ///   let fact = try await client.fact()
  ///   await send(.factLoaded(fact))
  /// } catch: { error, send in
  ///   await send(.factFailed(error.localizedDescription))
  /// }
  /// ```
  ///
  /// The operation starts after the store has handled the action that returned the effect.
  ///
  /// - Parameters:
  ///   - priority: The priority of the operation's task; `nil` for the caller's priority.
  ///   - name: The name of the effect in recordings; `nil` for no name.
  ///   - operation: The operation to run, which receives a function that sends actions.
  ///   - handler: A closure that handles an error of the operation. Without a handler, an error is reported as
  ///     an issue. The effect ignores a `CancellationError`, and all errors after the effect was canceled.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that ends when the operation returns.
  public static func run(
    priority: TaskPriority? = nil,
    name: String? = nil,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let leaf = EffectLeaf(name: name, location: location)
    return Effect(
      operation: .run(
        Run(leaf: leaf, priority: priority, input: nil, operation: operation, handler: handler)
      )
    )
  }

  /// Returns an effect that runs an asynchronous operation and records the operation's input.
  ///
  /// ```swift
  /// return .run(name: "search", input: state.query) { [query = state.query] send in ... }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the operation's task; `nil` for the caller's priority.
  ///   - name: The name of the effect in recordings; `nil` for no name.
  ///   - input: The data that the operation depends on. A replay compares it with the recorded input.
  ///   - operation: The operation to run, which receives a function that sends actions.
  ///   - handler: A closure that handles an error of the operation. Without a handler, an error is reported as
  ///     an issue. The effect ignores a `CancellationError`, and all errors after the effect was canceled.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that ends when the operation returns.
  public static func run(
    priority: TaskPriority? = nil,
    name: String? = nil,
    input: any Sendable,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let leaf = EffectLeaf(name: name, location: location)
    return Effect(
      operation: .run(
        Run(leaf: leaf, priority: priority, input: input, operation: operation, handler: handler)
      )
    )
  }
}

#if canImport(Combine)
extension Effect {
  /// Returns an effect that sends the actions of a publisher.
  ///
  /// ```swift
  /// return .publisher {
  ///   reachability.changes.map { .reachabilityChanged($0) }
  /// }
  /// ```
  ///
  /// The store subscribes on the main actor after it has handled the action that returned the effect. Canceling the
  /// effect cancels the subscription. The store receives actions in the order in which they were published.
  ///
  /// - Parameters:
  ///   - createPublisher: A closure that creates the publisher, called immediately.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that ends when the publisher completes.
  public static func publisher(
    _ createPublisher: () -> some Publisher<Action, Never>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    // Publishers are not `Sendable`, but this one is created and used only on the main actor.
    nonisolated(unsafe) let publisher = createPublisher().eraseToAnyPublisher()
    return .run(
      operation: { @MainActor send in
        let (actions, continuation) = AsyncStream<SentAction<Action>>.makeStream()
        // The stream collects the actions, because publishers can publish on any thread.
        let subscription = publisher.sink { @Sendable _ in
          continuation.finish()
        } receiveValue: { @Sendable action in
          continuation.yield(SentAction(action: action))
        }
        defer { subscription.cancel() }
        for await action in actions { send(action) }
      },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}
#endif

extension Effect.Run {
  /// Runs the operation, and handles or reports its error.
  ///
  /// - Returns: The error of the operation; `nil` if the operation succeeded or was canceled.
  func perform(_ send: Send<Action>) async -> (any Error)? {
    do {
      try await operation(send)
      return nil
    } catch is CancellationError {
      return nil
    } catch {
      guard !Task.isCancelled else { return nil }
      if let handler {
        await handler(error, send)
      } else {
        reportIssue(Messages.unhandled(error, at: leaf.location), at: leaf.location)
      }
      return error
    }
  }
}

/// The `Send` type of a feature: `SendOf<Feature>` for `Send<Feature.Action>`.
public typealias SendOf<R: Reducer> = Send<R.Action>
