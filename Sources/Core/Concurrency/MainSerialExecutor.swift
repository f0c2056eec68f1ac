import Foundation

/// Runs a test with all tasks on the main actor's executor, one after the other.
///
/// What would be a race of tasks becomes an order that repeats. It holds for the whole process
/// while the operation runs, so tests that use it must not run beside others.
///
/// - Parameter operation: What is run.
@MainActor
public func withMainSerialExecutor(
  operation: @MainActor @Sendable () async throws -> Void
) async rethrows {
  let before = uncheckedUseMainSerialExecutor
  defer { uncheckedUseMainSerialExecutor = before }
  uncheckedUseMainSerialExecutor = true
  try await operation()
}

/// Runs a synchronous operation whose tasks go to the main actor's executor.
///
/// - Parameter operation: What is run.
public func withMainSerialExecutor(
  operation: () throws -> Void
) rethrows {
  let before = uncheckedUseMainSerialExecutor
  defer { uncheckedUseMainSerialExecutor = before }
  uncheckedUseMainSerialExecutor = true
  try operation()
}

/// Whether all tasks of the process are enqueued on the main actor's executor.
public var uncheckedUseMainSerialExecutor: Bool {
  get { ExecutorHook.pointer?.pointee != nil }
  set {
    ExecutorHook.pointer?.pointee =
      newValue ? { job, _ in MainActor.shared.enqueue(job) } : nil
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
