import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A host in its own process that checks one log after another: `HOST serve`.
final class ServingHostProcess {
  let path: String
  private let environment: [String: String]
  private let isPausing: Bool
  private let process: ChildProcess
  private var input: Descriptor?
  private var output: LineReader
  private let errorOutput: HostOutput?
  private let page: SharedMemoryPage
  private var end: ReplayEnd?
  private var number = 0

  /// Starts the process of a host, or returns `nil` if the host does not serve this version of the protocol.
  ///
  /// - Parameters:
  ///   - path: The path of the executable.
  ///   - additions: The environment variables to add to those of this process.
  ///   - timeout: The time limit of a replay in seconds. The time for the greeting is limited to at most five seconds.
  ///   - isPausing: Whether a debugger will attach to the host. If so, the host shares this process's standard error,
  ///     which stays visible while the host waits.
  ///   - cancellation: An interruption that kills the host if it is requested before the host has answered the
  ///     greeting.
  /// - Throws: `HostFailure.cannotStart` if the executable can't be started.
  init?(
    _ path: String,
    environment additions: [String: String],
    timeout: Double,
    isPausing: Bool = false,
    until cancellation: Interruption? = nil
  ) throws(HostFailure) {
    guard let page = SharedMemoryPage() else { return nil }
    var environment = HostProcess.environment.merging(additions) { $1 }
    environment[ReplayHandshake.variable] = ReplayHandshake().token
    environment[SharedMemoryPage.variable] = String(SharedMemoryPage.descriptor)
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        path,
        arguments: [ServeProtocol.command],
        environment: environment,
        error: isPausing ? .inherited : .pipe,
        inheriting: [page.number: SharedMemoryPage.descriptor]
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
    // A host that ignores its arguments and only works as a filter answers with other output, but does not block.
    if let input { _ = ServeProtocol.greeting.write(to: input.number) }
    guard case .hello(ServeProtocol.version) = next()?.answer else {
      _ = stop(isKilled: true, watchdog)
      return nil
    }
    _ = watchdog.stop()
  }

  /// The time limit for the answer to a greeting in seconds.
  ///
  /// A slower host is used as a filter.
  private static let helloTimeout = 5.0

  deinit {
    guard end == nil else { return }
    // Closing the input ends the host.
    input = nil
    let watchdog = Watchdog(process, seconds: HostProcess.gracePeriod)
    _ = process.wait { _ = watchdog.stop() }
  }

  /// Returns whether the host can check another log with these options.
  func serves(_ options: ReplayOptions) -> Bool {
    end == nil && path == options.host && environment == options.environment
      && isPausing == (options.pauseBefore != nil)
  }

  /// Removes and returns the lines that the host has written to standard error since the last call.
  func drainOutput() -> [String] { errorOutput?.drain() ?? [] }

  /// Checks a log in the host.
  ///
  /// - Throws: `HostFailure` if the host fails, `LogReadError` or `ReplayError` if the log can't be replayed, or
  ///   `Interrupted` if an interruption was requested.
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
      // The host's output is not an answer to the request, so the host can't be used again.
      _ = stop(isKilled: true, watchdog)
      throw HostFailure.noAnswer
    }
    let end = stop(isKilled: false, watchdog)
    // A signal that interrupts this process also ends the host, which is not a failure of the host.
    try options.checkInterruption()
    return try conclude(check, result, end)
  }

  /// Requests the proof that a stretch of a log replays without a divergence.
  ///
  /// - Parameters:
  ///   - check: The check of the stretch.
  ///   - options: The options for the replay.
  ///   - abandonment: An interruption that kills the host when the proof is no longer needed.
  /// - Returns: The proof, or `nil` if the host can't provide one for any reason.
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

  /// Sends a check to the host.
  ///
  /// - Returns: The watchdog that limits the time until the host answers.
  private func ask(_ check: ReplayCheck, _ options: ReplayOptions) -> Watchdog {
    number += 1
    page.progress.reset()
    let request = ServeProtocol.CheckRequest(
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

  /// Returns the verdict on a log whose host ended before it had answered.
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
    // The host can write to the shared page, so the numbers in it may be invalid.
    guard LogEvent.seqs.contains(recorded), LogEvent.seqs.contains(replayed) else {
      throw HostFailure.noAnswer
    }
    switch (end, phase) {
    case (_, .waiting): throw HostFailure.silent(path, end, said: drainOutput())
    case (.signal(let name), .compare): throw HostFailure.killed(name, at: replayed)
    default: break
    }
    var result = found
    result.seq = recorded
    let stops = try phase == .step && Self.stops(check.log, within: recorded, until: check.until)
    // A check that stops at the first difference already has its result, even if the host then ends.
    let isOver = !check.isContinuing && !found.differences.isEmpty
    result.stop =
      isOver
      ? .differs
      : stops
        ? .recordingStops(openAction: replayed, isReplayed: false)
        : .replayStops(openAction: phase == .step ? replayed : nil)
    return try check.conclude(result, end, at: replayed)
  }

  /// Returns whether a log ends in the middle of an action.
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

  /// Returns the error that corresponds to a failure that the host has reported.
  private static func error(
    _ failure: ServeProtocol.Failure,
    in log: LogSlice,
    until: Int = .max
  ) throws -> any Error {
    switch failure {
    case .unreadable:
      // The tool reads the log itself, because the host does not report which line is unreadable.
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

  /// Runs a search in the host's memory.
  ///
  /// - Parameters:
  ///   - request: The request that the analysis has made.
  ///   - options: The options of the command. The timeout limits the time between two messages from the host.
  ///   - report: A closure that receives each intermediate result, and returns whether to continue.
  /// - Returns: The final result of the search, or `nil` if `report` stopped it.
  /// - Throws: `HostFailure` if the host fails, or `Interrupted` if an interruption was requested.
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

  /// Draws a state in the host.
  ///
  /// - Parameters:
  ///   - request: The state to draw, and the limits.
  ///   - log: The log that contains the state.
  ///   - options: The options of the command.
  /// - Returns: The picture, or the reason why there is none, for example because the drawing function has ended the
  ///   host or exceeded the time limit.
  /// - Throws: `HostFailure` if the host fails, `PictureError` if it can't draw pictures, or `Interrupted` if an
  ///   interruption was requested.
  func picture(
    _ request: PictureRequest,
    of log: LogSlice,
    _ options: ReplayOptions
  ) throws -> PictureOutcome {
    number += 1
    page.progress.reset()
    let watchdog = Watchdog(process, seconds: request.limits.seconds, until: options.cancellation)
    if let input {
      _ = ServeProtocol.DrawRequest(number: number, request: request).line.write(to: input.number)
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

  /// The steps that led the last search to the step in progress, or `nil` if no step is in progress.
  var openSteps: [Int]? { page.progress.phase == .step ? page.progress.steps : nil }

  /// Whether the host's output has ended.
  private var isAtEnd = false

  private func next() -> (number: Int, answer: ServeProtocol.Reply)? {
    guard let line = try? output.next(line: 0) else {
      isAtEnd = true
      return nil
    }
    return (try? JSON(parsing: line.bytes)).flatMap(ServeProtocol.Reply.read)
  }

  /// Kills the process or waits for its end, and returns the reason why it ended.
  private func stop(isKilled: Bool, _ watchdog: Watchdog) -> ReplayEnd {
    if let end { return end }
    input = nil
    if isKilled { process.killSession() }
    let end = process.wait(watchdog)
    self.end = end
    return end
  }
}
