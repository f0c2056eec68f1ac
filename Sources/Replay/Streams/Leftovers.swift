import Dispatch
import Foundation
import Synchronization

/// What must not outlive this process, however it is ended: files that nobody else knows of, and processes that work for it.
///
/// What goes on as planned takes its own things away. A signal that asks the process to end leaves no time for that: then
/// it is done here, and the process ends by the signal as it would have without.
enum Leftovers {
  private struct Contents {
    var paths: Set<String> = []
    /// Processes that are the leaders of their groups.
    var processes: Set<pid_t> = []
    var source: (any DispatchSourceRead)?
  }

  private static let contents = Mutex(Contents())

  /// Signals by which people, shells and CI end a process.
  private static let signals = [SIGHUP, SIGINT, SIGTERM]

  /// Where the handler of signals writes the number of each.
  private static let wake = Atomic<Int32>(-1)

  /// Begins to watch for the signals; what belongs to the whole process is the command line's alone to do.
  ///
  /// A source of signals would not do: while the main thread waits for tasks, it takes them itself.
  static func removeWhenInterrupted() {
    contents.withLock { contents in
      guard contents.source == nil else { return }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
      source.setEventHandler { [end = ends[0]] in
        var number: UInt8 = 0
        if read(end, &number, 1) == 1 { self.end(by: Int32(number)) }
      }
      source.resume()
      contents.source = source
      wake.store(ends[1], ordering: .releasing)
      for number in signals {
        // What is ignored, as `nohup` has it, stays so.
        var old = sigaction()
        guard sigaction(number, nil, &old) == 0, !isIgnored(old) else { continue }
        signal(number) { number in
          // No more than a handler may do.
          let code = errno
          var byte = UInt8(truncatingIfNeeded: number)
          _ = write(Leftovers.wake.load(ordering: .acquiring), &byte, 1)
          errno = code
        }
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

  private static func end(by number: Int32) {
    contents.withLock { contents in
      // They may have something to take away themselves.
      for process in contents.processes { kill(-process, number) }
      for path in contents.paths { remove(path) }
      signal(number, SIG_DFL)
      var mask = sigset_t()
      sigemptyset(&mask)
      sigaddset(&mask, number)
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      raise(number)
      // Under the lock up to here, so that nobody leaves anything else; by now the signal has ended the process.
      _exit(128 + number)
    }
  }

  /// Takes away a file or folder; as long as the process lives, something may come into the folder meanwhile.
  private static func remove(_ path: String) {
    for _ in 0..<100 where access(path, F_OK) == 0 {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

extension Leftovers {
  /// Remembers a file or folder.
  static func add(_ path: String) { contents.withLock { _ = $0.paths.insert(path) } }

  /// Forgets a file or folder that has been taken away, or is to stay.
  static func forget(_ path: String) { contents.withLock { _ = $0.paths.remove(path) } }

  /// Starts a process that leads a group, and remembers it; no signal comes in between.
  ///
  /// - Parameter start: Starts the process; `nil` when that is not possible.
  static func addProcess(_ start: () -> pid_t?) {
    contents.withLock { contents in
      if let id = start() { contents.processes.insert(id) }
    }
  }

  /// Forgets a process, while its number is still its own.
  static func forget(process id: pid_t) { contents.withLock { _ = $0.processes.remove(id) } }
}
