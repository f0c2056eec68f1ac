import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The replay of a log by another build, with which a replay is compared in the place of the recording.
final class ReferenceReplay {
  /// The replay, under the name of the log.
  let log: LogSlice
  private let file: TemporaryFile

  /// Replays a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - options: The options, with the other build as the host.
  ///   - start: Starts its replays.
  /// - Throws: `LogReadError`, `HostFailure`, `StreamError`.
  init(
    of log: LogSlice,
    _ options: ReplayOptions,
    by start: CommandContext.ReplayStarter
  ) throws {
    let file = try TemporaryFile([UInt8]())
    let output = try AtomicFile(file.path)
    _ = try log.migratingIfNeeded(options) { log in
      try PrunedReplay.write(log, options, start) { line throws(StreamError) in
        try output.write(line)
      }
    }
    try output.finish()
    self.file = file
    self.log = LogSlice(path: file.path, name: log.name)
  }
}

/// A replay as a log of its own.
enum PrunedReplay {
  /// Writes a replay without the actions of effects that are not alive in it, with the header of the recording, which says where the
  /// actions come from.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - options: The options of the replay.
  ///   - start: Starts it.
  ///   - write: Takes the lines.
  /// - Returns: The findings on the actions that are left out.
  /// - Throws: `LogReadError`, `HostFailure`, and what `write` throws.
  static func write(
    _ log: LogSlice,
    _ options: ReplayOptions,
    _ start: CommandContext.ReplayStarter,
    to write: ([UInt8]) throws -> Void
  ) throws -> [LogEvent.Finding] {
    var options = options
    options.isPruning = true
    let recorded = try log.events()
    let replay = try start(log, options)
    var pruned: [LogEvent.Finding] = []
    var isDone = false
    defer { _ = replay.end(isDone: isDone) }
    while var event = try replay.next() {
      if case .finding(let finding) = event {
        if finding.code == .deadEffect { pruned.append(finding) }
        continue
      }
      if case .header = event, let header = try recorded() { event = header }
      try write(event.line + [0x0A])
    }
    isDone = true
    return pruned
  }
}
