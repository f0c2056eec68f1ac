import Dispatch
import Synchronization

/// The events that wait for the server, from the threads that read and work.
final class EventQueue<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  init() {}

  /// Adds an event.
  func put(_ event: Event) {
    let waiter = state.withLock { state in
      state.events.append(event)
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Takes the next event, and waits for it.
  func take(isolation: isolated (any Actor)? = #isolation) async -> Event {
    while true {
      let event = state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
      if let event { return event }
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.events.isEmpty { state.waiter = continuation }
          return !state.events.isEmpty
        }
        if isThere { continuation.resume() }
      }
    }
  }
}
