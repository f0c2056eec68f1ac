import ActionLog
import Dispatch
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A process that leads a session of its own, so that all processes that it starts in turn can be ended with it.
///
/// Made with `posix_spawn`, because only the end of the process itself counts, even if processes that it has started keep
/// its files open.
package struct ChildProcess: Sendable {
  /// The session that the process leads.
  package let session: ProcessSession
  /// The end of the pipe to its standard input, if there is one; the caller closes it.
  package let input: Int32?
  /// The end of the pipe from its standard output, if there is one; the caller closes it.
  package let output: Int32?
  /// The end of the pipe from its standard error, if there is one; the caller closes it.
  package let error: Int32?

  /// The kind of one of its standard streams.
  package enum Stream: Equatable {
    /// A pipe to this process.
    case pipe
    /// The stream of this process.
    case inherited
    /// An existing file.
    case file(String)

    /// Nothing.
    package static let null = Stream.file("/dev/null")
  }

  /// An error number of the system.
  package struct SystemError: Error {
    package let code: Int32
  }

  /// Starts an executable, which gets descriptors of this process besides its streams, by their numbers there; throws the system's
  /// error number.
  ///
  /// A child that shares the terminal stays in the session of this process: only there can it read what is typed.
  package init(
    _ path: String,
    arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment,
    input: Stream = .pipe,
    output: Stream = .pipe,
    error: Stream = .inherited,
    inheriting descriptors: [Int32: Int32] = [:],
    sharesTerminal: Bool = false
  ) throws(SystemError) {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // This process ignores these, which a child would inherit.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    // Who waits for a child at the terminal ignores it meanwhile.
    if sharesTerminal { sigaddset(&signals, SIGINT) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The calling thread may block some, if it is one of the system's own.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        | (sharesTerminal ? 0 : Self.newSession)
    )
    let mark = ProcessSession.makeMark()
    let environment = environment.merging([ProcessSession.variable: mark]) { $1 }
    let streams = [input, output, error]
    var ends: [Int32?] = [nil, nil, nil]
    var id = pid_t()
    // The pipes are made within, because another child must not inherit their ends and so keep them open.
    session = try CleanupRegistry.addSession { () throws(SystemError) -> ProcessSession in
      var pipes: [Pipe] = []
      defer { for pipe in pipes { close(pipe.child) } }
      do throws(SystemError) {
        for (number, stream) in streams.enumerated() {
          switch stream {
          case .inherited: break
          case .file(let path):
            let mode = number == 0 ? O_RDONLY : O_WRONLY | O_APPEND
            posix_spawn_file_actions_addopen(&actions, Int32(number), path, mode, 0)
          case .pipe:
            let pipe = try Pipe(isInput: number == 0)
            pipes.append(pipe)
            ends[number] = pipe.own
            posix_spawn_file_actions_adddup2(&actions, pipe.child, Int32(number))
          }
        }
        for (own, child) in descriptors {
          posix_spawn_file_actions_adddup2(&actions, own, child)
        }
        let code = Self.withCStrings([path] + arguments) { arguments in
          Self.withCStrings(environment.map { "\($0)=\($1)" }) { environment in
            posix_spawn(&id, path, &actions, &attributes, arguments, environment)
          }
        }
        guard code == 0 else { throw SystemError(code: code) }
      } catch {
        for pipe in pipes { close(pipe.own) }
        throw error
      }
      return ProcessSession(leader: id, mark: mark)
    }
    (self.input, self.output, self.error) = (ends[0], ends[1], ends[2])
  }

  /// `POSIX_SPAWN_SETSID` of <spawn.h>, which shows it to GNU sources alone where it is not Apple's.
  private static let newSession: Int16 = Platform.isApple ? 0x400 : 0x80

  private struct Pipe {
    /// The end that stays here.
    let own: Int32
    /// The end that the child gets.
    let child: Int32

    init(isInput: Bool) throws(SystemError) {
      var ends: [Int32] = [0, 0]
      guard Foundation.pipe(&ends) == 0 else { throw SystemError(code: errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (own, child) = isInput ? (ends[1], ends[0]) : (ends[0], ends[1])
    }
  }

  private static func withCStrings<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}

extension ChildProcess {
  /// The number of the process.
  package var id: pid_t { session.leader }

  /// Kills the process and its group, which may keep its output open.
  func kill() { Foundation.kill(-id, SIGKILL) }

  /// Kills the process and all processes that it has started, in any group.
  package func killSession() { ProcessSession.kill([session]) }

  /// Waits for the end of the process, and runs `atEnd` before its number can be used again.
  ///
  /// The rest of its group is killed, and after a request to end also what it has started in any group: once the session is forgotten,
  /// nobody else can.
  ///
  /// - Returns: The status or signal.
  package func wait(atEnd: () -> Void = {}) -> ReplayEnd {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    if Interruption.process.isRequested { killSession() } else { kill() }
    atEnd()
    CleanupRegistry.forget(session)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    // <sys/wait.h>: the signal in the low seven bits, the status in the next eight.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signal(SignalName.of(signal))
  }

  /// Waits for the end of the process, which is watched.
  func wait(_ watchdog: Watchdog) -> ReplayEnd {
    var hasExpired = false
    let end = wait { hasExpired = watchdog.stop() }
    return hasExpired ? .timedOut(watchdog.seconds) : end
  }
}

extension ChildProcess {
  /// Reads the pipes of the process to their ends, and closes them.
  package func readToEnd() -> (output: [UInt8], error: [UInt8]) {
    var streams: [(descriptor: Int32, bytes: [UInt8])] = [(output ?? -1, []), (error ?? -1, [])]
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while streams.contains(where: { $0.descriptor >= 0 }) {
      // A negative descriptor is ignored.
      var entries = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      for index in streams.indices where entries[index].revents != 0 {
        let count = read(streams[index].descriptor, &buffer, buffer.count)
        if count > 0 {
          streams[index].bytes += buffer[..<count]
        } else if count == 0 || errno != EINTR {
          close(streams[index].descriptor)
          streams[index].descriptor = -1
        }
      }
    }
    return (streams[0].bytes, streams[1].bytes)
  }
}

/// Kills a process that exceeds its time limit.
package final class Watchdog: Sendable {
  package let seconds: Double
  private let process: ChildProcess
  private let state = Mutex(State.watching)
  /// A source rather than a block that waits: what is cancelled is gone at once, however many replays there are within the limit.
  private let timer: DispatchSource?
  private let cancellation: Interruption?
  /// The number of the action that waits for the cancellation.
  private let cancelAction = Mutex(Int?.none)

  private enum State {
    case watching
    case expired
    case stopped
  }

  /// Watches a process.
  ///
  /// - Parameters:
  ///   - process: The process.
  ///   - seconds: Its time limit.
  ///   - cancellation: Kills the process when it is requested.
  package init(_ process: ChildProcess, seconds: Double, until cancellation: Interruption? = nil) {
    self.seconds = seconds
    self.process = process
    self.cancellation = cancellation
    timer =
      seconds < Self.forever ? DispatchSource.makeTimerSource() as? DispatchSource : nil
    timer?.setEventHandler { [weak self] in self?.expire() }
    timer?.schedule(deadline: .now() + seconds)
    timer?.activate()
    let number = cancellation?.onRequest { [weak self] in self?.expire() }
    cancelAction.withLock { $0 = number }
  }

  deinit {
    timer?.cancel()
    forgetCancellation()
  }

  private func forgetCancellation() {
    cancellation?.cancelAction(cancelAction.withLock { $0.take() })
  }

  /// Kills the process now, unless it is no longer watched.
  package func expire() {
    state.withLock { state in
      guard state == .watching else { return }
      state = .expired
      // What it has started may keep its output open.
      process.killSession()
    }
  }

  /// Ten years in seconds, with which no clock overflows.
  package static let forever = 3e8

  /// Stops watching.
  ///
  /// - Returns: Whether the process was killed.
  package func stop() -> Bool {
    timer?.cancel()
    forgetCancellation()
    return state.withLock { state in
      defer { state = .stopped }
      return state == .expired
    }
  }
}

/// A file descriptor that is closed with its last reference, so that its number is not another file's while it is in use.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
