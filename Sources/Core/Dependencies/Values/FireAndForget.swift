/// Starts work that nobody waits for.
///
/// ```swift
/// @Dependency(\.fireAndForget) var fireAndForget
/// await fireAndForget { try await analytics.track("tapped") }
/// ```
///
/// It goes on when its caller is cancelled. In tests the work is done before the call returns, so that a test knows when it
/// has been.
public struct FireAndForget: Sendable {
  /// The work.
  public typealias Operation = @Sendable () async throws -> Void

  private let perform: @Sendable (TaskPriority?, @escaping Operation) async -> Void

  /// Makes one of a function that takes a priority and the work.
  public init(
    _ perform: @escaping @Sendable (TaskPriority?, @escaping Operation) async -> Void
  ) {
    self.perform = perform
  }

  /// Starts work; an error that it throws is an issue, apart from a `CancellationError`.
  ///
  /// - Parameters:
  ///   - priority: The priority of the work's task, that of the caller when nil.
  ///   - operation: The work.
  public func callAsFunction(
    priority: TaskPriority? = nil,
    _ operation: @escaping Operation
  ) async {
    await perform(priority, operation)
  }
}

private enum FireAndForgetKey: DependencyKey {
  static let liveValue = FireAndForget { priority, operation in
    _ = start(priority, operation)
  }
  static let testValue = FireAndForget { priority, operation in
    await start(priority, operation).value
  }

  private static func start(
    _ priority: TaskPriority?,
    _ operation: @escaping FireAndForget.Operation
  ) -> Task<Void, Never> {
    Task(priority: priority) {
      do { try await operation() } catch is CancellationError {} catch { reportIssue(error) }
    }
  }
}

extension DependencyValues {
  /// Starts work that nobody waits for.
  public var fireAndForget: FireAndForget {
    get { self[FireAndForgetKey.self] }
    set { self[FireAndForgetKey.self] = newValue }
  }
}
