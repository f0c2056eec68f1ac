import ActionLog
import ReplayCommands
import ReplayEngine

/// Replays a log in processes with different environments, and compares the replays with each other and with the log.
///
/// The environments differ in hash seed, time zone, and locale. A reducer must not depend on them.
struct Audit: Sendable {
  var log: LogSlice
  let runs: Int
  let seed: UInt64
  var options = ReplayOptions()
  var jobs = 1
  let makeReplayStarter: @Sendable () -> CommandContext.ReplayStarter
  var now: @Sendable () -> Double = { 0 }
  var interruption = Interruption()
  /// A closure that receives the number of finished replays after each replay.
  var progress: @Sendable (_ done: Int) -> Void = { _ in }

  /// The replays of an audit and the differences between them.
  struct Result: Sendable {
    var runs: [AuditRun] = []
    /// The signal that ended the audit early, or `nil` if the audit is complete.
    var interruption: Int32?
    /// The paths at which replays differ from each other, in the order of the actions.
    var places: [UnstablePath] = []
    /// The first difference between the log and the replays that no unstable path explains, or `nil` if there is none.
    var difference: LogDifference?
    /// The opaque values in the log, which can't be compared.
    var notCompared: [UncomparedValue] = []

    /// Whether all replays agree with each other and with the log.
    var isStable: Bool { places.isEmpty && difference == nil }
  }

  /// The maximum number of replays in one audit.
  ///
  /// Each replay is stored in a file until the audit ends, and more replays would reveal nothing new.
  static let mostRuns = 10_000

  /// Runs the replays and compares them.
  ///
  /// - Returns: The differences that were found, even if a signal ended the audit after the first replay.
  /// - Throws: `Interrupted` if a signal ended the audit before the first replay was complete, or `LogReadError`,
  ///   `HostFailure`, `StreamError`.
  func run() async throws -> Result {
    let plan = AuditEnvironment.plan(runs: runs, seed: seed, header: try header())
    let files = try plan.map { _ in try TemporaryFile([]) }
    defer { withExtendedLifetime(files) {} }
    let finished = try await replays(plan, into: files.map(\.path))
    let isPartial = finished.count < plan.count
    // A single replay can still be compared with the log, so the audit fails only if no replay has finished.
    if isPartial, finished.isEmpty { try interruption.check() }
    var result = Result(runs: finished, interruption: isPartial ? interruption.signal : nil)
    let finder = UnstablePathFinder(log: log, runs: finished)
    let findings = try finder.findings()
    (result.places, result.difference) = (findings.places, findings.difference)
    result.notCompared = findings.notCompared
    if !isPartial { try await checkAgain(&result) }
    return result
  }

  /// The number of times that each setting is repeated to confirm a reason.
  ///
  /// If values are random with two outcomes, about 1 in 10,000 reasons is wrong after four repetitions.
  private static let repetitions = 4

  /// Repeats all settings to confirm reasons that random values could also produce by chance.
  private func checkAgain(_ result: inout Result) async throws {
    let places = result.places.indices.filter {
      result.places[$0].reasons.contains(where: \.isGuess)
    }
    guard !places.isEmpty else { return }
    let settings = result.runs.reduce(into: [AuditEnvironment]()) { settings, run in
      if !settings.contains(run.setting) { settings.append(run.setting) }
    }
    let plan = Array(repeating: settings, count: Self.repetitions).flatMap(\.self)
    let files = try plan.map { _ in try TemporaryFile([]) }
    defer { withExtendedLifetime(files) {} }
    let more = try await replays(plan, into: files.map(\.path))
    let again = try UnstablePathFinder(log: log, runs: result.runs + more).findings()
    for index in places {
      let key = result.places[index].key
      guard let place = again.places.first(where: { $0.key == key }) else { continue }
      result.places[index].reasons = place.reasons
    }
    guard more.count < plan.count else { return }
    result.interruption = interruption.signal
  }

  /// Returns the header of the log.
  ///
  /// All lines are read and validated, because a host doesn't report lines that it can't read.
  private func header() throws -> LogEvent.Header {
    let events = try log.events()
    var header: LogEvent.Header?
    while let event = try events() {
      if header == nil, case .header(let first) = event { header = first }
    }
    guard let header else { throw LogReadError.empty }
    return header
  }

  private func replays(_ plan: [AuditEnvironment], into paths: [String]) async throws -> [AuditRun]
  {
    let work = OrderedWork<Int, Swift.Result<AuditRun, any Error>>(
      items: Array(plan.indices),
      workers: jobs,
      makeWorker: {
        { index in
          Swift.Result {
            // Each replay needs a new process, because a process reads its environment only at launch.
            try AuditRun(
              of: log,
              in: plan[index],
              into: paths[index],
              options: options,
              start: makeReplayStarter(),
              now: now()
            )
          }
        }
      },
      isLast: { if case .failure = $0 { true } else { false } },
      interruption: interruption
    )
    var finished: [AuditRun] = []
    for await result in work.results() {
      finished.append(try result.get())
      progress(finished.count)
    }
    return finished
  }
}
