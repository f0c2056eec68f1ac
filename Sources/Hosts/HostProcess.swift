import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A host in its own process that replays one log after another.
///
/// The process runs as `HOST replay -`. It reads logs from standard input, and writes the replayed logs to standard
/// output. Its standard error is collected.
final class HostProcess {
  let path: String
  let handshake = ReplayHandshake()
  private let process: ChildProcess
  private var input: Descriptor?
  private var reader: LogReader
  private let output: HostOutput?
  private var end: ReplayEnd?

  /// Starts the process of a host.
  ///
  /// - Parameters:
  ///   - path: The path of the executable.
  ///   - arguments: The arguments after `replay -`.
  ///   - additions: The environment variables to add to those of this process.
  ///   - isPausing: Whether a debugger will attach to the host. If so, the host shares this process's standard error.
  /// - Throws: `HostFailure.cannotStart` if the executable can't be started.
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

  /// Removes and returns the lines that the host has written to standard error since the last call.
  func drainOutput() -> [String] { output?.drain() ?? [] }

  deinit {
    guard end == nil else { return }
    // Closing the input ends the host.
    input = nil
    let watchdog = watch(seconds: Self.gracePeriod)
    _ = process.wait { _ = watchdog.stop() }
  }

  /// The environment for a host: the environment of this process, with a hash seed that makes replays reproducible.
  static var environment: [String: String] {
    let own = ProcessInfo.processInfo.environment
    // Backtraces are disabled, because a backtrace takes about a second and hides the verdict.
    return own.merging(HashSeed.additions(to: own)) { $1 }
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  /// The number of seconds within which a host must end, or must finish a log whose replay is no longer needed.
  static let gracePeriod = 2.0

  /// Whether the process is still running and can replay another log.
  var isAlive: Bool { end == nil }

  /// Starts to write a log to the host in the background.
  ///
  /// - Throws: `HostFailure` if the log can't be opened.
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
    // A separate thread writes the log, because the host may fill its output pipe before it has read all of its input.
    Thread.detachNewThread { hostInput.run() }
    return hostInput
  }

  /// Returns the next event from the host, or `nil` if the host has closed its output.
  func next() throws(LogReadError) -> LogEvent? {
    do throws(LogReadError) { return try reader.next()?.event } catch {
      switch error {
      case .empty, .tornHeader: return nil
      default: throw error
      }
    }
  }

  /// Starts a watchdog that kills the process at the time limit or when an interruption is requested.
  func watch(seconds: Double, until cancellation: Interruption? = nil) -> Watchdog {
    Watchdog(process, seconds: seconds, until: cancellation)
  }

  /// Kills the process or waits for its end, and returns the reason why it ended.
  func stop(isKilled: Bool, _ watchdog: Watchdog) -> ReplayEnd {
    if let end { return end }
    input = nil
    if isKilled { process.killSession() }
    let end = process.wait(watchdog)
    self.end = end
    return end
  }
}
