#if canImport(Combine)
public import Combine
#endif

/// The work that follows an action: none, further actions, or asynchronous operations.
///
/// An effect is a tree of data until a store runs it. Code can inspect, describe and compare effects without running
/// them.
///
/// ```swift
/// return .run { send in
///   let fact = try await api.fact(number)
///   await send(.factResponse(fact))
/// }
/// .cancellable(id: CancelID.fact)
/// ```
public struct Effect<Action>: Sendable {
  /// The root node of the tree.
  package var operation: EffectOperation

  package init(operation: EffectOperation) {
    self.operation = operation
  }
}

/// The effect type of a reducer: `EffectOf<Feature>` for `Effect<Feature.Action>`.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

extension Effect {
  /// A node of the tree, with its children.
  package indirect enum EffectOperation: Sendable {
    case none
    case send(SentAction<Action>, EffectLeaf)
    case run(Run)
    case merge([Effect])
    case concatenate([Effect])
    case cancellable(Effect, CancelID, cancelInFlight: Bool)
    case cancel(CancelID, IssueLocation)
  }

  /// An asynchronous operation.
  package struct Run: Sendable {
    package var leaf: EffectLeaf
    package let priority: TaskPriority?
    /// The input of the operation, if the feature states it: `.run(name:input:)`.
    package let input: (any Sendable)?
    package var operation: @Sendable (Send<Action>) async throws -> Void
    package let handler: (@Sendable (any Error, Send<Action>) async -> Void)?
    /// Called when the store starts the operation, with a function that sends actions synchronously in its name.
    var onLaunch: (@MainActor @Sendable (@escaping Deliver) -> Void)?
    /// The child that the operation serves, if the child existed before the action.
    ///
    /// No `send` waits for such an operation.
    var standingChild: CancelID?
  }

  /// A function that sends an action to the store, with its origin.
  typealias Deliver = @MainActor @Sendable (Action, ActionOrigin) -> Void

  /// Whether the effect is `.none`.
  @usableFromInline package var isNone: Bool {
    if case .none = operation { true } else { false }
  }
}

/// The action inside an effect.
///
/// Unchecked: `Action` need not be `Sendable`. Effects are created, inspected and started on the main actor, like
/// reducers. Except for the operations of `.run`, no code of an effect leaves it. The compiler can't verify this.
package struct SentAction<Action>: @unchecked Sendable {
  package let action: Action
}

extension Effect {
  /// An effect without work.
  public static var none: Effect { Effect(operation: .none) }

  /// Sends another action to the store, within the same `send`.
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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

  /// Runs an asynchronous operation that can send actions.
  ///
  /// The operation never starts before the action that returned the effect has been handled.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; `nil` for the caller's priority.
  ///   - name: The effect's name in recordings.
  ///   - operation: The code to run.
  ///   - handler: Receives the error of the operation. Without a handler, an error is an issue. `CancellationError`,
  ///     and any
  ///     error of a cancelled effect, are ignored.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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

  /// Runs an asynchronous operation and states its input for recordings.
  ///
  /// ```swift
  /// return .run(name: "search", input: state.query) { [query = state.query] send in ... }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; `nil` for the caller's priority.
  ///   - name: The effect's name in recordings.
  ///   - input: The data that the operation depends on. A replay compares it with the recorded input.
  ///   - operation: The code to run.
  ///   - handler: Receives the error of the operation.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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
  /// Sends the actions that a publisher publishes.
  ///
  /// ```swift
  /// return .publisher {
  ///   reachability.changes.map { .reachabilityChanged($0) }
  /// }
  /// ```
  ///
  /// The store subscribes on the main actor after it has handled the action that returned the effect. It cancels the
  /// subscription together with the effect. Actions arrive in the order of publication.
  ///
  /// - Parameters:
  ///   - createPublisher: Makes the publisher. Called immediately.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect. It ends when the publisher completes.
  public static func publisher(
    _ createPublisher: () -> some Publisher<Action, Never>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    // Publishers are not `Sendable`. This one is created and used on the main actor.
    nonisolated(unsafe) let publisher = createPublisher().eraseToAnyPublisher()
    return .run(
      operation: { @MainActor send in
        let (actions, continuation) = AsyncStream<SentAction<Action>>.makeStream()
        // Publishers may publish on any thread.
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
  /// Runs the operation.
  ///
  /// - Returns: The error of the operation; `nil` if it succeeded or was cancelled.
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
