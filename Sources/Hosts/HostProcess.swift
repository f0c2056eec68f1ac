import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A host in its own process that replays one log after another.
///
/// It runs as `HOST replay -`: it reads logs from standard input, and writes the replayed logs to standard output. Its
/// standard error is collected.
final class HostProcess {
  let path: String
  let handshake = ReplayHandshake()
  private let process: ChildProcess
  private var input: Descriptor?
  private var reader: LogReader
  private let output: HostOutput?
  private var end: ReplayEnd?

  /// Starts a host.
  ///
  /// - Parameters:
  ///   - path: The path of the executable.
  ///   - arguments: The arguments after `replay -`.
  ///   - additions: Environment variables in addition to those of this process.
  ///   - isPausing: Whether a debugger will attach to the host. If so, the host shares this process's standard error.
  /// - Throws: `HostFailure.cannotStart`.
  init(
    _ path: String,
    arguments: [String],
    environment additions: [String: String] = [:],
    isPausing: Bool = false
  ) throws(HostFailure) {
    self.path = path
    var environment = Self.environment.merging(additions) { $1 }
    environment[ReplayHandshake.variable] = handshake.token
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        path,
        arguments: ["replay", "-"] + arguments,
        environment: environment,
        error: isPausing ? .inherited : .pipe
      )
    } catch {
      throw .cannotStart(path, reason: String(cString: strerror(error.code)))
    }
    input = process.input.map { Descriptor($0) }
    reader = LogReader(
      FileHandle(fileDescriptor: process.output ?? -1, closeOnDealloc: true),
      name: path
    )
    output = process.error.map { HostOutput($0) }
  }

  /// Removes and returns the lines of the host's standard error since the last call.
  func takeOutput() -> [String] { output?.drain() ?? [] }

  deinit {
    guard end == nil else { return }
    // Closing the input ends the host.
    input = nil
    let watchdog = watch(seconds: Self.gracePeriod)
    _ = process.wait { _ = watchdog.stop() }
  }

  /// The environment for a host that replays: that of this process, with a hash seed that makes replays reproducible.
  static var environment: [String: String] {
    let own = ProcessInfo.processInfo.environment
    // Disables backtraces: one takes about a second and hides the verdict.
    return own.merging(HashSeed.additions(to: own)) { $1 }
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  /// The time limit in seconds for a host to end, or to finish a log that is no longer needed.
  static let gracePeriod = 2.0

  /// Whether the process is still running and can replay another log.
  var isAlive: Bool { end == nil }

  /// Starts to write a log to the host in the background.
  func write(_ log: LogSlice) throws(HostFailure) -> HostInput {
    let file = open(log.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0, let input else {
      throw .cannotStart(path, reason: String(cString: strerror(errno)))
    }
    let hostInput = HostInput(
      log,
      file: Descriptor(file),
      pipe: input,
      separator: LogEvent.header(handshake.separator).line
    )
    // Uses a separate thread, because the host may fill its output pipe before it has read all of its input.
    Thread.detachNewThread { hostInput.run() }
    return hostInput
  }

  /// Returns the next event from the host, or `nil` if it has closed its output.
  func next() throws(LogReadError) -> LogEvent? {
    do throws(LogReadError) { return try reader.next()?.event } catch {
      switch error {
      case .empty, .tornHeader: return nil
      default: throw error
      }
    }
  }

  /// Starts a watchdog for the process, which also kills it on a cancellation.
  func watch(seconds: Double, until cancellation: Interruption? = nil) -> Watchdog {
    Watchdog(process, seconds: seconds, until: cancellation)
  }

  /// Kills the process or waits for its end.
  func stop(isKilled: Bool, _ watchdog: Watchdog) -> ReplayEnd {
    if let end { return end }
    input = nil
    if isKilled { process.killSession() }
    let end = process.wait(watchdog)
    self.end = end
    return end
  }
}

/// Runs a host with the standard streams of this process, or replaces this process with it.
package enum HostExecution {
  /// Replaces this process with the host.
  ///
  /// Returns only by throwing an error.
  package static func become(_ host: String, arguments: [String]) throws(HostFailure) {
    try check(host)
    // Prevents a loop: the host would otherwise read its own path from the environment or the settings and replace
    // itself.
    setenv(CommandContext.hostVariable, "", 1)
    throw replace(by: host, arguments: arguments)
  }

  /// Runs a command of a host with the standard streams of this process, and waits for its end.
  ///
  /// - Parameters:
  ///   - host: The path of the executable.
  ///   - arguments: The arguments.
  ///   - isSilent: Whether to discard the host's standard output.
  /// - Returns: The exit status or signal.
  /// - Throws: `HostFailure` if the executable is not a host or can't be started.
  package static func run(
    _ host: String,
    arguments: [String],
    isSilent: Bool = false
  ) throws(HostFailure) -> ReplayEnd {
    try check(host)
    // Only the host handles Ctrl-C: it ends its recording.
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

  /// Replaces this process with another program that keeps the standard streams.
  ///
  /// Returns only if that fails.
  static func replace(by path: String, arguments: [String]) -> HostFailure {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_DFL) }
    // The parent may have blocked signals, as threads of dispatch queues do. A debugger needs SIGCHLD.
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
  /// Otherwise this process would end with the exit status of an arbitrary program.
  static func check(_ host: String) throws(HostFailure) { _ = try features(of: host) }

  /// Returns the cases and members that logs can reach, according to the types of the features of a host.
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
      // Earlier versions of a host don't support the option.
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
        // A build with coverage would write its profile into the working folder.
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
