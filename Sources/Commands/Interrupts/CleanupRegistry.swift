import Foundation
import Synchronization

/// The temporary files and child processes that must not outlive this process, however it ends.
///
/// Work that completes removes its own. When a signal asks the process to end, they are removed here, and the process then
/// ends by that signal.
package enum CleanupRegistry {
  private struct RegisteredResources {
    var paths: Set<String> = []
    var sessions: Set<ProcessSession> = []
    /// A terminal that gives single keys, and how it was before.
    var terminal: (descriptor: Int32, mode: termios)?
    var isWatching = false
  }

  private static let contents = Mutex(RegisteredResources())

  /// Signals by which people, shells and CI end a process.
  private static let signals = [SIGHUP, SIGINT, SIGTERM]

  /// The descriptor to which the signal handler writes the number of each signal.
  private static let wake = Atomic<Int32>(-1)

  /// Seconds that processes have to end by themselves after a signal, before they are killed.
  private static let gracePeriod = 2.0

  /// Seconds that a command has to write its partial result.
  private static let partialResultPeriod = 15.0

  /// Starts to watch for the signals; only the command line may call it, because it affects the whole process.
  ///
  /// It has a thread of its own, because replays may keep all threads of the system's queues busy.
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
      // The parent may have blocked them, as threads of the system's queues do; this one thread receives them.
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
      // A signal that is ignored, for example by `nohup`, stays ignored.
      var old = sigaction()
      guard sigaction(number, nil, &old) == 0, !isIgnored(old) else { continue }
      signal(number) { number in
        // Only calls that are safe in a signal handler.
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

  /// Lets the command end with a partial result, or ends the process.
  private static func handleSignal(_ number: Int32) {
    guard Interruption.process.request(by: number) else {
      // A second signal ends the process at once.
      terminate(by: number, gracePeriod: Interruption.process.isRequested ? 0 : gracePeriod)
    }
    // Processes that the command starts from now on help with its result.
    let sessions = contents.withLock(\.sessions)
    Thread.detachNewThread {
      ProcessSession.terminate(sessions, by: number, gracePeriod: gracePeriod) { session in
        contents.withLock { $0.sessions.contains(session) }
      }
      usleep(useconds_t(partialResultPeriod * 1e6))
      terminate(by: number)
    }
  }

  /// Ends the processes, removes the files, and ends this process by a signal.
  package static func terminate(by number: Int32, gracePeriod: Double = Self.gracePeriod) -> Never {
    contents.withLock { contents -> Never in
      ProcessSession.terminate(contents.sessions, by: number, gracePeriod: gracePeriod)
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
      // The lock is held up to here, so that nothing is added; by now the signal has ended the process.
      _exit(128 + number)
    }
  }

  /// Removes a file or folder, repeatedly, because other threads may still add to the folder.
  private static func remove(_ path: String) {
    for _ in 0..<100 where access(path, F_OK) == 0 {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

extension CleanupRegistry {
  /// Adds a file or folder.
  ///
  /// - Returns: Whether it was not registered before.
  @discardableResult
  package static func add(_ path: String) -> Bool {
    contents.withLock { $0.paths.insert(path).inserted }
  }

  /// Forgets a file or folder that has been removed, or is to be kept.
  package static func forget(_ path: String) { contents.withLock { _ = $0.paths.remove(path) } }

  /// Takes note of a terminal that is to be as it was when the process ends.
  ///
  /// - Parameters:
  ///   - descriptor: The terminal.
  ///   - mode: How it was; `nil` when it is so again.
  package static func setTerminal(_ descriptor: Int32, _ mode: termios?) {
    contents.withLock { $0.terminal = mode.map { (descriptor, $0) } }
  }

  /// Starts a process that leads a session, and adds the session.
  ///
  /// No signal is handled in between, and no other process is started, which would inherit the ends of pipes.
  ///
  /// - Parameter start: Starts the process.
  /// - Returns: The session.
  /// - Throws: The error of `start`.
  package static func addSession<Failure>(
    _ start: () throws(Failure) -> ProcessSession
  ) throws(Failure) -> ProcessSession {
    try contents.withLock { contents throws(Failure) in
      let session = try start()
      contents.sessions.insert(session)
      return session
    }
  }

  /// Forgets a session, before the number of its leader can be used again.
  package static func forget(_ session: ProcessSession) {
    contents.withLock { _ = $0.sessions.remove(session) }
  }
}
