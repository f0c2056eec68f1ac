import ActionLog
import Foundation
import ReplayEngine
import Synchronization
internal import TCACore

/// A socket through which a debugger moves a timeline.
///
/// The socket stays open until the listener is closed or deallocated.
///
/// ```swift
/// let listener = try timeline.listen(at: "/tmp/app.sock")
/// listener.close()
/// ```
public final class TimelineListener: Sendable {
  private let listener: SocketListener
  private let connection = Mutex<Connection?>(nil)

  /// A debugger's connection, which another thread may shut down.
  private struct Connection: @unchecked Sendable {
    // `shutDown()` may be called on any thread. All other calls come from the thread that serves the debugger.
    let socket: LineSocket
  }

  fileprivate init(_ listener: SocketListener) { self.listener = listener }

  deinit { close() }

  /// Removes the socket, and closes the connection to a debugger if there is one.
  ///
  /// ```swift
  /// listener.close()
  /// ```
  public func close() {
    unlink(AttachProtocol.tokenPath(of: listener.path))
    listener.shutDown()
    connection.withLock { $0?.socket.shutDown() }
  }

  /// Serves one debugger after another.
  fileprivate static func serve(
    _ listener: SocketListener,
    token: String,
    for owner: @escaping @Sendable () -> TimelineListener?,
    _ answer: @escaping @MainActor @Sendable (JSON?) -> TimelineAnswer
  ) {
    while let socket = listener.accept() {
      let connection = Connection(socket: socket)
      owner()?.connection.withLock { $0 = connection }
      try? serve(socket, token: token, answer)
      owner()?.connection.withLock { $0 = nil }
    }
  }

  private static func serve(
    _ socket: LineSocket,
    token: String,
    _ answer: @escaping @MainActor @Sendable (JSON?) -> TimelineAnswer
  ) throws {
    guard try socket.receive()?[AttachProtocol.token]?.string == token else {
      return try socket.send([AttachProtocol.error: "the token is not that of this socket"])
    }
    try socket.send([:])
    // The debugger has disconnected, so the app returns to the present.
    defer { _ = onMainActor { answer(nil) } }
    while let request = try socket.receive() {
      let answer = onMainActor { answer(request) }
      try socket.send(answer.json)
      try socket.send(answer.bytes)
    }
  }

  /// Runs a closure on the main actor, and waits until it returns.
  ///
  /// Must be called on another thread, which the function blocks.
  private static func onMainActor(
    _ work: @escaping @MainActor @Sendable () -> TimelineAnswer
  ) -> TimelineAnswer {
    let done = DispatchSemaphore(value: 0)
    let box = AnswerBox()
    Task { @MainActor in
      let answer = work()
      box.answer.withLock { $0 = answer }
      done.signal()
    }
    done.wait()
    return box.answer.withLock { $0 }
  }

  private final class AnswerBox: Sendable {
    let answer = Mutex(TimelineAnswer(json: [:]))
  }
}

/// An answer to a debugger: a line of JSON, and the bytes that follow the line.
private struct TimelineAnswer: Sendable {
  var json: JSON
  var bytes: [UInt8] = []
}

extension StoreTimeline {
  /// Lets a command-line debugger move this timeline and the running app.
  ///
  /// ```swift
  /// #if DEBUG
  /// let listener = try timeline.listen(at: "/tmp/app.sock")
  /// #endif
  /// ```
  ///
  /// ```text
  /// $ tca-replay debug --attach /tmp/app.sock
  /// ```
  ///
  /// Only the user who runs the app can connect. The file `app.sock.token` next to the socket contains the token, and
  /// has the same permissions. A simulator shares the files of its Mac, so a debugger on the Mac can attach to an app
  /// in the simulator.
  ///
  /// - Parameter path: The path of the socket. An abandoned socket at this path is replaced.
  /// - Returns: The listener, which removes the socket when it is deallocated.
  /// - Throws: An error that describes the problem with the path.
  public func listen(at path: String) throws -> TimelineListener {
    let socket = try SocketListener(at: path)
    var random = SystemRandomNumberGenerator()
    let token = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
    do { try Self.write(token, to: AttachProtocol.tokenPath(of: path)) } catch {
      socket.shutDown()
      throw error
    }
    let listener = TimelineListener(socket)
    let thread = Thread { [weak listener, weak self] in
      let (owner, timeline) = (WeakBox(listener), WeakBox(self))
      TimelineListener.serve(socket, token: token, for: { owner.object }) { request in
        timeline.object?.answer(request)
          ?? TimelineAnswer(json: [AttachProtocol.error: "the timeline has gone"])
      }
    }
    thread.name = "timeline"
    thread.start()
    return listener
  }

  /// Writes the token to a file that only its owner can read.
  private static func write(_ token: String, to path: String) throws {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SocketError.system(path: path, code: errno) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data(token.utf8))
  }

  /// Answers a request from a debugger, or returns to the present if `request` is `nil` because the debugger has
  /// disconnected.
  private func answer(_ request: JSON?) -> TimelineAnswer {
    guard let request else {
      returnToPresent()
      return TimelineAnswer(json: [:])
    }
    switch request[AttachProtocol.request]?.string {
    case "log":
      do {
        try prepareHistory()
        let bytes = try branches.lines()
        return TimelineAnswer(
          json: [AttachProtocol.bytes: .number(JSON.Number(bytes.count))],
          bytes: bytes
        )
      } catch { return TimelineAnswer(json: [AttachProtocol.error: .string("\(error)")]) }
    case "move": if let seq = request[AttachProtocol.seq]?.int { position = seq }
    default: return TimelineAnswer(json: [AttachProtocol.error: "the request is not known"])
    }
    if let problem { return TimelineAnswer(json: [AttachProtocol.error: .string(problem)]) }
    return TimelineAnswer(json: [AttachProtocol.seq: .number(JSON.Number(position))])
  }
}

/// A box with a weak reference that can be passed to another thread.
private final class WeakBox<Object: AnyObject & Sendable>: Sendable {
  private let reference: Mutex<Reference>

  private struct Reference: Sendable {
    weak var object: Object?
  }

  init(_ object: Object?) { reference = Mutex(Reference(object: object)) }

  var object: Object? { reference.withLock { $0.object } }
}
