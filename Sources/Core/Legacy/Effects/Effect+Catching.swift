extension Effect {
  /// Returns an effect that converts this effect's values and errors into actions.
  ///
  /// ```swift
  /// return Effect.task { try await api.fact(number) }
  ///   .catchToEffect(Action.factResponse)
  /// ```
  ///
  /// Cancellation is not an error. An error of a type other than `Failure` reports an issue.
  ///
  /// - Parameter transform: A closure that returns the action for a value or an error.
  /// - Returns: An effect that sends an action for each value and for the error.
  @available(*, deprecated, message: "Catch errors inside of \"run\".")
  public func catchToEffect<Other, Failure: Error>(
    _ transform: @escaping (Result<Action, Failure>) -> Other
  ) -> Effect<Other> {
    // The function is usually an enum case, which Swift 5 doesn't treat as a `@Sendable` function.
    nonisolated(unsafe) let transform = transform
    return replacingRuns { run in
      let operation = run.operation
      return { send in
        let sendResult = send.pulledBack { transform(.success($0)) }
        do {
          try await operation(sendResult)
        } catch is CancellationError {
          return
        } catch {
          guard let failure = error as? Failure else { throw error }
          await send(SentAction(action: transform(.failure(failure))))
        }
      }
    } send: {
      transform(.success($0))
    }
  }

  /// Returns an effect that converts this effect's values and errors into results.
  @available(*, deprecated, message: "Catch errors inside of \"run\".")
  public func catchToEffect() -> Effect<Result<Action, any Error>> {
    results()
  }

  /// Returns an effect that converts this effect's values, and its errors of one type, into results.
  @_disfavoredOverload
  @available(*, deprecated, message: "Catch errors inside of \"run\".")
  public func catchToEffect<Failure: Error>() -> Effect<Result<Action, Failure>> {
    results()
  }

  private func results<Failure: Error>() -> Effect<Result<Action, Failure>> {
    replacingRuns { run in
      let operation = run.operation
      return { send in
        do {
          try await operation(send.pulledBack { .success($0) })
        } catch is CancellationError {
          return
        } catch {
          guard let failure = error as? Failure else { throw error }
          await send(.failure(failure))
        }
      }
    } send: {
      .success($0)
    }
  }

  /// Returns an effect of the same structure with replaced operations and actions.
  ///
  /// - Parameters:
  ///   - run: A closure that returns the operation that replaces the one of a `run` node.
  ///   - send: A closure that returns the action that replaces the one of a `send` node, or `nil` to send none.
  /// - Returns: An effect with the same ids, names, and source locations.
  func replacingRuns<Other>(
    _ run: (Run) -> @Sendable (Send<Other>) async throws -> Void,
    send: (Action) -> Other?
  ) -> Effect<Other> {
    switch operation {
    case .none: return .none
    case .send(let sent, let leaf):
      guard let action = send(sent.action) else { return .none }
      return Effect<Other>(operation: .send(SentAction(action: action), leaf))
    case .run(let old):
      let new = Effect<Other>.Run(
        leaf: old.leaf,
        priority: old.priority,
        input: old.input,
        operation: run(old),
        handler: nil
      )
      return Effect<Other>(operation: .run(new))
    case .merge(let effects):
      return .merge(effects.map { $0.replacingRuns(run, send: send) })
    case .concatenate(let effects):
      return .concatenate(effects.map { $0.replacingRuns(run, send: send) })
    case .cancellable(let effect, let id, let cancelInFlight):
      let inner = effect.replacingRuns(run, send: send)
      return Effect<Other>(operation: .cancellable(inner, id, cancelInFlight: cancelInFlight))
    case .cancel(let id, let location):
      return Effect<Other>(operation: .cancel(id, location))
    }
  }
}
