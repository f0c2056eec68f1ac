import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A host in a process of its own, which replays one log after the other.
///
/// It runs as `HOST replay -`, with the logs on its standard input and the replayed logs on its standard output. Its
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
  ///   - path: The executable.
  ///   - arguments: Its arguments after `replay -`.
  ///   - additions: Variables of its environment in addition to this process's own.
  ///   - isPausing: Whether it is to be debugged: then its standard error is that of this process.
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

  /// Takes the lines of the host's standard error since the last call.
  func takeOutput() -> [String] { output?.drain() ?? [] }

  deinit {
    guard end == nil else { return }
    // The host ends with its input.
    input = nil
    let watchdog = watch(seconds: Self.gracePeriod)
    _ = process.wait { _ = watchdog.stop() }
  }

  /// The environment of this process, for a host that replays: with a seed for its hashes, so that replays repeat.
  static var environment: [String: String] {
    let own = ProcessInfo.processInfo.environment
    // A backtrace of each trap would take a second and hide the verdict.
    return own.merging(HashSeed.additions(to: own)) { $1 }
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  /// Seconds that a host has to end, or to finish a log that is no longer needed.
  static let gracePeriod = 2.0

  /// Whether the process can take another log.
  var isAlive: Bool { end == nil }

  /// Starts to write a log to the host.
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
    // A thread of its own, because the host may fill its output before it has read all of its input.
    Thread.detachNewThread { hostInput.run() }
    return hostInput
  }

  /// The next event of the host; `nil` when it has closed its output.
  func next() throws(LogReadError) -> LogEvent? {
    do throws(LogReadError) { return try reader.next()?.event } catch {
      switch error {
      case .empty, .tornHeader: return nil
      default: throw error
      }
    }
  }

  /// A watchdog over the process, which also kills it on a cancellation.
  func watch(seconds: Double, until cancellation: Interruption? = nil) -> Watchdog {
    Watchdog(process, seconds: seconds, until: cancellation)
  }

  /// Waits for the end of the process, or kills it.
  func stop(isKilled: Bool, _ watchdog: Watchdog) -> ReplayEnd {
    if let end { return end }
    input = nil
    if isKilled { process.killSession() }
    let end = process.wait(watchdog)
    self.end = end
    return end
  }
}

/// Replaces this process by another host.
package enum HostExecution {
  /// Becomes the host, with the standard streams of this process; returns only with an error.
  package static func become(_ host: String, arguments: [String]) throws(HostFailure) {
    try check(host)
    // A host that takes its own path from the environment or the settings would become itself again and again.
    setenv(CommandContext.hostVariable, "", 1)
    throw replace(by: host, arguments: arguments)
  }

  /// Runs a command of a host with the standard streams of this process, and waits for its end.
  ///
  /// - Parameters:
  ///   - host: The path of the executable.
  ///   - arguments: The arguments.
  ///   - isSilent: Whether nobody sees what it prints on standard output.
  /// - Returns: The status or signal.
  /// - Throws: `HostFailure` when it is no host, or cannot be started.
  package static func run(
    _ host: String,
    arguments: [String],
    isSilent: Bool = false
  ) throws(HostFailure) -> ReplayEnd {
    try check(host)
    // Ctrl-C is for the host alone, which ends its recording.
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

  /// Becomes another program, with the standard streams of this process; returns only with an error.
  static func replace(by path: String, arguments: [String]) -> HostFailure {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_DFL) }
    // Who started this process may have blocked some, as threads of the system's queues do. A debugger waits for SIGCHLD.
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

  /// Asks an executable for its features, so that one that is not a host does not end this process with its own status.
  static func check(_ host: String) throws(HostFailure) { _ = try features(of: host) }

  /// What the types of a host's features say that logs can reach; `nil` for a host that cannot say.
  ///
  /// - Parameters:
  ///   - host: The path of the executable.
  ///   - timeout: How many seconds it may take.
  /// - Returns: What its types say, feature by feature.
  /// - Throws: `HostFailure` when the executable is not a host.
  package static func outlines(
    of host: String,
    timeout: Double
  ) throws(HostFailure) -> [FeatureOutline]? {
    do throws(HostFailure) {
      return try features(of: host, ["--cases"], timeout: timeout)
        .compactMap { FeatureOutline(json: $0) }
    } catch {
      // A host of an earlier version does not know the option.
      guard case .silent(_, .exited(ExitStatus.usage.rawValue), _) = error else { throw error }
      return nil
    }
  }

  /// The features of a host, as it writes them.
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
        // A build that counts its lines would write the counts into the working folder.
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
