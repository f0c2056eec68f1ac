#if canImport(Combine)
public import Combine
#endif

/// Work to do after an action: none, more actions, or asynchronous work.
///
/// An effect is a tree of data until a store runs it, so it can be looked at, described and
/// compared without running anything.
///
/// ```swift
/// return .run { send in
///   let fact = try await api.fact(number)
///   await send(.factResponse(fact))
/// }
/// .cancellable(id: CancelID.fact)
/// ```
public struct Effect<Action>: Sendable {
  /// The tree.
  package var operation: EffectOperation

  package init(operation: EffectOperation) {
    self.operation = operation
  }
}

/// The effect of a reducer: `EffectOf<Feature>` for `Effect<Feature.Action>`.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

extension Effect {
  /// One node of the tree and what hangs below it.
  package indirect enum EffectOperation: Sendable {
    case none
    case send(SentAction<Action>, EffectLeaf)
    case run(Run)
    case merge([Effect])
    case concatenate([Effect])
    case cancellable(Effect, CancelID, cancelInFlight: Bool)
    case cancel(CancelID, IssueLocation)
  }

  /// Work that takes time.
  package struct Run: Sendable {
    package var leaf: EffectLeaf
    package let priority: TaskPriority?
    /// The input of the work, if the feature states it: `.run(name:input:)`.
    package let input: (any Sendable)?
    package var operation: @Sendable (Send<Action>) async throws -> Void
    package let handler: (@Sendable (any Error, Send<Action>) async -> Void)?
    /// Called when the store starts the work, with what hands actions over in its name at once.
    var onLaunch: (@MainActor @Sendable (@escaping Deliver) -> Void)?
    /// The child that it serves, when that was there before the action: then no `send` waits for it.
    var standingChild: CancelID?
  }

  /// Hands an action to the store and says where it comes from.
  typealias Deliver = @MainActor @Sendable (Action, ActionOrigin) -> Void

  /// Whether there is nothing to be done.
  @usableFromInline package var isNone: Bool {
    if case .none = operation { true } else { false }
  }
}

/// The action inside an effect.
///
/// `Action` need not be `Sendable`: effects are made, looked at and carried out where reducers run,
/// on the main actor, and only the operations of `.run` go elsewhere. The language can't see that.
package struct SentAction<Action>: @unchecked Sendable {
  package let action: Action
}

extension Effect {
  /// Nothing is to be done.
  public static var none: Effect { Effect(operation: .none) }

  /// Hands another action to the store, within the same `send`.
  ///
  /// - Parameters:
  ///   - action: The action.
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

  /// Does work that takes time and sends actions as it goes.
  ///
  /// The work starts after the action that returned the effect has been handled, never within it.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task, that of the caller when nil.
  ///   - name: What a recording calls the effect.
  ///   - operation: The work.
  ///   - handler: Takes the error that the work threw. Without it the error is an issue.
  ///     Cancellation is no error, and neither is what is thrown by a cancelled effect.
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

  /// Does work that takes time, and states its input for recordings.
  ///
  /// ```swift
  /// return .run(name: "search", input: state.query) { [query = state.query] send in ... }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the task, that of the caller when nil.
  ///   - name: What a recording calls the effect.
  ///   - input: What the work depends on; a replay compares it.
  ///   - operation: The work.
  ///   - handler: Takes the error that the work threw.
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
  /// Sends what a publisher publishes.
  ///
  /// ```swift
  /// return .publisher {
  ///   reachability.changes.map { .reachabilityChanged($0) }
  /// }
  /// ```
  ///
  /// The store subscribes on the main actor, after the action that returned the effect has been handled, and cancels the
  /// subscription when it cancels the effect. Actions arrive in the order in which they are published.
  ///
  /// - Parameters:
  ///   - createPublisher: Makes the publisher. It is called at once.
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
    // Publishers are not `Sendable`; this one is used on the main actor alone, where reducers make it.
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
  /// Does the work.
  ///
  /// - Returns: The error that the work threw, nil when it was cancelled instead.
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

/// Hands actions from an effect to the store.
///
/// ```swift
/// .run { send in await send(.tick) }
/// ```
///
/// Does nothing once the effect is cancelled.
@MainActor
public struct Send<Action>: Sendable {
  private let send: @MainActor @Sendable (Action) -> Void

  /// Makes one of a function.
  nonisolated public init(send: @escaping @MainActor @Sendable (Action) -> Void) {
    self.send = send
  }

  /// Hands an action to the store.
  public func callAsFunction(_ action: Action) {
    guard !Task.isCancelled else { return }
    send(action)
  }

  nonisolated func pulledBack<Child>(
    by transform: @escaping @Sendable (Child) -> Action
  ) -> Send<Child> {
    let send = send
    return Send<Child> { send(transform($0)) }
  }
}

/// The `Send` of a feature: `SendOf<Feature>` for `Send<Feature.Action>`.
public typealias SendOf<R: Reducer> = Send<R.Action>
