import ActionLog

/// Replays events that make a log, in one of some hosts.
struct EventReplayer: Sendable {
  /// What a replay has given.
  struct Outcome: Sendable {
    /// The replayed log.
    var events: [LogEvent] = []
    /// How the host ended.
    var end = ReplayEnd.waiting

    /// The name of the signal that ended the host within its last action.
    var trap: String? {
      guard case .signal(let name) = end else { return nil }
      return name
    }

    /// What the replay had to say besides the states, without what a retelling changes: numbers and values.
    var findings: Set<Finding> {
      events.reduce(into: []) { found, event in
        guard case .finding(let finding) = event, !finding.code.isDrift else { return }
        found.insert(Finding(finding))
      }
    }
  }

  /// A kind of finding; an issue is told by its line of source.
  struct Finding: Hashable, Sendable {
    let code: LogEvent.Finding.Code
    let place: String?

    init(_ finding: LogEvent.Finding) {
      code = finding.code
      place = finding.code == .runtimeIssue ? finding.subject : nil
    }
  }

  let hosts: HostPool
  var options = ReplayOptions()

  /// Replays a log.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  func replay(_ events: [LogEvent]) throws -> Outcome {
    var bytes: [UInt8] = []
    for event in events {
      bytes += event.line
      bytes.append(UInt8(ascii: "\n"))
    }
    let file = try TemporaryFile(bytes)
    defer { withExtendedLifetime(file) {} }
    let log = LogSlice(path: file.path, name: file.path)
    return try hosts.use { start in try outcome(of: try start(log, options)) }
  }

  private func outcome(of replay: any RunningReplay) throws -> Outcome {
    var outcome = Outcome()
    do {
      while let event = try replay.next() { outcome.events.append(event) }
    } catch {
      let end = replay.end(isDone: false)
      if case .timedOut(let seconds) = end { throw HostFailure.timedOut(seconds, at: 0) }
      throw error
    }
    outcome.end = replay.end(isDone: true)
    switch outcome.end {
    case .waiting, .exited(0), .signal: return outcome
    case .exited(let status): throw HostFailure.exited(status, at: outcome.lastAction)
    case .timedOut(let seconds): throw HostFailure.timedOut(seconds, at: outcome.lastAction)
    }
  }
}

extension EventReplayer.Outcome {
  /// The number of the last action that was begun.
  var lastAction: Int { last?.seq ?? 0 }

  /// The last action that was begun.
  var last: LogEvent.Action? {
    for case .action(let action) in events.reversed() { return action }
    return nil
  }
}
