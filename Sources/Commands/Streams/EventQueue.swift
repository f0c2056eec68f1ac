import Synchronization

/// The events that wait for the actor of a server, from the threads that read and work.
package final class EventQueue<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether no event waits.
  package var isEmpty: Bool { state.withLock { $0.events.isEmpty } }

  /// Adds an event.
  package func enqueue(_ event: Event) {
    let waiter = state.withLock { state in
      state.events.append(event)
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Takes the next event, and waits for it, on the actor of the caller: there may be no other thread that is free.
  package func dequeue(isolation: isolated (any Actor)? = #isolation) async -> Event {
    while true {
      if let event = poll() { return event }
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.events.isEmpty { state.waiter = continuation }
          return !state.events.isEmpty
        }
        if isThere { continuation.resume() }
      }
    }
  }

  /// Takes the next event, if there is one.
  package func poll() -> Event? {
    state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
  }
}
