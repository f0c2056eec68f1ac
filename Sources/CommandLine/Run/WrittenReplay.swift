import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A replay of a log by one of two builds, stored in a temporary file.
final class WrittenReplay {
  /// The replayed log, with the name of the original log.
  let log: LogSlice
  /// Whether the replay reaches the end of the original log.
  let isComplete: Bool
  private let file: TemporaryFile

  /// Replays a log, and writes the replay to a temporary file.
  ///
  /// - Parameters:
  ///   - log: The log to replay.
  ///   - options: The options for the replay, which name the build as the host.
  ///   - start: A closure that starts a replay.
  /// - Throws: `LogReadError` if the log can't be read, `HostFailure` if the host fails, or `StreamError` if the file
  ///   can't be written.
  init(
    of log: LogSlice,
    _ options: ReplayOptions,
    by start: CommandContext.ReplayStarter
  ) throws {
    let file = try TemporaryFile([UInt8]())
    let output = try AtomicFile(file.path)
    let replay = try log.migratingIfNeeded(options) { log in
      try ReplayWithoutImpossibleActions(log, options, start) { line throws(StreamError) in
        try output.write(line)
      }
    }
    try output.finish()
    isComplete = replay.isComplete
    self.file = file
    self.log = LogSlice(path: file.path, name: log.name)
  }
}

/// A replay that was written as a new log, without actions that can't occur in it.
struct ReplayWithoutImpossibleActions {
  /// The findings that report the omitted actions.
  private(set) var pruned: [LogEvent.Finding] = []
  /// Whether the replay reaches the end of the log: no trap occurred and every value could be decoded.
  private(set) var isComplete = false

  /// Writes a replay without the actions of effects that are not alive in the replay.
  ///
  /// The header is copied from the recording, because it describes where the actions come from.
  ///
  /// - Parameters:
  ///   - log: The log to replay.
  ///   - options: The options for the replay.
  ///   - start: A closure that starts the replay.
  ///   - write: A closure that receives each line of the new log.
  /// - Throws: `LogReadError` if the log can't be read, `HostFailure` if the host fails, and the errors of `write`.
  init(
    _ log: LogSlice,
    _ options: ReplayOptions,
    _ start: CommandContext.ReplayStarter,
    to write: ([UInt8]) throws -> Void
  ) throws {
    var options = options
    options.isPruning = true
    let recorded = try log.events()
    let replay = try start(log, options)
    var isDone = false
    var isReadable = true
    defer { if !isDone { _ = replay.end(isDone: false) } }
    while var event = try replay.next() {
      if case .finding(let finding) = event {
        if finding.code == .deadEffect { pruned.append(finding) }
        if finding.code.endsReplay { isReadable = false }
        continue
      }
      if case .header = event, let header = try recorded() { event = header }
      try write(event.line + [0x0A])
    }
    isDone = true
    isComplete = [.waiting, .exited(0)].contains(replay.end(isDone: true)) && isReadable
  }
}

extension LogEvent.Finding.Code {
  /// Whether the finding reports a missing value, without which the replay can't continue.
  fileprivate var endsReplay: Bool {
    [.undecodable, .notReplayable, .unknownFeature, .brokenLog].contains(self)
  }
}
