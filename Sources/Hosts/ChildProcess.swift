import ActionLog
import Dispatch
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A child process that leads its own session, so that its descendants can be killed with it.
///
/// The process is started with `posix_spawn`. The process counts as ended when it exits, even if descendants keep its
/// files open.
package struct ChildProcess: Sendable {
  package let session: ProcessTree
  /// The parent's end of the pipe to the child's standard input, or `nil` if there is no pipe.
  ///
  /// The caller must close the descriptor.
  package let input: Int32?
  /// The parent's end of the pipe from the child's standard output, or `nil` if there is no pipe.
  ///
  /// The caller must close the descriptor.
  package let output: Int32?
  /// The parent's end of the pipe from the child's standard error, or `nil` if there is no pipe.
  ///
  /// The caller must close the descriptor.
  package let error: Int32?

  /// The file or pipe to which a standard stream of a child is connected.
  package enum Stream: Equatable {
    /// A new pipe to the parent.
    case pipe
    /// The parent's own stream.
    case inherited
    /// An existing file at this path.
    case file(String)

    /// The null device.
    package static let null = Stream.file("/dev/null")
  }

  /// An error that contains the `errno` value of a failed system call.
  package struct SystemError: Error {
    package let code: Int32
  }

  /// Starts an executable.
  ///
  /// Besides the standard streams, the child inherits `descriptors`: the keys are descriptors of this process, and the
  /// values are their numbers in the child. A child that shares the terminal stays in the parent's session, because
  /// other sessions can't read from the terminal.
  ///
  /// - Throws: `SystemError` if the executable can't be started.
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
    // The parent ignores these signals. Without a reset, the child would ignore them too.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    // The parent ignores Ctrl-C while it waits for a child at the terminal.
    if sharesTerminal { sigaddset(&signals, SIGINT) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The calling thread may block signals, for example if it belongs to a dispatch queue.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        | (sharesTerminal ? 0 : Self.newSession)
    )
    let mark = ProcessTree.makeMark()
    let environment = environment.merging([ProcessTree.variable: mark]) { $1 }
    let streams = [input, output, error]
    var ends: [Int32?] = [nil, nil, nil]
    var id = pid_t()
    // The pipes are created under the registry's lock. Otherwise, another child could inherit their ends and keep the
    // pipes open.
    session = try CleanupRegistry.addSession { () throws(SystemError) -> ProcessTree in
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
      return ProcessTree(leader: id, mark: mark)
    }
    (self.input, self.output, self.error) = (ends[0], ends[1], ends[2])
  }

  /// The value of `POSIX_SPAWN_SETSID`.
  ///
  /// On Linux, <spawn.h> declares it only for GNU sources.
  private static let newSession: Int16 = Platform.isApple ? 0x400 : 0x80

  private struct Pipe {
    /// The end of the pipe that the parent keeps.
    let own: Int32
    /// The end of the pipe that the child inherits.
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
  /// The ID of the child process.
  package var id: pid_t { session.leader }

  /// Kills the process and its process group, whose members may keep the output open.
  func kill() { Foundation.kill(-id, SIGKILL) }

  /// Kills the process and all its descendants, in any process group.
  package func killSession() { ProcessTree.kill([session]) }

  /// Waits for the process to end.
  ///
  /// Afterward, the remaining processes of its group are killed. If an interruption was requested, all its descendants
  /// are killed, because the session's processes can't be found later.
  ///
  /// - Parameter atEnd: A closure that is called before the system can reuse the process ID.
  /// - Returns: The exit status or signal with which the process ended.
  package func wait(atEnd: () -> Void = {}) -> ReplayEnd {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    if Interruption.process.isRequested { killSession() } else { kill() }
    atEnd()
    CleanupRegistry.forget(session)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    // <sys/wait.h>: bits 0 to 6 are the signal, bits 8 to 15 are the exit status.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signal(SignalName.of(signal))
  }

  /// Waits for the end of a process, and returns whether it exited, was killed by a signal, or exceeded the time limit
  /// of its watchdog.
  func wait(_ watchdog: Watchdog) -> ReplayEnd {
    var hasExpired = false
    let end = wait { hasExpired = watchdog.stop() }
    return hasExpired ? .timedOut(watchdog.seconds) : end
  }
}

extension ChildProcess {
  /// Reads the pipes from standard output and standard error to their ends, and closes them.
  package func readToEnd() -> (output: [UInt8], error: [UInt8]) {
    var streams: [(descriptor: Int32, bytes: [UInt8])] = [(output ?? -1, []), (error ?? -1, [])]
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while streams.contains(where: { $0.descriptor >= 0 }) {
      // A negative descriptor marks a stream that has ended, which `poll` ignores.
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

/// A file descriptor that is closed when its last reference is released.
///
/// While the descriptor is in use, its number can't refer to another file.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
