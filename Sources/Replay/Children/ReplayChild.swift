import ActionLog
import Foundation

/// A host in a process of its own, which replays one log.
///
/// It runs as `HOST replay -`, with the log on its standard input and the replayed log on its standard output. What it
/// writes to its standard error goes to ours.
final class ReplayChild: RunningReplay {
  private let process: ChildProcess
  private var reader: LogReader
  private let watchdog: Watchdog

  /// Starts a host.
  init(host: String, arguments: [String], log: LogSlice, timeout: Double) throws(HostFailure) {
    var environment = ProcessInfo.processInfo.environment
    // A backtrace of each trap would cost a second and drown the verdict.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment[Self.mark] = "1"
    let file = open(log.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw .cannotStart(host, reason: String(cString: strerror(errno)))
    }
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        host,
        arguments: ["replay", "-"] + arguments,
        environment: environment
      )
    } catch {
      close(file)
      throw .cannotStart(host, reason: String(cString: strerror(error.code)))
    }
    reader = LogReader(
      FileHandle(fileDescriptor: process.output, closeOnDealloc: true),
      name: host
    )
    watchdog = Watchdog(process, seconds: timeout)
    let feeder = Feeder(file: file, start: log.start, end: log.end, pipe: process.input)
    // A thread of its own: the child may fill its output before it has read all of its input.
    Thread.detachNewThread { feeder.run() }
  }

  /// The variable that tells a child that its parent reads the same log and reports what is wrong with it.
  static let mark = "TCA_REPLAY_CHILD"

  func next() throws -> LogEvent? {
    do throws(LogReadError) {
      return try reader.next()?.event
    } catch {
      if case .empty = error { return nil }
      throw HostFailure.notALog(error)
    }
  }

  func end(isDone: Bool) -> ReplayEnd {
    if !isDone { process.kill() }
    var hasBitten = false
    let end = process.wait { hasBitten = watchdog.stop() }
    return hasBitten ? .timedOut(watchdog.seconds) : end
  }
}

/// Copies a part of a file to a pipe.
private struct Feeder: Sendable {
  let file: Int32
  let start: Int
  let end: Int?
  let pipe: Int32

  func run() {
    defer {
      close(file)
      close(pipe)
    }
    lseek(file, off_t(start), SEEK_SET)
    var left = end.map { $0 - start } ?? .max
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while left > 0 {
      let wanted = min(left, buffer.count)
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, wanted) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      left -= count
      // A child that has ended takes nothing more: that is no failure of the feeder.
      guard buffer[..<count].write(to: pipe) == 0 else { return }
    }
  }
}
