import Foundation

/// A process that reads from and writes to this one through pipes, and shares its standard error unless that goes to a file.
///
/// Made with `posix_spawn`, because the end of the process itself is what counts here, whatever it may have started in turn
/// that goes on with its files.
struct ChildProcess: Sendable {
  /// The process.
  let id: pid_t
  /// Where its standard input is written.
  let input: Int32
  /// Where its standard output is read.
  let output: Int32

  /// Starts an executable; throws the system's error number.
  init(
    _ path: String,
    arguments: [String],
    environment: [String: String],
    errorPath: String? = nil
  ) throws(SystemError) {
    let input = try Self.pipe()
    let output: Pipe
    do { output = try Self.pipe() } catch {
      input.close()
      throw error
    }
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
    posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
    if let errorPath {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, O_WRONLY | O_APPEND, 0)
    }
    // This process ignores SIGPIPE, which a child would inherit.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // So does the thread from which this is called block some, if it is one of the system's own.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    // A group of its own, so that what the process starts can be ended with it.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP)
    )
    var id = pid_t()
    var code: Int32 = 0
    Self.withCStrings([path] + arguments) { arguments in
      Self.withCStrings(environment.map { "\($0)=\($1)" }) { environment in
        Leftovers.addProcess {
          code = posix_spawn(&id, path, &actions, &attributes, arguments, environment)
          return code == 0 ? id : nil
        }
      }
    }
    close(input.reading)
    close(output.writing)
    guard code == 0 else {
      close(input.writing)
      close(output.reading)
      throw SystemError(code: code)
    }
    self.id = id
    self.input = input.writing
    self.output = output.reading
  }

  /// An error number of the system.
  struct SystemError: Error {
    let code: Int32
  }

  private struct Pipe {
    let reading: Int32
    let writing: Int32

    func close() {
      Foundation.close(reading)
      Foundation.close(writing)
    }
  }

  private static func pipe() throws(SystemError) -> Pipe {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else { throw SystemError(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return Pipe(reading: ends[0], writing: ends[1])
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
  /// Kills the process and all that it has started, which may hold its output open.
  func kill() { Foundation.kill(-id, SIGKILL) }

  /// Waits for the end of the process, runs `atEnd` while its number is still its own, and says how it ended.
  func wait(atEnd: () -> Void) -> ReplayEnd {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    Leftovers.forget(process: id)
    atEnd()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    // As <sys/wait.h> has it: the signal in the low seven bits, the status in the next eight.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signal(SignalName.of(signal))
  }
}
