import ActionLog

extension CancelID {
  /// Creates an id at the navigation path of the feature whose reducer or effect is running.
  ///
  /// Canceling the id reaches the effects with equal ids of that feature and of the features that it presents.
  init<ID: Hashable & Sendable>(here id: ID) {
    self.init(id, path: DependencyValues._current.navigationPath)
  }
}

extension Effect {
  /// Returns an effect that can be canceled by an id while it runs.
  ///
  /// ```swift
  /// .run { send in ... }.cancellable(id: CancelID.search, cancelInFlight: true)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The cancellation id, of a type that only this feature uses, such as a private enum.
  ///   - cancelInFlight: Whether starting this effect first cancels the effects with the same id.
  /// - Returns: An effect that `cancel(id:)` can cancel.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    // With `cancelInFlight`, even an empty effect cancels the running effects with the same id.
    if isNone && !cancelInFlight { return self }
    return Effect(
      operation: .cancellable(self, CancelID(here: id), cancelInFlight: cancelInFlight)
    )
  }

  /// Returns an effect that cancels the running effects with an id.
  ///
  /// ```swift
  /// return .cancel(id: CancelID.search)
  /// ```
  ///
  /// Cancels effects of this feature and of the features that it presents.
  ///
  /// - Parameters:
  ///   - id: The id that was passed to `cancellable(id:)`.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends no actions.
  public static func cancel(
    id: some Hashable & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Effect(operation: .cancel(CancelID(here: id), location))
  }
}

extension Task where Success == Never, Failure == Never {
  /// Cancels the effects with an id in the store whose effect is running.
  ///
  /// ```swift
  /// .run { send in
  ///   Task.cancel(id: CancelID.timer)
  /// }
  /// ```
  ///
  /// - Parameter id: The id that was passed to `cancellable(id:)` or `withTaskCancellation(id:)`.
  public static func cancel(id: some Hashable & Sendable) {
    let context = EffectContext.current
    (context?.registry ?? .outsideStores).cancel(
      CancelID(here: id),
      cause: context.map { .effect($0.tags) } ?? .other
    )
  }
}

/// Runs an operation inside an effect so that the operation can be canceled by an id.
///
/// ```swift
/// return .run { send in
///   await send(.started)
///   try await withTaskCancellation(id: CancelID.upload, cancelInFlight: true) {
///     try await api.upload(file)
///   }
/// }
/// ```
///
/// - Parameters:
///   - id: The cancellation id, of a type that only this feature uses, such as a private enum.
///   - cancelInFlight: Whether to first cancel the running effects and operations with the same id.
///   - isolation: The actor of the caller, on which the function waits for the operation.
///   - operation: The operation to run, in a task of its own.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation.
public func withTaskCancellation<T: Sendable, Failure: Error>(
  id: some Hashable & Sendable,
  cancelInFlight: Bool = false,
  isolation: isolated (any Actor)? = #isolation,
  operation: @escaping @Sendable () async throws(Failure) -> T
) async throws(Failure) -> T {
  let context = EffectContext.current
  let registry = context?.registry ?? .outsideStores
  let (leaf, _) = registry.start(
    under: CancelID(here: id),
    cancelInFlight: cancelInFlight,
    cause: context.map { .effect($0.tags) } ?? .other
  )
  // The operation can cancel its own id, so it must not start before its registration is complete.
  let registration = StartSignal()
  let task = Task { () async -> Result<T, Failure> in
    await registration.wait()
    do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
  }
  registry.attach(leaf) { task.cancel() }
  registration.send()
  let result = await withTaskCancellationHandler {
    await task.value
  } onCancel: {
    task.cancel()
  }
  registry.finishOutsideOfActions(leaf)
  return try result.get()
}
