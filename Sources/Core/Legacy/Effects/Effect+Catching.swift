extension Effect {
  /// Turns what an effect sends, and the error that it throws, into actions.
  ///
  /// ```swift
  /// return Effect.task { try await api.fact(number) }
  ///   .catchToEffect(Action.factResponse)
  /// ```
  ///
  /// Cancellation is no error. An error of another type than the actions hold is an issue.
  ///
  /// - Parameter transform: Makes an action of a result.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Catch errors inside of \"run\".")
  public func catchToEffect<Other, Failure: Error>(
    _ transform: @escaping (Result<Action, Failure>) -> Other
  ) -> Effect<Other> {
    // Usually a case; Swift 5 does not see that cases are functions that can go anywhere.
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

  /// Turns what an effect sends, and the error that it throws, into results.
  @available(*, deprecated, message: "Catch errors inside of \"run\".")
  public func catchToEffect() -> Effect<Result<Action, any Error>> {
    results()
  }

  /// Turns what an effect sends, and the error that it throws, into results with errors of one type.
  ///
  /// An error of another type is an issue.
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

  /// The effect with other work in the place of each work, and other actions in the place of those that it sends at once.
  ///
  /// - Parameters:
  ///   - run: Makes the work.
  ///   - send: Makes the action; nil sends none.
  /// - Returns: The effect, with the same ids, names and places.
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
