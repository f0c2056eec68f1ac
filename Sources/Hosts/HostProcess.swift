import ActionLog
import Foundation
import ReplayEngine

/// A host in a process of its own, which replays one log after the other.
///
/// It runs as `HOST replay -`, with the logs on its standard input and the replayed logs on its standard output. What it
/// writes to its standard error is held.
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
  ///   - arguments: What it is called with, besides what makes it a host.
  ///   - additions: What its environment has besides this process's own.
  /// - Throws: `HostFailure.cannotStart`.
  init(
    _ path: String,
    arguments: [String],
    environment additions: [String: String] = [:]
  ) throws(HostFailure) {
    self.path = path
    var environment = Self.environment.merging(additions) { $1 }
    environment[ReplayHandshake.variable] = handshake.token
    // Not what somebody asked of this process.
    environment[HostPasses.variable] = additions[HostPasses.variable]
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        path,
        arguments: ["replay", "-"] + arguments,
        environment: environment,
        error: .pipe
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

  /// Takes what the host has written to its standard error since the last call.
  func takeOutput() -> [String] { output?.take() ?? [] }

  deinit {
    guard end == nil else { return }
    // The end of its input is the end of its work.
    input = nil
    let watchdog = watch(seconds: Self.patience)
    _ = process.wait { _ = watchdog.stop() }
  }

  /// This process's own, for a host.
  static var environment: [String: String] {
    // A backtrace of each trap would cost a second and drown the verdict.
    ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  /// Seconds that a host gets to come to an end, or to what it is asked for next.
  static let patience = 2.0

  /// Whether the process can take another log.
  var isAlive: Bool { end == nil }

  /// Begins to write a log to the host.
  func feed(_ log: LogSlice) throws(HostFailure) -> LogFeeder {
    let file = open(log.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0, let input else {
      throw .cannotStart(path, reason: String(cString: strerror(errno)))
    }
    let feeder = LogFeeder(
      log,
      file: Descriptor(file),
      pipe: input,
      separator: LogEvent.header(handshake.separator).line
    )
    // A thread of its own: the host may fill its output before it has read all of its input.
    Thread.detachNewThread { feeder.run() }
    return feeder
  }

  /// The next event that the host gives; `nil` when it has closed its output.
  func next() throws(LogReadError) -> LogEvent? {
    do throws(LogReadError) { return try reader.next()?.event } catch {
      if case .empty = error { return nil }
      throw error
    }
  }

  /// A watchdog over the process.
  func watch(seconds: Double) -> Watchdog { Watchdog(process, seconds: seconds) }

  /// Waits for the end of the process, killing it if it must not go on.
  func stop(isKilled: Bool, _ watchdog: Watchdog) -> ReplayEnd {
    if let end { return end }
    input = nil
    if isKilled { process.kill() }
    var hasBitten = false
    let status = process.wait { hasBitten = watchdog.stop() }
    let end = hasBitten ? .timedOut(watchdog.seconds) : status
    self.end = end
    return end
  }
}
