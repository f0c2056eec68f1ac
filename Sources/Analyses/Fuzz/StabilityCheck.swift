import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Replays logs in several settings and finds the paths at which the replays differ.
///
/// One host per setting replays all logs.
struct StabilityCheck: Sendable {
  let hosts: HostPool
  let options: ReplayOptions
  /// The settings.
  ///
  /// The first one is the default of replays.
  let settings: [AuditSetting]
  var jobs = 1
  /// Returns whether the time limit has been reached.
  let isTimeUp: @Sendable () -> Bool
  /// Waits until clocks show a different time.
  let pause: @Sendable () -> Void
  /// Returns the current time in seconds.
  let now: @Sendable () -> Double

  /// An error that ends a check when the time is up.
  struct TimeUp: Error {}

  /// A log and its replays.
  struct Inspection {
    /// The log in the form of a recording.
    let events: [LogEvent]
    let runs: [AuditRun]
    /// The paths at which the replays differ, in the order of the actions.
    let places: [UnstablePath]
    fileprivate let files: [TemporaryFile]
  }

  /// Replays logs in all settings, and again at a later clock time.
  ///
  /// - Parameters:
  ///   - logs: The logs.
  ///   - isThorough: Whether to repeat all settings, as an audit does; otherwise, only the first one is repeated.
  /// - Returns: The findings for each log.
  /// - Throws: `TimeUp`, `HostFailure`, `LogReadError`, `StreamError`, `Interrupted`.
  func inspect(_ logs: [[LogEvent]], isThorough: Bool) throws -> [Inspection] {
    guard !logs.isEmpty else { return [] }
    let recorded = try logs.map { try record($0) }
    let files = try recorded.map { events in
      try TemporaryFile(events.flatMap { $0.line + [UInt8(ascii: "\n")] })
    }
    let slices = files.map { LogSlice(path: $0.path, name: $0.path) }
    var rounds = [isThorough ? settings : Array(settings.prefix(1)), settings]
    var runs: [[AuditRun]] = Array(repeating: [], count: logs.count)
    // The inspections keep the files alive.
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
      return Inspection(
        events: recorded[index],
        runs: runs[index],
        places: try finder.findings().places,
        files: all
      )
    }
  }

  /// Creates a log from events.
  ///
  /// Substitutes for missing reads become recorded reads.
  private func record(_ events: [LogEvent]) throws -> [LogEvent] {
    if isTimeUp() { throw TimeUp() }
    var options = options
    options.keepsStandIns = true
    return try EventReplayer(hosts: hosts, options: options).replay(events).events.asRecorded
  }

  /// Returns the replays in each setting.
  private func replays(
    of logs: [LogSlice],
    in settings: [AuditSetting],
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
    in setting: AuditSetting,
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

extension StabilityCheck.Inspection {
  /// Returns a replay, up to the action at a path, from which any other replay differs there.
  ///
  /// It has a different setting, or a different clock time.
  ///
  /// - Returns: The log; `nil` if replays already differ elsewhere.
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
  /// Returns the events before the next action, followed by an `end` event.
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
