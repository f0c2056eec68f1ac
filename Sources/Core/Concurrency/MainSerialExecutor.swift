import Foundation
import Synchronization

/// Runs an asynchronous operation while all tasks of the process run on the main actor's executor, one after the other.
///
/// ```swift
/// @Test @MainActor func ticksComeInOrder() async {
///   await withMainSerialExecutor {
///     let store = TestStore(initialState: Timer.State()) { Timer() }
///     ...
///   }
/// }
/// ```
///
/// Tasks that would otherwise race run in a repeatable order. The change affects the complete process while `operation`
/// runs, so tests that use this function must not run in parallel with other tests.
///
/// - Parameter operation: The operation to run, usually the body of a test.
/// - Throws: The error of the operation.
@MainActor
public func withMainSerialExecutor(
  operation: @MainActor @Sendable () async throws -> Void
) async rethrows {
  let claim = MainSerialExecutorClaim()
  defer { withExtendedLifetime(claim) {} }
  try await operation()
}

/// Runs a synchronous operation while all tasks of the process run on the main actor's executor, one after the other.
///
/// ```swift
/// // In an `XCTestCase`, for all of its tests.
/// override func invokeTest() {
///   withMainSerialExecutor { super.invokeTest() }
/// }
/// ```
///
/// - Parameter operation: The operation to run.
/// - Throws: The error of the operation.
public func withMainSerialExecutor(
  operation: () throws -> Void
) rethrows {
  let claim = MainSerialExecutorClaim()
  defer { withExtendedLifetime(claim) {} }
  try operation()
}

/// Whether all tasks of the process are enqueued on the main actor's executor.
///
/// The previous value is not restored automatically, and concurrent tests can overwrite the current one. Prefer
/// `withMainSerialExecutor`. On a runtime without the required hook, the value is always `false`.
///
/// ```swift
/// override func setUp() { uncheckedUseMainSerialExecutor = true }
/// override func tearDown() { uncheckedUseMainSerialExecutor = false }
/// ```
public var uncheckedUseMainSerialExecutor: Bool {
  get { ExecutorHook.pointer?.pointee != nil }
  set {
    ExecutorHook.pointer?.pointee =
      newValue ? { job, _ in MainActor.shared.enqueue(job) } : nil
  }
}

/// A claim to the main serial executor, which the process uses while any claim exists.
///
/// Claims are counted, because the claims of concurrent tests end in any order.
final class MainSerialExecutorClaim: Sendable {
  private struct Claims {
    var count = 0
    var before = false
  }

  private static let claims = Mutex(Claims())

  init() {
    Self.claims.withLock { claims in
      if claims.count == 0 { claims.before = uncheckedUseMainSerialExecutor }
      claims.count += 1
      uncheckedUseMainSerialExecutor = true
    }
  }

  deinit {
    Self.claims.withLock { claims in
      claims.count -= 1
      if claims.count == 0 { uncheckedUseMainSerialExecutor = claims.before }
    }
  }
}

/// The hook of the Swift runtime through which code can replace the function that enqueues jobs.
private enum ExecutorHook {
  typealias Original = @convention(thin) (UnownedJob) -> Void
  typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// The address of the hook; `nil` if the runtime has no hook, in which case tasks keep their usual executors.
  nonisolated(unsafe) static let pointer: UnsafeMutablePointer<Hook?>? =
    dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook")?
    .assumingMemoryBound(to: Hook?.self)
}

extension Task where Success == Never, Failure == Never {
  /// Suspends repeatedly, so that other tasks can run.
  ///
  /// ```swift
  /// let task = Task { await loader.load() }
  /// await Task.megaYield()  // so that the task reaches its first suspension
  /// ```
  ///
  /// - Parameter count: The number of suspensions.
  public static func megaYield(count: Int = 20) async {
    for _ in 0..<count {
      // The detached task has the lowest priority, so tasks with a higher priority run first.
      await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
    }
  }

  /// Suspends until the current task is canceled.
  ///
  /// - Throws: `CancellationError`, when the task is canceled.
  public static func never() async throws -> Never {
    let stream = AsyncStream<Never> { _ in }
    for await element in stream {
      switch element {}
    }
    throw _Concurrency.CancellationError()
  }
}
