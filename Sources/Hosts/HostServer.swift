import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A host in a process of its own that checks one log after the other: `HOST serve`.
final class HostServer {
  let path: String
  private let environment: [String: String]
  private let isPausing: Bool
  private let process: ChildProcess
  private var input: Descriptor?
  private var output: LineReader
  private let errorOutput: HostOutput?
  private let page: SharedPage
  private var end: ReplayEnd?
  private var number = 0

  /// Starts a host; `nil` for one that does not serve this version.
  ///
  /// - Parameters:
  ///   - path: The executable.
  ///   - additions: Variables of its environment in addition to this process's own.
  ///   - timeout: Seconds that a replay may take; to say that it serves, it has no more than a few.
  ///   - isPausing: Whether it is to be debugged: then its standard error is that of this process, so that what it says is seen
  ///     while it waits.
  ///   - cancellation: Kills the host when it is requested before it has said that it serves.
  /// - Throws: `HostFailure.cannotStart`.
  init?(
    _ path: String,
    environment additions: [String: String],
    timeout: Double,
    isPausing: Bool = false,
    until cancellation: Interruption? = nil
  ) throws(HostFailure) {
    guard let page = SharedPage() else { return nil }
    var environment = HostProcess.environment.merging(additions) { $1 }
    environment[ReplayHandshake.variable] = ReplayHandshake().token
    environment[SharedPage.variable] = String(SharedPage.descriptor)
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        path,
        arguments: [ServeProtocol.command],
        environment: environment,
        error: isPausing ? .inherited : .pipe,
        inheriting: [page.number: SharedPage.descriptor]
      )
    } catch {
      throw .cannotStart(path, reason: String(cString: strerror(error.code)))
    }
    self.path = path
    self.environment = additions
    self.isPausing = isPausing
    self.page = page
    input = process.input.map { Descriptor($0) }
    output = LineReader(
      FileHandle(fileDescriptor: process.output ?? -1, closeOnDealloc: true),
      path: path,
      longest: LogReader.longestLine
    )
    errorOutput = process.error.map { HostOutput($0) }
    let watchdog = Watchdog(
      process,
      seconds: min(timeout, Self.helloTimeout),
      until: cancellation
    )
    // A filter that does not look at its arguments answers this with something else, and not by waiting.
    if let input { _ = ServeProtocol.greeting.write(to: input.number) }
    guard case .hello(ServeProtocol.version) = next()?.answer else {
      _ = stop(isKilled: true, watchdog)
      return nil
    }
    _ = watchdog.stop()
  }

  /// How long a host may take to say that it serves, in seconds; one that is slower is asked as a filter.
  private static let helloTimeout = 5.0

  deinit {
    guard end == nil else { return }
    // The host ends with its input.
    input = nil
    let watchdog = Watchdog(process, seconds: HostProcess.gracePeriod)
    _ = process.wait { _ = watchdog.stop() }
  }

  /// Whether it can check another log for these options.
  func serves(_ options: ReplayOptions) -> Bool {
    end == nil && path == options.host && environment == options.environment
      && isPausing == (options.pauseBefore != nil)
  }

  /// Takes the lines of its standard error since the last call.
  func takeOutput() -> [String] { errorOutput?.drain() ?? [] }

  /// Checks a log.
  ///
  /// - Throws: `HostFailure`, `LogReadError`, `ReplayError`, `Interrupted`.
  func run(_ check: ReplayCheck, _ options: ReplayOptions) throws -> ReplayCheck.Result {
    let watchdog = ask(check, options)
    var result = LogComparison.Result()
    while let (number, answer) = next() {
      guard number == self.number else { break }
      switch answer {
      case .hello, .proof, .searching, .searched, .picture: break
      case .differences(let differences):
        if result.differences.isEmpty { result.firstDifferences = differences.count }
        result.differences += differences
      case .notes(let notes): result.notes += notes
      case .end(var summary):
        summary.differences = result.differences
        summary.firstDifferences = result.firstDifferences
        summary.notes = result.notes
        if watchdog.stop() { _ = stop(isKilled: true, watchdog) }
        return try check.conclude(summary, .waiting, at: summary.seq)
      case .failure(let failure):
        _ = watchdog.stop()
        throw try Self.error(failure, in: check.log, until: check.until)
      }
    }
    guard isAtEnd else {
      // What it says is no answer.
      _ = stop(isKilled: true, watchdog)
      throw HostFailure.noAnswer
    }
    let end = stop(isKilled: false, watchdog)
    // The signal that ended this process's work was also sent to the host.
    try options.checkInterruption()
    return try conclude(check, result, end)
  }

  /// Asks for the proof that a stretch of a log is the same.
  ///
  /// - Parameters:
  ///   - check: The check of the stretch.
  ///   - options: The options of the replay.
  ///   - abandonment: Requested when the proof is no longer needed; then the host is killed.
  /// - Returns: The proof; `nil` when the host has none, whatever the reason.
  func prove(
    _ check: ReplayCheck,
    _ options: ReplayOptions,
    until abandonment: Interruption
  ) -> StretchProof? {
    let watchdog = ask(check, options)
    let action = abandonment.onRequest { watchdog.expire() }
    defer { abandonment.cancelAction(action) }
    var proof: StretchProof?
    var isAnswered = false
    while !isAnswered, let (number, answer) = next(), number == self.number {
      switch answer {
      case .hello, .differences, .notes, .searching, .searched, .picture: break
      case .proof(let found): (proof, isAnswered) = (found, true)
      case .end, .failure: isAnswered = true
      }
    }
    let isKilled = watchdog.stop()
    if isKilled || !isAnswered { _ = stop(isKilled: true, watchdog) }
    return proof
  }

  /// Hands a request over.
  ///
  /// - Returns: The watchdog over the time that the answer may take.
  private func ask(_ check: ReplayCheck, _ options: ReplayOptions) -> Watchdog {
    number += 1
    page.progress.reset()
    let request = ServeProtocol.Check(
      number: number,
      log: check.log,
      until: check.until,
      pauseBefore: options.pauseBefore,
      feature: options.feature,
      isContinuing: check.isContinuing,
      options: check.options
    )
    let watchdog = Watchdog(process, seconds: options.timeout, until: options.cancellation)
    if let input { _ = request.line.write(to: input.number) }
    return watchdog
  }

  /// The verdict on a log whose host has ended before it was through.
  private func conclude(
    _ check: ReplayCheck,
    _ found: LogComparison.Result,
    _ end: ReplayEnd
  ) throws -> ReplayCheck.Result {
    let (phase, recorded, replayed) = (
      page.progress.phase, page.progress.recorded, page.progress.replayed
    )
    if case .timedOut(let seconds) = end {
      throw HostFailure.timedOut(seconds, at: max(replayed, 0))
    }
    // A host writes into the page as it likes.
    guard LogEvent.seqs.contains(recorded), LogEvent.seqs.contains(replayed) else {
      throw HostFailure.noAnswer
    }
    switch (end, phase) {
    case (_, .waiting): throw HostFailure.silent(path, end, said: takeOutput())
    case (.signal(let name), .compare): throw HostFailure.killed(name, at: replayed)
    default: break
    }
    var result = found
    result.seq = recorded
    let stops = try phase == .step && Self.stops(check.log, within: recorded, until: check.until)
    // A check that does not continue is over with the first difference, whatever becomes of the host.
    let isOver = !check.isContinuing && !found.differences.isEmpty
    result.stop =
      isOver
      ? .differs
      : stops
        ? .recordingStops(openAction: replayed, isReplayed: false)
        : .replayStops(openAction: phase == .step ? replayed : nil)
    return try check.conclude(result, end, at: replayed)
  }

  /// Whether a log stops before the change of an action.
  private static func stops(_ log: LogSlice, within seq: Int, until: Int) throws -> Bool {
    let events = try log.events(until: until)
    var isOpen = false
    while let event = try events() {
      switch event {
      case .action(let action) where action.seq == seq: isOpen = true
      case .read, .effect, .note, .finding, .unknown: break
      default: if isOpen { return false }
      }
    }
    return isOpen
  }

  /// What a failure of the host means for a log.
  private static func error(
    _ failure: ServeProtocol.Failure,
    in log: LogSlice,
    until: Int = .max
  ) throws -> any Error {
    switch failure {
    case .unreadable:
      // It is read here for its error.
      let events = try log.events(until: until)
      while try events() != nil {}
      return HostFailure.noReplay
    case .noCheckpoint(let kind): return ReplayError.noCheckpoint(kind: kind)
    case .needsMigration(let found, let version):
      return HostFailure.needsMigration(found: found, version: version)
    case .noFeature(let message): return HostFailure.unknownFeature(message)
    case .noPictures(let feature): return PictureError.noPictures(feature)
    }
  }

  /// Searches in memory.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - options: The time within which the host has to say something.
  ///   - report: Takes what the search says on its way, and says whether it is to go on.
  /// - Returns: How it ended; `nil` where the report had it stopped.
  /// - Throws: `HostFailure`, `Interrupted`.
  func search(
    _ request: JSON,
    _ options: ReplayOptions,
    _ report: (JSON) -> Bool
  ) throws -> SearchEnding? {
    number += 1
    page.progress.reset()
    if let input {
      _ = ServeProtocol.SearchRequest(number: number, request: request).line.write(to: input.number)
    }
    var watchdog = Watchdog(process, seconds: options.timeout, until: options.cancellation)
    while let (number, answer) = next() {
      _ = watchdog.stop()
      guard number == self.number else { break }
      switch answer {
      case .searching(let json):
        guard report(json) else {
          _ = stop(isKilled: true, watchdog)
          return nil
        }
      case .searched(let json): return .answered(json)
      case .failure, .hello, .differences, .notes, .end, .proof, .picture: return .answered(.null)
      }
      watchdog = Watchdog(process, seconds: options.timeout, until: options.cancellation)
    }
    guard isAtEnd else {
      _ = stop(isKilled: true, watchdog)
      throw HostFailure.noAnswer
    }
    let end = stop(isKilled: false, watchdog)
    try options.checkInterruption()
    let progress = page.progress
    switch end {
    case .signal(let name) where progress.phase == .step && progress.made >= 0:
      return .trapped(signal: name, steps: progress.steps, made: progress.made)
    case .signal(let name): throw HostFailure.killed(name, at: 0)
    case .timedOut(let seconds): throw HostFailure.timedOut(seconds, at: 0)
    case .exited(let status): throw HostFailure.exited(status, at: 0)
    case .waiting: throw HostFailure.noAnswer
    }
  }

  /// Draws a state.
  ///
  /// - Parameters:
  ///   - request: The state and the limits.
  ///   - log: The log that has it.
  ///   - options: The options of the command.
  /// - Returns: The picture, or why there is none: also where the function ended the host or took too long.
  /// - Throws: `HostFailure`, `PictureError`, `Interrupted`.
  func picture(
    _ request: PictureRequest,
    of log: LogSlice,
    _ options: ReplayOptions
  ) throws -> PictureOutcome {
    number += 1
    page.progress.reset()
    let watchdog = Watchdog(process, seconds: request.limits.seconds, until: options.cancellation)
    if let input {
      _ = ServeProtocol.Picture(number: number, request: request).line.write(to: input.number)
    }
    if let (number, answer) = next(), number == self.number {
      if watchdog.stop() { _ = stop(isKilled: true, watchdog) }
      switch answer {
      case .picture(let outcome): return outcome.checked(limit: request.limits.bytes)
      case .failure(let failure): throw try Self.error(failure, in: log)
      case .hello, .differences, .notes, .end, .proof, .searching, .searched:
        throw HostFailure.noAnswer
      }
    }
    guard isAtEnd else {
      _ = stop(isKilled: true, watchdog)
      throw HostFailure.noAnswer
    }
    let end = stop(isKilled: false, watchdog)
    try options.checkInterruption()
    switch end {
    case .signal(let name): return .note(.trapped(name))
    case .timedOut(let seconds): return .note(.timedOut(seconds))
    case .exited(let status): return .note(.exited(status))
    case .waiting: throw HostFailure.noAnswer
    }
  }

  /// The steps of the last search up to the one that was being made; `nil` between two steps.
  var openSteps: [Int]? { page.progress.phase == .step ? page.progress.steps : nil }

  /// Whether its output has ended.
  private var isAtEnd = false

  private func next() -> (number: Int, answer: ServeProtocol.Reply)? {
    guard let line = try? output.next(line: 0) else {
      isAtEnd = true
      return nil
    }
    return (try? JSON(parsing: line.bytes)).flatMap(ServeProtocol.Reply.read)
  }

  /// Waits for the end of the process, or kills it.
  private func stop(isKilled: Bool, _ watchdog: Watchdog) -> ReplayEnd {
    if let end { return end }
    input = nil
    if isKilled { process.killSession() }
    let end = process.wait(watchdog)
    self.end = end
    return end
  }
}

/// Checks logs in a host: in one that serves, or in one that only knows the filter.
package final class HostChecker {
  private var server: HostServer?
  private let filter = PersistentHost()
  /// The hosts that do not serve.
  private var filters: Set<String> = []

  /// A checker for one thread.
  package static let maker: @Sendable () -> CommandContext.Checker = {
    let checker = HostChecker()
    return { check, options in checker.run(check, options) }
  }

  /// A checker of stretches for one thread.
  ///
  /// A host that has written anything on standard error has proved nothing: a replay of the whole log may write something else.
  package static let prover: @Sendable () -> CommandContext.Prover = {
    let checker = HostChecker()
    return { check, options, abandonment in
      guard !abandonment.isRequested, let server = try? checker.server(for: options) else {
        return nil
      }
      _ = server.takeOutput()
      let proof = server.prove(check, options, until: abandonment)
      return server.takeOutput().isEmpty ? proof : nil
    }
  }

  /// The host, which is started if it does not run; `nil` for one that does not serve.
  private func server(for options: ReplayOptions) throws -> HostServer? {
    try options.checkInterruption()
    if server?.serves(options) != true, !filters.contains(options.host) {
      server = nil
      server = try HostServer(
        options.host,
        environment: options.environment,
        timeout: options.timeout,
        isPausing: options.pauseBefore != nil,
        until: options.cancellation
      )
      if server == nil { filters.insert(options.host) }
    }
    return server?.serves(options) == true ? server : nil
  }

  private func run(_ check: ReplayCheck, _ options: ReplayOptions) -> CommandContext.Checked {
    let server: HostServer?
    do { server = try self.server(for: options) } catch {
      return CommandContext.Checked(outcome: .failure(error), hostOutput: [])
    }
    guard let server else {
      return CommandContext.Checked(check, by: { try self.filter.start($0, options) })
    }
    // Lines since then belong to the log before.
    _ = server.takeOutput()
    let outcome = Result {
      try server.run(check, options)
    }
    return CommandContext.Checked(outcome: outcome, hostOutput: server.takeOutput())
  }
}
