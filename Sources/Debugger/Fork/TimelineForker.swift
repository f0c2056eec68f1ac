import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Creates forks of a timeline.
///
/// A host replays the events after the first edit.
///
/// ```swift
/// let forker = TimelineForker(context, try context.replayOptions(arguments))
/// let fork = try forker.fork(log, [.skip(seq: 4)])
/// fork.log        // a log without action 4
/// fork.leftOut    // the actions that depended on it, with the reasons
/// ```
package struct TimelineForker {
  private let start: CommandContext.ReplayStarter
  package let options: ReplayOptions
  /// The folder for the indexes of large logs.
  private let cache: String?
  private let types: ActionOutlineProvider

  /// Creates a forker, which replays one timeline at a time.
  ///
  /// - Parameters:
  ///   - context: The context of the command, which starts replays.
  ///   - options: The replay options, such as the host and the limits.
  package init(_ context: CommandContext, _ options: ReplayOptions) {
    var options = options
    options.isPruning = true
    options.keepsStandIns = true
    self.options = options
    (start, cache) = (context.makeReplayStarter(), context.cacheFolder)
    types = ActionOutlineProvider(context)
  }

  /// Creates a fork.
  ///
  /// - Parameters:
  ///   - log: The log to edit. If its schema version is older, the log is migrated first.
  ///   - edits: The edits, with the action numbers of the log.
  /// - Returns: The fork.
  /// - Throws: `EditError`, `HostFailure`, `LogReadError`, `StreamError`.
  package func fork(_ log: LogSlice, _ edits: [TimelineEdit]) throws -> TimelineFork {
    try log.migratingIfNeeded(options) { try forkCurrent($0, edits) }
  }

  private func forkCurrent(_ log: LogSlice, _ edits: [TimelineEdit]) throws -> TimelineFork {
    var scan = try EditScan(try log.events(), for: edits)
    if edits.contains(where: \.hasTypedAction) {
      scan.samples.outline = types.outline(of: log, options)
    }
    let debugged = try DebuggedLog(log, cache: cache)
    let plan = try EditPlan(edits, scan) { seq in
      // The state after the action includes the external changes that follow it.
      let step = try debugged.step(before: StepID(seq: seq + 1))
      guard let step, step.seq == seq, let state = step.after else {
        throw CommandError.noState(log.name)
      }
      return state
    }
    let start = try ForkStart(log, before: plan.first)
    let folder = try TemporaryDirectory()
    var edited = EditedEvents(try start.events(of: log), plan)
    let fed = try Self.write({ try edited.next() }, to: folder.path + "/edited.jsonl")
    let path = folder.path + "/log.jsonl"
    let after = min(plan.first, scan.last + 1) - 1
    var writer = try ForkWriter(log, start, to: path, after: after, plan)
    do { try replay(LogSlice(path: fed, name: log.name), into: &writer) } catch let error
      as EditError
    {
      throw proposing(error, log)
    }
    unlink(fed)
    var fork = TimelineFork(
      edits: edits,
      log: LogSlice(path: path, name: log.name),
      base: log,
      after: after,
      folder: folder
    )
    fork.last.base = scan.last
    fork.gap = edited.gap?.seq
    try writer.finish(&fork)
    try fork.compare(from: start, writer.start, removed: plan.removed)
    return fork
  }

  /// Adds the most similar action of the feature to an error about an unknown action.
  private func proposing(_ error: EditError, _ log: LogSlice) -> EditError {
    guard case .undecodable(let seq, let action?, let edit?, let problem, nil) = error,
      let paths = types.outline(of: log, options)?.casePaths
    else { return error }
    let path = Notation().casePath(action)
    guard !paths.contains(path), let meant = SpellingSuggestion.closestPath(to: path, among: paths)
    else {
      return error
    }
    return .undecodable(seq: seq, action: action, edit: edit, problem, meant: meant)
  }

  private static func write(_ events: LogComparison.Events, to path: String) throws -> String {
    let file = try AtomicFile(path)
    var buffer: [UInt8] = []
    while let event = try events() {
      buffer += event.line
      buffer.append(UInt8(ascii: "\n"))
      if buffer.count > 1 << 18 {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try file.write(buffer)
    try file.finish()
    return path
  }

  private func replay(_ log: LogSlice, into writer: inout ForkWriter) throws {
    let replay = try start(log, options)
    do {
      while let event = try replay.next() { try writer.append(event) }
    } catch {
      let end = replay.end(isDone: false)
      if case .timedOut(let seconds) = end {
        throw HostFailure.timedOut(seconds, at: writer.last)
      }
      throw error
    }
    switch replay.end(isDone: true) {
    case .waiting, .exited(0): break
    case .signal(let name): writer.trap = name
    case .exited(let status):
      try ReplayError.check(try log.events())
      throw HostFailure.exited(status, at: writer.last)
    case .timedOut(let seconds): throw HostFailure.timedOut(seconds, at: writer.last)
    }
  }

  /// Replays a fork again and compares the results, which reveals reducers with unrecorded inputs.
  ///
  /// - Throws: `HostFailure`, `LogReadError`.
  package func check(_ fork: TimelineFork) throws -> Verdict {
    var options = options
    options.isPruning = false
    options.keepsStandIns = false
    return try ReplayCheck(log: fork.log, options: options.comparison)
      .run(try start(fork.log, options)).verdict
  }
}
