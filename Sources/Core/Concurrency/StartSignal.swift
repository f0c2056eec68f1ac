import Synchronization

/// A signal that delays a task until its creator can cancel it.
///
/// A new task may start at once on another thread, and its own code may cancel it. It must wait until it is registered.
final class StartSignal: Sendable {
  private enum State {
    case pending
    case awaited(CheckedContinuation<Void, Never>)
    case sent

    var isSent: Bool { if case .sent = self { true } else { false } }
  }

  private let state = Mutex(State.pending)

  /// Resumes the task.
  func send() {
    let waiter = state.withLock { state in
      defer { state = .sent }
      if case .awaited(let waiter) = state { return waiter as CheckedContinuation? }
      return nil
    }
    waiter?.resume()
  }

  /// Waits for the signal, even in a cancelled task, because the signal follows the task's creation immediately.
  func wait() async {
    // The signal has usually been sent by now. An unnecessary suspension would change the order of tasks.
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
