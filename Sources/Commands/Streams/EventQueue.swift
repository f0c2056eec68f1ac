import Synchronization

/// A queue that transfers events from reader and worker threads to the actor of a server.
package final class EventQueue<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether the queue is empty.
  package var isEmpty: Bool { state.withLock { $0.events.isEmpty } }

  /// Adds an event to the end of the queue.
  package func enqueue(_ event: Event) {
    let waiter = state.withLock { state in
      state.events.append(event)
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Removes and returns the next event, and waits for one if the queue is empty.
  ///
  /// The function waits on the caller's actor, because all other threads may be busy.
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

  /// Removes and returns the next event, or returns `nil` if the queue is empty.
  package func poll() -> Event? {
    state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
  }
}
