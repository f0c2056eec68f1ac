import ActionLog
import Dispatch
import Foundation
import ReplayCommands
import Synchronization

/// A queue of received messages for the adapter.
///
/// A separate thread reads the messages, so that a request can be canceled while the adapter works on it.
final class MessageQueue: Sendable {
  /// A message in the queue, or the end of the stream.
  enum QueueItem: Equatable {
    case message(Request.ParseResult)
    /// The end of the stream, either after a complete message or with an error.
    case end(MessageReader.FramingError?)
  }

  private struct State {
    var cancelledRequests: Set<Int> = []
    var cancelledProgress: Set<String> = []
    /// The number of waiting messages that end all work.
    ///
    /// `pauses` counts those that stop only an execution request.
    var ends = 0
    var pauses = 0
  }

  private let items = EventQueue<QueueItem>()
  private let state = Mutex(State())
  private let room = DispatchSemaphore(value: 0)

  /// The maximum number of waiting messages.
  ///
  /// If a client sends more messages without waiting for responses, reading pauses.
  private static let mostWaiting = 4096

  init() {
    // The semaphore starts at 0, because it must not be destroyed with a lower value than its initial one. A client may
    // disconnect while messages wait.
    for _ in 0..<Self.mostWaiting { room.signal() }
  }

  /// Reads messages on a separate thread until the stream ends.
  func fill(from handle: FileHandle) {
    Thread.detachNewThread { [self] in
      var reader = MessageReader(handle)
      while true {
        do throws(MessageReader.FramingError) {
          guard let message = try reader.next() else { return enqueue(.end(nil)) }
          switch message {
          case .json(let json): enqueue(.message(Request.read(json)))
          case .malformed(let error): enqueue(.message(.unanswerable(.malformed("\(error)"))))
          }
        } catch {
          return enqueue(.end(error))
        }
      }
    }
  }

  private func enqueue(_ item: QueueItem) {
    room.wait()
    // The item is counted before it is enqueued, so that it can't be dequeued first.
    state.withLock { state in
      if item.endsWork { state.ends += 1 }
      if item.endsWay { state.pauses += 1 }
      if case .message(.request(let request)) = item, request.command == "cancel",
        state.cancelledRequests.count + state.cancelledProgress.count < Self.mostWaiting
      {
        if let id = request.arguments["requestId"]?.int { state.cancelledRequests.insert(id) }
        if let id = request.arguments["progressId"]?.string { state.cancelledProgress.insert(id) }
      }
    }
    items.enqueue(item)
  }

  /// Removes and returns the next item.
  ///
  /// If the queue is empty, the call waits for an item.
  func dequeue(isolation: isolated (any Actor)? = #isolation) async -> QueueItem {
    let item = await items.dequeue(isolation: isolation)
    countOut(item)
    return item
  }

  /// Removes and returns the next item, or `nil` if the queue is empty.
  func poll() -> QueueItem? {
    let item = items.poll()
    if let item { countOut(item) }
    return item
  }

  private func countOut(_ item: QueueItem) {
    state.withLock { state in
      if item.endsWork { state.ends -= 1 }
      if item.endsWay { state.pauses -= 1 }
    }
    room.signal()
  }

  /// Whether the queue has items.
  var hasItems: Bool { !items.isEmpty }

  /// Whether a `pause` request is waiting.
  var hasPause: Bool { state.withLock { $0.pauses > 0 } }

  /// Returns whether a request was canceled.
  func wasCancelled(_ request: Int) -> Bool {
    state.withLock { $0.cancelledRequests.contains(request) }
  }

  /// Returns whether the work on a request is obsolete.
  ///
  /// This is the case if the request or its progress was canceled, or if a waiting message ends all work.
  func isCancelled(_ request: Int, progress: String? = nil) -> Bool {
    state.withLock { state in
      state.ends > 0 || state.cancelledRequests.contains(request)
        || progress.map { state.cancelledProgress.contains($0) } ?? false
    }
  }

  /// Removes a request from the canceled requests, after it has been answered.
  func finish(_ request: Int) {
    state.withLock { _ = $0.cancelledRequests.remove(request) }
  }
}

extension MessageQueue.QueueItem {
  /// Whether the item makes the results of all other work obsolete.
  fileprivate var endsWork: Bool {
    switch self {
    case .end: true
    case .message(.request(let request)): ["disconnect", "terminate"].contains(request.command)
    case .message: false
    }
  }

  /// Whether the item stops an execution request.
  fileprivate var endsWay: Bool {
    if case .message(.request(let request)) = self { request.command == "pause" } else { false }
  }
}
