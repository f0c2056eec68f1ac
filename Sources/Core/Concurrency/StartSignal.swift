import Synchronization

/// Holds a task back until its maker can cancel it.
///
/// A task may run as soon as it is made, on another thread, and its own code may cancel it. It waits until it is registered.
final class StartSignal: Sendable {
  private enum State {
    case pending
    case awaited(CheckedContinuation<Void, Never>)
    case sent

    var isSent: Bool { if case .sent = self { true } else { false } }
  }

  private let state = Mutex(State.pending)

  /// Lets the task go on.
  func send() {
    let waiter = state.withLock { state in
      defer { state = .sent }
      if case .awaited(let waiter) = state { return waiter as CheckedContinuation? }
      return nil
    }
    waiter?.resume()
  }

  /// Waits for the signal, also in a cancelled task: it comes right after the task was made.
  func wait() async {
    // The signal has usually been sent by now. A suspension would change the order of tasks.
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
