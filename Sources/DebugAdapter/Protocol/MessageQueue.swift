import ActionLog
import Dispatch
import Foundation
import ReplayCommands
import Synchronization

/// The messages that have come and wait for the adapter.
///
/// One thread reads them, so that a request can be cancelled while another thread works on it.
final class MessageQueue: Sendable {
  /// The messages that wait for the adapter.
  enum QueueItem: Equatable {
    case message(Request.Reading)
    /// The stream has ended: after a whole message, or because of an error.
    case end(MessageReader.FramingError?)
  }

  private struct State {
    var cancelledRequests: Set<Int> = []
    var cancelledProgress: Set<String> = []
    /// How many messages wait that end all work, and how many that end a way.
    var ends = 0
    var pauses = 0
  }

  private let items = EventQueue<QueueItem>()
  private let state = Mutex(State())
  private let room = DispatchSemaphore(value: 0)

  /// Messages: a client that sends more without waiting for answers is read no further.
  private static let mostWaiting = 4096

  init() {
    // A semaphore must not go with less than it began with, and a client may leave with messages waiting.
    for _ in 0..<Self.mostWaiting { room.signal() }
  }

  /// Reads messages on a thread of their own, until the stream ends.
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
    // Before the item can be taken, so that it is never counted out first.
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

  /// Takes the next item, and waits for it.
  func dequeue(isolation: isolated (any Actor)? = #isolation) async -> QueueItem {
    let item = await items.dequeue(isolation: isolation)
    countOut(item)
    return item
  }

  /// Takes the next item, if there is one.
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

  /// Whether something waits.
  var hasItems: Bool { !items.isEmpty }

  /// Whether a request to stand still waits.
  var hasPause: Bool { state.withLock { $0.pauses > 0 } }

  /// Whether a request was cancelled.
  func wasCancelled(_ request: Int) -> Bool {
    state.withLock { $0.cancelledRequests.contains(request) }
  }

  /// Whether nobody waits for long work: its request was cancelled, or its progress was, or everything ends.
  func isCancelled(_ request: Int, progress: String? = nil) -> Bool {
    state.withLock { state in
      state.ends > 0 || state.cancelledRequests.contains(request)
        || progress.map { state.cancelledProgress.contains($0) } ?? false
    }
  }

  /// Forgets that a request was cancelled, once it was answered.
  func finish(_ request: Int) {
    state.withLock { _ = $0.cancelledRequests.remove(request) }
  }
}

extension MessageQueue.QueueItem {
  /// Whether nobody waits for the results of other work after it.
  fileprivate var endsWork: Bool {
    switch self {
    case .end: true
    case .message(.request(let request)): ["disconnect", "terminate"].contains(request.command)
    case .message: false
    }
  }

  /// Whether the log is to stand still for it.
  fileprivate var endsWay: Bool {
    if case .message(.request(let request)) = self { request.command == "pause" } else { false }
  }
}
