import ActionLog
import ReplayCommands
import ReplayEngine

/// A replay of one log by a host that may replay others after it.
final class HostReplay: RunningReplay {
  private let host: HostProcess
  /// What writes the log; it holds the host's input open, so it is gone before the host is to end.
  private var feeder: HostInput?
  private let watchdog: Watchdog
  private var state = State.waiting
  /// The version that the log's own header states.
  private let schemaVersion: Int?
  /// Whether what the host wrote makes no sense.
  private var hasFailed = false
  /// What the host gives, when it was asked to pass what comes out as recorded.
  private var passing: PassingEvents?
  private(set) var isPassing = false
  private(set) var hostOutput: [String] = []

  private enum State {
    /// Nothing has come yet.
    case waiting
    case running
    /// The host has given all that it has to give, and waits for the next log.
    case through
    /// The host's output is at its end, or makes no sense.
    case closed
  }

  /// Begins a replay.
  ///
  /// - Throws: `HostFailure.cannotStart` and `LogReadError`.
  init(_ log: LogSlice, on host: HostProcess, _ options: ReplayOptions) throws {
    self.host = host
    if options.isPassing {
      let source = try LogSource(log, until: options.until ?? .max)
      passing = PassingEvents(RecordedEvents(source, comparison: .nowhere))
    }
    watchdog = host.watch(seconds: options.timeout)
    if case .header(let header) = try? log.events()() {
      schemaVersion = header.schemaVersion
    } else {
      schemaVersion = nil
    }
    feeder = try host.feed(log)
  }

  func next() throws -> LogEvent? {
    guard passing != nil else { return try read() }
    return try passing?.next(read)
  }

  func passAlike() throws -> LogComparison.PassedActions? { try passing?.passed(read) }

  var recording: RecordedEvents? { passing?.recording }

  private func read() throws -> LogEvent? {
    guard state == .waiting || state == .running else { return nil }
    let event: LogEvent?
    do throws(LogReadError) { event = try host.next() } catch {
      throw failed(.notALog(error))
    }
    switch event {
    case nil:
      let isSilent = state == .waiting
      state = .closed
      // The signal that ended this process's work was handed on to the host.
      try Interruption.process.check()
      guard isSilent else { return nil }
      feeder?.breakOff()
      feeder = nil
      let end = host.stop(isKilled: false, watchdog)
      if case .timedOut(let seconds) = end { throw HostFailure.timedOut(seconds, at: 0) }
      hostOutput += host.takeOutput()
      throw HostFailure.silent(host.path, end, said: hostOutput)
    case .header(let header):
      guard host.handshake.isEvident(in: header) else {
        throw failed(.noReplay)
      }
      isPassing = isPassing || ReplayHandshake.isPassing(header)
      guard header.id != host.handshake.separator.id else {
        state = .through
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
    defer { hostOutput += host.takeOutput() }
    feeder?.breakOff()
    feeder = nil
    switch state {
    case .through:
      if watchdog.stop() { _ = host.stop(isKilled: true, watchdog) }
      return .waiting
    case .closed: return host.stop(isKilled: hasFailed, watchdog)
    case .waiting, .running:
      guard !watchdog.stop() else { return host.stop(isKilled: true, watchdog) }
      return drained()
    }
  }

  /// Takes what the host still has to give for the log, so that it can be given another one; if that takes long, a new
  /// host comes cheaper.
  private func drained() -> ReplayEnd {
    let watchdog = host.watch(seconds: HostProcess.patience)
    while state == .waiting || state == .running {
      do { while try read() != nil {} } catch HostFailure.unknownFeature {} catch { break }
    }
    if state == .through, !watchdog.stop() { return .waiting }
    return host.stop(isKilled: true, watchdog)
  }
}

/// Keeps a host running over the logs that it is given, and starts it again when it has ended.
package final class PersistentHost {
  /// Makes a way to replay logs for one thread.
  package static let starter: @Sendable () -> CommandContext.ReplayStarter = {
    let keeper = PersistentHost()
    return { log, options in try keeper.start(log, options) }
  }

  private var host: HostProcess?
  private var arguments: [String] = []
  private var environment: [String: String] = [:]

  package func start(_ log: LogSlice, _ options: ReplayOptions) throws -> any RunningReplay {
    try Interruption.process.check()
    var wanted = options.environment
    if options.isPassing { wanted[HostPasses.variable] = "1" }
    if let host, host.isAlive, host.path == options.host, arguments == options.childArguments,
      environment == wanted
    {
      // What was written since belongs to the log before.
      _ = host.takeOutput()
      return try HostReplay(log, on: host, options)
    }
    host = nil
    arguments = options.childArguments
    environment = wanted
    let host = try HostProcess(
      options.host,
      arguments: arguments,
      environment: environment
    )
    self.host = host
    return try HostReplay(log, on: host, options)
  }
}
