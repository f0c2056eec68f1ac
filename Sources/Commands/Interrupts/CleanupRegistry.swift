import Foundation
import Synchronization

/// What must not outlive this process, however it is ended: files that nothing else knows of, and processes that work for it.
///
/// Work that comes to its end removes its own. A signal that asks the process to end leaves no time for that: then it is
/// done here, and the process ends by the signal as it would have without.
package enum CleanupRegistry {
  private struct Contents {
    var paths: Set<String> = []
    /// Processes that are the leaders of their sessions.
    var processes: Set<pid_t> = []
    var isWatching = false
  }

  private static let contents = Mutex(Contents())

  /// Signals by which people, shells and CI end a process.
  private static let signals = [SIGHUP, SIGINT, SIGTERM]

  /// Where the handler of signals writes the number of each.
  private static let wake = Atomic<Int32>(-1)

  /// Seconds that processes get to end by themselves after a signal, before they are killed.
  private static let patience = 2.0

  /// Seconds that a command gets to write its result so far.
  private static let longestEnding = 15.0

  /// Begins to watch for the signals; what belongs to the whole process is the command line's alone to do.
  ///
  /// The thread is one of its own: replays may keep all threads of the system's queues busy.
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
      // Who starts this process may have blocked them, as threads of the system's queues do: this one thread takes them.
      var mask = sigset_t()
      sigemptyset(&mask)
      for signal in signals { sigaddset(&mask, signal) }
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      var number: UInt8 = 0
      while true {
        let count = read(end, &number, 1)
        if count == 1 { take(Int32(number)) } else if count == 0 || errno != EINTR { return }
      }
    }
    wake.store(ends[1], ordering: .releasing)
    for number in signals {
      // What is ignored, as `nohup` has it, stays so.
      var old = sigaction()
      guard sigaction(number, nil, &old) == 0, !isIgnored(old) else { continue }
      signal(number) { number in
        // No more than a handler may do.
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

  /// Lets the command end with its result so far, or ends the process.
  private static func take(_ number: Int32) {
    guard Interruption.process.request(by: number) else {
      // A second signal is impatience.
      end(by: number, patience: Interruption.process.isRequested ? 0 : patience)
    }
    // What the command starts from now on belongs to its ending.
    let processes = contents.withLock(\.processes)
    Thread.detachNewThread {
      ProcessSession.end(processes, by: number, patience: patience) { leader in
        contents.withLock { $0.processes.contains(leader) }
      }
      usleep(useconds_t(longestEnding * 1e6))
      end(by: number)
    }
  }

  /// Ends the processes, removes the files, and ends this process by a signal.
  package static func end(by number: Int32, patience: Double = Self.patience) -> Never {
    contents.withLock { contents -> Never in
      ProcessSession.end(contents.processes, by: number, patience: patience)
      for path in contents.paths { remove(path) }
      signal(number, SIG_DFL)
      var mask = sigset_t()
      sigemptyset(&mask)
      sigaddset(&mask, number)
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      raise(number)
      // Under the lock up to here, so that nothing else is left; by now the signal has ended the process.
      _exit(128 + number)
    }
  }

  /// Removes a file or folder; as long as the process lives, something may come into the folder meanwhile.
  private static func remove(_ path: String) {
    for _ in 0..<100 where access(path, F_OK) == 0 {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

extension CleanupRegistry {
  /// Remembers a file or folder.
  ///
  /// - Returns: Whether it is new here.
  @discardableResult
  package static func add(_ path: String) -> Bool {
    contents.withLock { $0.paths.insert(path).inserted }
  }

  /// Forgets a file or folder that has been removed, or is to stay.
  package static func forget(_ path: String) { contents.withLock { _ = $0.paths.remove(path) } }

  /// Starts a process that leads a session, and remembers it.
  ///
  /// No signal comes in between, and no other process is started, which would inherit the ends of pipes.
  ///
  /// - Parameter start: Starts the process.
  /// - Throws: What `start` throws.
  package static func addProcess<Failure>(_ start: () throws(Failure) -> pid_t) throws(Failure) {
    try contents.withLock { contents throws(Failure) in
      let id = try start()
      contents.processes.insert(id)
    }
  }

  /// Forgets a process, while its number is still its own.
  package static func forget(process id: pid_t) {
    contents.withLock { _ = $0.processes.remove(id) }
  }
}
