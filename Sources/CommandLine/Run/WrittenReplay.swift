import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The replay of a log by one of two builds, in a file.
final class WrittenReplay {
  /// The replay, under the name of the log.
  let log: LogSlice
  /// Whether it goes as far as the log.
  let isComplete: Bool
  private let file: TemporaryFile

  /// Replays a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - options: The options, with the build as the host.
  ///   - start: Starts its replays.
  /// - Throws: `LogReadError`, `HostFailure`, `StreamError`.
  init(
    of log: LogSlice,
    _ options: ReplayOptions,
    by start: CommandContext.ReplayStarter
  ) throws {
    let file = try TemporaryFile([UInt8]())
    let output = try AtomicFile(file.path)
    let replay = try log.migratingIfNeeded(options) { log in
      try PrunedReplay(log, options, start) { line throws(StreamError) in
        try output.write(line)
      }
    }
    try output.finish()
    isComplete = replay.isComplete
    self.file = file
    self.log = LogSlice(path: file.path, name: log.name)
  }
}

/// A replay that was written as a log of its own.
struct PrunedReplay {
  /// The findings on the actions that are left out.
  private(set) var pruned: [LogEvent.Finding] = []
  /// Whether it goes as far as the log: the code trapped nowhere and could read each value.
  private(set) var isComplete = false

  /// Writes a replay without the actions of effects that are not alive in it, with the header of the recording, which says where the
  /// actions come from.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - options: The options of the replay.
  ///   - start: Starts it.
  ///   - write: Takes the lines.
  /// - Throws: `LogReadError`, `HostFailure`, and what `write` throws.
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
  /// Whether a replay goes no further: what comes next depends on a value that it does not have.
  fileprivate var endsReplay: Bool {
    [.undecodable, .notReplayable, .unknownFeature, .brokenLog].contains(self)
  }
}
