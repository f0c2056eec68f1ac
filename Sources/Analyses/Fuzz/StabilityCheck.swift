import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Replays logs in several settings, and finds the paths at which the replays differ.
///
/// One host for each setting replays all logs.
struct StabilityCheck: Sendable {
  let hosts: HostPool
  let options: ReplayOptions
  /// The settings of the replays, starting with the default setting.
  let settings: [AuditEnvironment]
  var jobs = 1
  /// A closure that returns whether the time limit has been reached.
  let isTimeUp: @Sendable () -> Bool
  /// A closure that waits until clocks show a different time.
  let pause: @Sendable () -> Void
  /// A closure that returns the current time of a monotonic clock, in seconds.
  let now: @Sendable () -> Double

  /// An error that ends a check when its time is over.
  struct TimeUp: Error {}

  /// A log with its replays, and the paths at which they differ.
  struct InspectedLog {
    /// The events of the log, as a recorder would have written them.
    let events: [LogEvent]
    let runs: [AuditRun]
    /// The paths at which replays differ from each other, in the order of the actions.
    let places: [UnstablePath]
    fileprivate let files: [TemporaryFile]
  }

  /// Replays logs in all settings, and repeats replays after clocks show a different time.
  ///
  /// - Parameters:
  ///   - logs: The events of the logs.
  ///   - isThorough: Whether to repeat all settings, as an audit does. If `false`, only the first setting is repeated.
  /// - Returns: The replays and differences for each log.
  /// - Throws: `TimeUp`, `HostFailure`, `LogReadError`, `StreamError`, `Interrupted`.
  func inspect(_ logs: [[LogEvent]], isThorough: Bool) throws -> [InspectedLog] {
    guard !logs.isEmpty else { return [] }
    let recorded = try logs.map { try record($0) }
    let files = try recorded.map { events in
      try TemporaryFile(events.flatMap { $0.line + [UInt8(ascii: "\n")] })
    }
    let slices = files.map { LogSlice(path: $0.path, name: $0.path) }
    var rounds = [isThorough ? settings : Array(settings.prefix(1)), settings]
    var runs: [[AuditRun]] = Array(repeating: [], count: logs.count)
    // Each inspection holds the files, which are deleted when no inspection needs them.
    var all = files
    while let round = rounds.popLast() {
      let new = try round.map { _ in try logs.map { _ in try TemporaryFile([]) } }
      let replays = try replays(of: slices, in: round, into: new.map { $0.map(\.path) })
      for replays in replays {
        for (log, run) in replays.enumerated() { runs[log].append(run) }
      }
      all += new.joined()
      if !rounds.isEmpty { pause() }
    }
    return try slices.indices.map { index in
      let finder = UnstablePathFinder(log: slices[index], runs: runs[index])
      return InspectedLog(
        events: recorded[index],
        runs: runs[index],
        places: try finder.findings().places,
        files: all
      )
    }
  }

  /// Replays events to create a complete log.
  ///
  /// If a read is not recorded, the replay answers it with a stand-in, which becomes a recorded read.
  private func record(_ events: [LogEvent]) throws -> [LogEvent] {
    if isTimeUp() { throw TimeUp() }
    var options = options
    options.keepsStandIns = true
    return try EventReplayer(hosts: hosts, options: options).replay(events).events.asRecorded
  }

  /// Replays all logs in each setting.
  private func replays(
    of logs: [LogSlice],
    in settings: [AuditEnvironment],
    into paths: [[String]]
  ) throws -> [[AuditRun]] {
    let work = ParallelWork<Result<[AuditRun], any Error>>(
      parts: settings.count,
      workers: max(1, jobs)
    )
    let results = work.outputs { _ in
      { part, _ in
        Result { try replays(of: logs, in: settings[part], into: paths[part]) }
      }
    }
    return try (results ?? []).map { try $0.get() }
  }

  private func replays(
    of logs: [LogSlice],
    in setting: AuditEnvironment,
    into paths: [String]
  ) throws -> [AuditRun] {
    var options = options
    options.environment.merge(setting.environment) { $1 }
    return try hosts.use(for: options) { start in
      try zip(logs, paths)
        .map { log, path in
          if isTimeUp() { throw TimeUp() }
          return try AuditRun(
            of: log,
            in: setting,
            into: path,
            options: options,
            start: start,
            now: now()
          )
        }
    }
  }
}

extension StabilityCheck.InspectedLog {
  /// Returns a log that proves the difference at a path, because a replay in the first setting differs from it there.
  ///
  /// The log is one of the replays, in another setting or at another time, up to the action at which the replays
  /// differ.
  ///
  /// - Parameter place: The path at which replays differ.
  /// - Returns: The events of the log, or `nil` if replays already differ before this action or at another path.
  /// - Throws: `LogReadError`.
  func witness(of place: UnstablePath) throws -> [LogEvent]? {
    guard let first = runs.first, let last = runs.last(where: { $0.setting == first.setting })
    else {
      return nil
    }
    for run in runs {
      if place.aspect == .trap {
        guard run.trap != last.trap else { continue }
      } else {
        var comparison = LogComparison(
          recorded: try run.log.events(),
          replayed: try last.log.events()
        )
        guard let difference = try comparison.run().differences.first, difference.seq == place.seq,
          UnstablePath.Key(difference).anyID == place.key.anyID
        else { continue }
      }
      let next = try run.log.events()
      var events: [LogEvent] = []
      while let event = try next() {
        if case .header(var header) = event {
          header.environment = run.setting.applied(to: header.environment)
          events.append(.header(header))
        } else {
          events.append(event)
        }
      }
      return events.asRecorded.ending(after: place.seq)
    }
    return nil
  }
}

extension [LogEvent] {
  /// Returns the events up to the end of action `seq`.
  ///
  /// If events were removed, an `end` event follows.
  func ending(after seq: Int) -> [LogEvent] {
    var events = prefix { event in
      switch event {
      case .action(let action): action.seq <= seq
      case .end: false
      default: true
      }
    }
    if count > events.count {
      events.append(.end(LogEvent.End(seq: seq, reason: "closed")))
    }
    return Array(events)
  }
}
