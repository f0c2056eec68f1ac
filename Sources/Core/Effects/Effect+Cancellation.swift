import ActionLog

extension CancelID {
  /// Creates an id in the namespace of the feature whose reducer or effect is running.
  init<ID: Hashable & Sendable>(here id: ID) {
    self.init(id, path: DependencyValues._current.navigationPath)
  }
}

extension Effect {
  /// Makes an effect cancellable by an id while it runs.
  ///
  /// ```swift
  /// .run { send in ... }.cancellable(id: CancelID.search, cancelInFlight: true)
  /// ```
  ///
  /// - Parameters:
  ///   - id: A value of a type that only this feature uses, such as a private enum.
  ///   - cancelInFlight: Whether starting this effect first cancels the effects with the same id.
  /// - Returns: The cancellable effect.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    // An empty effect still cancels the effects in flight.
    if isNone && !cancelInFlight { return self }
    return Effect(
      operation: .cancellable(self, CancelID(here: id), cancelInFlight: cancelInFlight)
    )
  }

  /// Cancels the effects with an id in this feature and in the features that it presents.
  ///
  /// - Parameters:
  ///   - id: The id that was passed to `cancellable(id:)`.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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
  /// Cancels the current store's effects with an id.
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

/// Runs a part of an effect as an operation that can be cancelled by an id.
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
///   - id: The cancellation id.
///   - cancelInFlight: Whether to first cancel the effects and operations with the same id.
///   - isolation: The actor of the caller.
///   - operation: The code to run.
/// - Returns: The result of the operation.
/// - Throws: The errors of the operation.
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
  // The operation may cancel its own id. It starts after its registration, so that the id reaches it.
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
