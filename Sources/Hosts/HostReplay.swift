import ActionLog
import ReplayCommands
import ReplayEngine

/// A replay of one log by a host that can replay further logs.
final class HostReplay: ReplayEventSource {
  private let host: HostProcess
  /// The writer that sends the log, or `nil` after the replay.
  ///
  /// The writer keeps the host's input open, so it must be released before the host can end.
  private var input: HostInput?
  private let watchdog: Watchdog
  private let options: ReplayOptions
  private var state = State.waiting
  /// The schema version that the log's header states, or `nil` if it states none.
  private let schemaVersion: Int?
  /// Whether the host's output turned out not to be a replay of the log.
  private var hasFailed = false
  private(set) var hostOutput: [String] = []

  private enum State {
    /// The host has not returned an event yet.
    case waiting
    case running
    /// The host has returned all events and waits for the next log.
    case complete
    /// The host's output has ended, or is not a replay of the log.
    case closed
  }

  /// Starts to replay a log.
  ///
  /// - Throws: `HostFailure.cannotStart` if the host can't be started, or `LogReadError` if the log can't be read.
  init(_ log: LogSlice, on host: HostProcess, _ options: ReplayOptions) throws {
    self.host = host
    self.options = options
    watchdog = host.watch(seconds: options.timeout, until: options.cancellation)
    if case .header(let header) = try? log.events()() {
      schemaVersion = header.schemaVersion
    } else {
      schemaVersion = nil
    }
    input = try host.write(log)
  }

  func next() throws -> LogEvent? {
    guard state == .waiting || state == .running else { return nil }
    let event: LogEvent?
    do throws(LogReadError) { event = try host.next() } catch {
      throw failed(.notALog(error))
    }
    switch event {
    case nil:
      let isSilent = state == .waiting
      state = .closed
      // A signal that interrupts this process also ends the host, which is not a failure of the host.
      try options.checkInterruption()
      guard isSilent else { return nil }
      input?.cancel()
      input = nil
      let end = host.stop(isKilled: false, watchdog)
      if case .timedOut(let seconds) = end { throw HostFailure.timedOut(seconds, at: 0) }
      hostOutput += host.drainOutput()
      throw HostFailure.silent(host.path, end, said: hostOutput)
    case .header(let header):
      guard host.handshake.matches(header) else {
        throw failed(.noReplay)
      }
      guard header.id != host.handshake.separator.id else {
        state = .complete
        return nil
      }
      if let version = header.schemaVersion, version != schemaVersion {
        throw HostFailure.needsMigration(found: schemaVersion ?? 1, version: version)
      }
    case .finding(let finding) where finding.code == .unknownFeature:
      throw HostFailure.unknownFeature(finding.message ?? finding.subject)
    default: break
    }
    state = .running
    return event
  }

  private func failed(_ failure: HostFailure) -> HostFailure {
    state = .closed
    hasFailed = true
    return failure
  }

  func end(isDone: Bool) -> ReplayEnd {
    defer { hostOutput += host.drainOutput() }
    input?.cancel()
    input = nil
    switch state {
    case .complete:
      if watchdog.stop() { _ = host.stop(isKilled: true, watchdog) }
      return .waiting
    case .closed: return host.stop(isKilled: hasFailed, watchdog)
    case .waiting, .running:
      guard !watchdog.stop() else { return host.stop(isKilled: true, watchdog) }
      return drain()
    }
  }

  /// Reads the remaining events of the log, so that the host can replay another log.
  ///
  /// If this takes longer than the grace period, the host is killed, because a new host is then faster.
  private func drain() -> ReplayEnd {
    let watchdog = host.watch(seconds: HostProcess.gracePeriod)
    while state == .waiting || state == .running {
      do { while try next() != nil {} } catch HostFailure.unknownFeature {} catch { break }
    }
    if state == .complete, !watchdog.stop() { return .waiting }
    return host.stop(isKilled: true, watchdog)
  }
}
