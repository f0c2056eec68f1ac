import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// Functions that run a host with the standard streams of this process.
package enum HostExecution {
  /// Replaces this process with the host, and returns only by throwing an error.
  package static func become(_ host: String, arguments: [String]) throws(HostFailure) {
    try check(host)
    // Prevents an endless loop, in which the host would read its own path from the environment or the settings and
    // replace itself.
    setenv(CommandContext.hostVariable, "", 1)
    throw replace(by: host, arguments: arguments)
  }

  /// Runs a command of a host with the standard streams of this process, and waits for its end.
  ///
  /// - Parameters:
  ///   - host: The path of the executable.
  ///   - arguments: The command and its arguments.
  ///   - isSilent: Whether to discard the host's standard output.
  /// - Returns: The exit status or signal with which the host ended.
  /// - Throws: `HostFailure` if the executable is not a host or can't be started.
  package static func run(
    _ host: String,
    arguments: [String],
    isSilent: Bool = false
  ) throws(HostFailure) -> ReplayEnd {
    try check(host)
    // Ctrl-C must end only the host's recording, so this process ignores the signal.
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    do throws(ChildProcess.SystemError) {
      return try ChildProcess(
        host,
        arguments: arguments,
        environment: HostProcess.environment.merging([CommandContext.hostVariable: ""]) { $1 },
        input: .inherited,
        output: isSilent ? .null : .inherited,
        sharesTerminal: true
      ).wait()
    } catch {
      throw .cannotStart(host, reason: String(cString: strerror(error.code)))
    }
  }

  /// Replaces this process with another program, which keeps the standard streams.
  ///
  /// - Returns: The reason why the program can't be started. On success, the function does not return.
  static func replace(by path: String, arguments: [String]) -> HostFailure {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_DFL) }
    // The calling thread may block signals, as threads of dispatch queues do. A debugger needs SIGCHLD.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
    var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    pointers.append(nil)
    execv(path, pointers)
    let code = errno
    for pointer in pointers { free(pointer) }
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    return .cannotStart(path, reason: String(cString: strerror(code)))
  }

  /// Verifies that an executable is a host by listing its features.
  ///
  /// Without this check, the exit status of an arbitrary program would become the status of this process.
  static func check(_ host: String) throws(HostFailure) { _ = try features(of: host) }

  /// Returns the cases and members that can occur in logs, according to the types of a host's features.
  ///
  /// - Parameters:
  ///   - host: The path of the executable.
  ///   - timeout: The time limit in seconds.
  /// - Returns: One outline per feature, or `nil` if the host does not support outlines.
  /// - Throws: `HostFailure` if the executable is not a host.
  package static func outlines(
    of host: String,
    timeout: Double
  ) throws(HostFailure) -> [FeatureOutline]? {
    do throws(HostFailure) {
      return try features(of: host, ["--cases"], timeout: timeout)
        .compactMap { FeatureOutline(json: $0) }
    } catch {
      // Earlier versions of a host don't support the option for outlines.
      guard case .silent(_, .exited(ExitStatus.usage.rawValue), _) = error else { throw error }
      return nil
    }
  }

  /// Returns the features of a host as the JSON that it prints.
  private static func features(
    of host: String,
    _ options: [String] = [],
    timeout: Double = ReplayOptions.defaultTimeout
  ) throws(HostFailure) -> [JSON] {
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        host,
        arguments: ["features", "--format", "json"] + options,
        // The environment prevents a build with coverage from writing its profile into the working folder.
        environment: HostProcess.environment
          .merging([CommandContext.hostVariable: "", "LLVM_PROFILE_FILE": "/dev/null"]) { $1 },
        input: .null,
        error: options.isEmpty ? .inherited : .null
      )
    } catch {
      throw .cannotStart(host, reason: String(cString: strerror(error.code)))
    }
    let output = process.output.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
    let watchdog = Watchdog(process, seconds: timeout)
    let answer = try? output?.readToEnd()
    var hasExpired = false
    let end = process.wait { hasExpired = watchdog.stop() }
    guard !hasExpired else { throw .timedOut(watchdog.seconds, at: 0) }
    let json = answer.flatMap { try? JSON(parsing: $0) }
    guard end == .exited(0), let features = json?["features"]?.array else {
      throw .silent(host, end, said: [])
    }
    return features
  }
}
