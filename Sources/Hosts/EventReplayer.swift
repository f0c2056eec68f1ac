import ActionLog
import ReplayCommands
import ReplayEngine
import Synchronization

/// A replayer for logs that are given as events, which uses the hosts of a pool.
package struct EventReplayer: Sendable {
  /// The replayed events, and the reason why the replay ended.
  package struct ReplayedEvents: Sendable {
    package var events: [LogEvent]
    package var end: ReplayEnd

    package init(events: [LogEvent] = [], end: ReplayEnd = .waiting) {
      self.events = events
      self.end = end
    }

    /// The name of the signal that ended the host during its last action, or `nil` if the host did not trap.
    package var trap: String? {
      guard case .signal(let name) = end else { return nil }
      return name
    }

    /// The findings of the replay, without the numbers and values that depend on the order of the actions.
    package var findings: Set<OrderIndependentFinding> {
      events.reduce(into: []) { found, event in
        guard case .finding(let finding) = event, !finding.code.isDrift else { return }
        found.insert(OrderIndependentFinding(finding))
      }
    }
  }

  /// A finding without the numbers and values that depend on the order of the actions.
  ///
  /// An issue is identified by its source line.
  package struct OrderIndependentFinding: Hashable, Sendable {
    package let code: LogEvent.Finding.Code
    package let place: String?

    package init(_ finding: LogEvent.Finding) {
      code = finding.code
      place = finding.code == .runtimeIssue ? finding.subject : nil
    }
  }

  private let hosts: HostPool
  private let options: ReplayOptions

  package init(hosts: HostPool, options: ReplayOptions = ReplayOptions()) {
    self.hosts = hosts
    self.options = options
  }

  /// Replays the events of a log in a host.
  ///
  /// - Throws: `HostFailure` if the host fails, `StreamError` if a temporary file can't be written, or
  ///   `ReplayError.noCheckpoint` if an event precedes the first checkpoint.
  package func replay(_ events: [LogEvent]) throws -> ReplayedEvents {
    var bytes: [UInt8] = []
    for event in events {
      bytes += event.line
      bytes.append(UInt8(ascii: "\n"))
    }
    let file = try TemporaryFile(bytes)
    defer { withExtendedLifetime(file) {} }
    let log = LogSlice(path: file.path, name: file.path)
    return try hosts.use(for: options) { start in try outcome(of: try start(log, options), log) }
  }

  private func outcome(
    of replay: any ReplayEventSource,
    _ log: LogSlice
  ) throws -> ReplayedEvents {
    var outcome = ReplayedEvents()
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
    case .exited(let status):
      try ReplayError.check(try log.events())
      throw HostFailure.exited(status, at: outcome.lastAction)
    case .timedOut(let seconds): throw HostFailure.timedOut(seconds, at: outcome.lastAction)
    }
  }
}

extension EventReplayer.ReplayedEvents {
  package var lastAction: Int { last?.seq ?? 0 }

  package var last: LogEvent.Action? {
    for case .action(let action) in events.reversed() { return action }
    return nil
  }
}
