import Foundation
import Synchronization

/// A registry of the temporary files and child processes that must not outlive this process.
///
/// Work that completes removes its own entries. On a signal, the registry removes the files and ends the processes. The
/// process then ends by that signal.
package enum CleanupRegistry {
  private struct RegisteredResources {
    var paths: Set<String> = []
    var sessions: Set<ProcessTree> = []
    /// The terminal that is in raw mode with its original mode, or `nil` if there is none.
    var terminal: (descriptor: Int32, mode: termios)?
    var isWatching = false
  }

  private static let contents = Mutex(RegisteredResources())

  /// The signals that people, shells, and CI send to end a process.
  private static let signals = [SIGHUP, SIGINT, SIGTERM]

  /// The write end of the pipe that carries signal numbers from the handler to the thread.
  private static let wake = Atomic<Int32>(-1)

  /// The number of seconds within which child processes must end by themselves after a signal.
  private static let gracePeriod = 2.0

  /// The number of seconds within which a command must write its partial result.
  private static let partialResultPeriod = 15.0

  /// Starts to handle the signals that end a process.
  ///
  /// Only the command line may call this function, because it affects the complete process. A separate thread handles
  /// the signals, because replays may occupy all threads of the dispatch queues.
  package static func watchSignals() {
    let isFirst = contents.withLock { contents in
      defer { contents.isWatching = true }
      return !contents.isWatching
    }
    var ends: [Int32] = [-1, -1]
    guard isFirst, pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let end = ends[0]
    Thread.detachNewThread {
      // The parent may have blocked the signals, as threads of dispatch queues do. This thread unblocks them.
      var mask = sigset_t()
      sigemptyset(&mask)
      for signal in signals { sigaddset(&mask, signal) }
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      var number: UInt8 = 0
      while true {
        let count = read(end, &number, 1)
        if count == 1 {
          handleSignal(Int32(number))
        } else if count == 0 || errno != EINTR {
          return
        }
      }
    }
    wake.store(ends[1], ordering: .releasing)
    for number in signals {
      // A signal that the parent ignored stays ignored, for example with `nohup`.
      var old = sigaction()
      guard sigaction(number, nil, &old) == 0, !isIgnored(old) else { continue }
      signal(number) { number in
        // A signal handler may call only async-signal-safe functions.
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(CleanupRegistry.wake.load(ordering: .acquiring), &byte, 1)
        errno = code
      }
    }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
    let handler = action.__sigaction_u.__sa_handler
    #else
    let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Requests a partial result from the command, or ends the process if the command can't write one.
  private static func handleSignal(_ number: Int32) {
    guard Interruption.process.request(by: number) else {
      // A second signal ends the process at once.
      terminate(by: number, gracePeriod: Interruption.process.isRequested ? 0 : gracePeriod)
    }
    // Only the sessions that exist now are ended. Processes that the command starts later contribute to its partial
    // result.
    let sessions = contents.withLock(\.sessions)
    Thread.detachNewThread {
      ProcessTree.terminate(sessions, by: number, gracePeriod: gracePeriod) { session in
        contents.withLock { $0.sessions.contains(session) }
      }
      usleep(useconds_t(partialResultPeriod * 1e6))
      terminate(by: number)
    }
  }

  /// Ends the child processes, removes the files, and ends this process by a signal.
  ///
  /// - Parameters:
  ///   - number: The number of the signal.
  ///   - gracePeriod: The number of seconds within which the child processes must end by themselves.
  package static func terminate(by number: Int32, gracePeriod: Double = Self.gracePeriod) -> Never {
    contents.withLock { contents -> Never in
      ProcessTree.terminate(contents.sessions, by: number, gracePeriod: gracePeriod)
      for path in contents.paths { remove(path) }
      if var terminal = contents.terminal {
        _ = tcsetattr(terminal.descriptor, TCSANOW, &terminal.mode)
      }
      signal(number, SIG_DFL)
      var mask = sigset_t()
      sigemptyset(&mask)
      sigaddset(&mask, number)
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      raise(number)
      // The lock is held until the end, so that no entries are added. Usually, the signal has already ended the process
      // here.
      _exit(128 + number)
    }
  }

  /// Removes a file or folder.
  ///
  /// The removal is repeated, because other threads may still add files to the folder.
  private static func remove(_ path: String) {
    for _ in 0..<100 where access(path, F_OK) == 0 {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

extension CleanupRegistry {
  /// Registers a file or folder to be removed at exit.
  ///
  /// - Returns: Whether the path was not registered before.
  @discardableResult
  package static func add(_ path: String) -> Bool {
    contents.withLock { $0.paths.insert(path).inserted }
  }

  /// Unregisters a file or folder that has been removed or must be kept.
  package static func forget(_ path: String) { contents.withLock { _ = $0.paths.remove(path) } }

  /// Registers a terminal whose mode must be restored at exit.
  ///
  /// - Parameters:
  ///   - descriptor: The file descriptor of the terminal.
  ///   - mode: The original mode, or `nil` if it has been restored.
  package static func setTerminal(_ descriptor: Int32, _ mode: termios?) {
    contents.withLock { $0.terminal = mode.map { (descriptor, $0) } }
  }

  /// Starts a process that leads a session, and registers the session.
  ///
  /// While `start` runs, no signal is handled, and no other process is started, which could inherit the ends of pipes.
  ///
  /// - Parameter start: A closure that starts the process.
  /// - Returns: The session of the started process.
  /// - Throws: The error of `start`.
  package static func addSession<Failure>(
    _ start: () throws(Failure) -> ProcessTree
  ) throws(Failure) -> ProcessTree {
    try contents.withLock { contents throws(Failure) in
      let session = try start()
      contents.sessions.insert(session)
      return session
    }
  }

  /// Unregisters a session, which must be done before the system can reuse the leader's process ID.
  package static func forget(_ session: ProcessTree) {
    contents.withLock { _ = $0.sessions.remove(session) }
  }
}
