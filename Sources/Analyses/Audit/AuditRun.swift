import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// One replay of an audit, kept in a file.
struct AuditRun: Sendable {
  let setting: AuditSetting
  /// The replayed log.
  let log: LogSlice
  /// How the host ended.
  let end: ReplayEnd
  /// The last action that was begun.
  let last: Int
  /// When the replay began, in seconds.
  let start: Double
  /// Whether the host has used the seed of the setting, so that another run of the setting has the same hashes.
  let isSeeded: Bool

  /// The signal that ended the host.
  var trap: String? {
    if case .signal(let name) = end { name } else { nil }
  }

  /// Whether another run of the same setting must do the same.
  ///
  /// That is not so where hosts draw their own seeds.
  func isRepeated(by other: AuditRun) -> Bool {
    setting == other.setting && isSeeded && other.isSeeded
  }
}

extension AuditRun {
  /// Replays a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - setting: The setting of the host.
  ///   - path: The existing file to which the replayed log is written.
  ///   - options: The options of the replay.
  ///   - start: Starts a process of its own.
  ///   - now: A clock, in seconds.
  /// - Throws: `HostFailure`, `LogReadError`, `StreamError`.
  init(
    of log: LogSlice,
    in setting: AuditSetting,
    into path: String,
    options: ReplayOptions,
    start: CommandContext.ReplayStarter,
    now: Double
  ) throws {
    var options = options
    options.environment.merge(setting.environment) { $1 }
    let replay = try start(log, options)
    var writer = try EventFile(path)
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

/// Writes events to an existing file, many at a time.
private struct EventFile {
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

  /// How many bytes are buffered.
  private static let most = 64 * 1024
}
