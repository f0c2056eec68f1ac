package import ComposableArchitecture
import Synchronization

#if canImport(Combine)
import Combine
#endif

extension Effect {
  /// The actions that an effect sends in the call that starts it.
  ///
  /// Starts the effect, and cancels it at once. Its tasks run until they first suspend.
  package var actionsSentAtOnce: [Action] {
    let sent = SentActions<Action>()
    // A canceled task runs until it waits, and may ask a client that a test has not replaced.
    withIssueReporters([]) {
      _EffectPublisher(self).sink { sent.append($0) }.cancel()
    }
    return sent.all
  }
}

/// The actions that a subscription has received.
private final class SentActions<Action>: Sendable {
  private struct Sent: @unchecked Sendable { let action: Action }

  private let sent = Mutex<[Sent]>([])

  func append(_ action: Action) {
    let action = Sent(action: action)
    sent.withLock { $0.append(action) }
  }

  var all: [Action] { sent.withLock { $0 }.map(\.action) }
}
