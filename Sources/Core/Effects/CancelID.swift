import ActionLog

extension CancelID {
  /// An id of the feature whose reducer or effect is running.
  init<ID: Hashable & Sendable>(here id: ID) {
    self.init(id, path: DependencyValues._current.navigationPath)
  }
}

extension Effect {
  /// Lets an effect be cancelled by an id while it runs.
  ///
  /// ```swift
  /// .run { send in ... }.cancellable(id: CancelID.search, cancelInFlight: true)
  /// ```
  ///
  /// - Parameters:
  ///   - id: A value of a type of the feature's own, such as a private enum.
  ///   - cancelInFlight: Whether effects under the same id are cancelled when this one starts.
  /// - Returns: The effect.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    // One that does nothing still cancels what is in flight.
    if isNone && !cancelInFlight { return self }
    return Effect(
      operation: .cancellable(self, CancelID(here: id), cancelInFlight: cancelInFlight)
    )
  }

  /// Cancels the effects that run under an id in this feature and those presented by it.
  ///
  /// - Parameters:
  ///   - id: The id given to `cancellable(id:)`.
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
  /// Cancels the effects of the running store that an id reaches.
  ///
  /// ```swift
  /// .run { send in
  ///   Task.cancel(id: CancelID.timer)
  /// }
  /// ```
  ///
  /// - Parameter id: The id given to `cancellable(id:)` or `withTaskCancellation(id:)`.
  public static func cancel(id: some Hashable & Sendable) {
    let context = EffectContext.current
    (context?.registry ?? .outsideStores).cancel(
      CancelID(here: id),
      cause: context.map { .effect($0.tags) } ?? .other
    )
  }
}

/// Runs an operation that can be cancelled by an id, a part of an effect.
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
///   - id: The id.
///   - cancelInFlight: Whether what runs under the id is cancelled first.
///   - isolation: The actor of the caller.
///   - operation: What is run.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
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
  // The operation may cancel its own id, so it begins when the id reaches it.
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

/// The effect that the current task belongs to, for functions that an effect calls without a parameter for it:
/// `Task.cancel(id:)` and `withTaskCancellation(id:)`.
struct EffectContext: Sendable {
  @TaskLocal static var current: EffectContext?

  let registry: EffectRegistry
  let tags: [EffectTag]
  /// The observers of the effect's calls; `nil` when there are none, and in code that is not the effect's own.
  var calls: CallScope?

  /// Runs code in the effect's task that is not the effect's own: the reducers and observers of a store.
  static func withoutCalls(_ operation: () -> Void) {
    guard var context = current, context.calls != nil else { return operation() }
    context.calls = nil
    $current.withValue(context, operation: operation)
  }
}
