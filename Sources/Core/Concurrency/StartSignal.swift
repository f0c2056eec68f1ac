import Synchronization

/// A signal that delays a task until its creator has registered it.
///
/// A new task can start immediately on another thread, and its own code can cancel it. Only a registered task can be
/// canceled.
final class StartSignal: Sendable {
  private enum State {
    case pending
    case awaited(CheckedContinuation<Void, Never>)
    case sent

    var isSent: Bool { if case .sent = self { true } else { false } }
  }

  private let state = Mutex(State.pending)

  /// Resumes the waiting task, and lets later calls to `wait()` return immediately.
  func send() {
    let waiter = state.withLock { state in
      defer { state = .sent }
      if case .awaited(let waiter) = state { return waiter as CheckedContinuation? }
      return nil
    }
    waiter?.resume()
  }

  /// Waits for the signal, even in a canceled task.
  ///
  /// The wait is short, because the creator always sends the signal immediately after it has registered the task.
  func wait() async {
    // Usually, the signal has already been sent. An unnecessary suspension would change the order of tasks.
    guard !state.withLock({ $0.isSent }) else { return }
    await withCheckedContinuation { continuation in
      let isSent = state.withLock { state in
        if !state.isSent { state = .awaited(continuation) }
        return state.isSent
      }
      if isSent { continuation.resume() }
    }
  }
}
