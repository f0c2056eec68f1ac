import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// One replay of an audit, whose events are stored in a file.
struct AuditRun: Sendable {
  let setting: AuditEnvironment
  let log: LogSlice
  /// The exit status or the signal with which the host process ended.
  let end: ReplayEnd
  /// The number of the last action that the replay started to reduce.
  let last: Int
  /// The time at which the replay started, in seconds of a monotonic clock.
  ///
  /// Replays are ordered by this time.
  let start: Double
  /// Whether the host used the hash seed of the setting, so that the order of sets is reproducible.
  ///
  /// If the setting has no hash seed, the value tells whether the host reported any.
  let isSeeded: Bool

  /// The name of the signal that ended the host, or `nil` if the host ended without one.
  var trap: String? {
    if case .signal(let name) = end { name } else { nil }
  }

  /// Returns whether another run has the same setting and therefore must have the same result.
  ///
  /// Returns `false` if a host did not use the hash seed of its setting, because the results can then differ.
  func isRepeated(by other: AuditRun) -> Bool {
    setting == other.setting && isSeeded && other.isSeeded
  }
}

extension AuditRun {
  /// Replays a log in a process with the given environment, and stores the replayed log.
  ///
  /// - Parameters:
  ///   - log: The log to replay.
  ///   - setting: The environment for the host.
  ///   - path: The path of the existing file to which the replayed log is written.
  ///   - options: The replay options, to which the environment is added.
  ///   - start: A closure that starts the replay in a host.
  ///   - now: The current time of a monotonic clock, in seconds.
  /// - Throws: `HostFailure`, `LogReadError`, `StreamError`.
  init(
    of log: LogSlice,
    in setting: AuditEnvironment,
    into path: String,
    options: ReplayOptions,
    start: CommandContext.ReplayStarter,
    now: Double
  ) throws {
    var options = options
    options.environment.merge(setting.environment) { $1 }
    let replay = try start(log, options)
    var writer = try EventFileWriter(path)
    var last = 0
    var seed: JSON?
    do {
      while let event = try replay.next() {
        switch event {
        case .header(let header): seed = header.rest["replayer"]?["hashSeed"]
        case .action(let action): last = action.seq
        default: break
        }
        try writer.write(event)
      }
      try writer.flush()
    } catch {
      if case .timedOut(let seconds) = replay.end(isDone: false) {
        throw HostFailure.timedOut(seconds, at: last)
      }
      throw error
    }
    end = replay.end(isDone: true)
    switch end {
    case .waiting, .exited(0), .signal: break
    case .exited(let status):
      try ReplayError.check(try log.events())
      throw HostFailure.exited(status, at: last)
    case .timedOut(let seconds): throw HostFailure.timedOut(seconds, at: last)
    }
    self.setting = setting
    self.log = LogSlice(path: path, name: log.name)
    self.last = last
    self.start = now
    isSeeded = setting.hashSeed.map { seed == .number(JSON.Number($0)) } ?? (seed != nil)
  }
}

/// Writes events to an existing file through a buffer.
private struct EventFileWriter {
  private let handle: FileHandle
  private let path: String
  private var pending: [UInt8] = []

  init(_ path: String) throws(StreamError) {
    guard let handle = FileHandle(forWritingAtPath: path) else {
      throw StreamError(name: path, code: errno, isCreation: true)
    }
    self.handle = handle
    self.path = path
  }

  mutating func write(_ event: LogEvent) throws(StreamError) {
    pending += event.line
    pending.append(UInt8(ascii: "\n"))
    if pending.count > Self.most { try flush() }
  }

  mutating func flush() throws(StreamError) {
    let code = pending.write(to: handle.fileDescriptor)
    guard code == 0 else { throw StreamError(name: path, code: code) }
    pending.removeAll(keepingCapacity: true)
  }

  /// The size, in bytes, above which the buffer is written to the file.
  private static let most = 64 * 1024
}
