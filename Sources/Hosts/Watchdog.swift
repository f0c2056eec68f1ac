import Dispatch
import Foundation
import Synchronization

/// Kills a process that takes too long.
package final class Watchdog: Sendable {
  package let seconds: Double
  private let state = Mutex(State.watching)

  private enum State {
    case watching
    case bitten
    case stopped
  }

  package init(_ process: ChildProcess, seconds: Double) {
    self.seconds = seconds
    guard seconds < Self.forever else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.state.withLock { state in
        guard state == .watching else { return }
        state = .bitten
        process.kill()
      }
    }
  }

  /// Ten years, which no clock that is asked to wait overflows with.
  package static let forever = 3e8

  /// Stops watching and says whether the process was killed.
  package func stop() -> Bool {
    state.withLock { state in
      defer { state = .stopped }
      return state == .bitten
    }
  }
}
