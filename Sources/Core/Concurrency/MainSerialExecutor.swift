import Foundation
import Synchronization

/// Runs a test with all tasks on the main actor's executor, one after the other.
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
/// A race of tasks becomes an order that repeats. This holds for the whole process while the
/// operation runs, so tests that use it must not run in parallel with others.
///
/// - Parameter operation: What is run.
/// - Throws: What the operation throws.
@MainActor
public func withMainSerialExecutor(
  operation: @MainActor @Sendable () async throws -> Void
) async rethrows {
  let claim = MainSerialExecutorClaim()
  defer { withExtendedLifetime(claim) {} }
  try await operation()
}

/// Runs a synchronous operation whose tasks go to the main actor's executor.
///
/// ```swift
/// // In an `XCTestCase`, for all of its tests.
/// override func invokeTest() {
///   withMainSerialExecutor { super.invokeTest() }
/// }
/// ```
///
/// - Parameter operation: What is run.
/// - Throws: What the operation throws.
public func withMainSerialExecutor(
  operation: () throws -> Void
) rethrows {
  let claim = MainSerialExecutorClaim()
  defer { withExtendedLifetime(claim) {} }
  try operation()
}

/// Whether all tasks of the process are enqueued on the main actor's executor.
///
/// Unchecked: nothing restores it, and a test that runs at the same time may set it to something else. Prefer `withMainSerialExecutor`.
/// On a runtime without the hook that this needs, it is always false.
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

/// A claim to the main serial executor for the whole process, which holds as long as there is any claim.
///
/// Claims are counted: those of tests that run at the same time end in any order.
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

/// The Swift runtime asks this hook, when it is set, where to put a job.
private enum ExecutorHook {
  typealias Original = @convention(thin) (UnownedJob) -> Void
  typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Nil on a runtime without the hook, where tasks keep their usual executors.
  nonisolated(unsafe) static let pointer: UnsafeMutablePointer<Hook?>? =
    dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook")?
    .assumingMemoryBound(to: Hook?.self)
}

extension Task where Success == Never, Failure == Never {
  /// Suspends many times, so that whatever can run gets its turn.
  ///
  /// ```swift
  /// let task = Task { await loader.load() }
  /// await Task.megaYield()  // so that the task reaches its first suspension
  /// ```
  ///
  /// - Parameter count: How often.
  public static func megaYield(count: Int = 20) async {
    for _ in 0..<count {
      // The lowest priority, so that all others come first.
      await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
    }
  }

  /// Suspends until the task is cancelled.
  ///
  /// - Throws: `CancellationError`, always.
  public static func never() async throws -> Never {
    let stream = AsyncStream<Never> { _ in }
    for await element in stream {
      switch element {}
    }
    throw _Concurrency.CancellationError()
  }
}
