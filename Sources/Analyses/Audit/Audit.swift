import ActionLog
import ReplayCommands
import ReplayEngine

/// Replays a log in processes with different environments, and compares the replays with each other and with the log.
///
/// A reducer must not depend on the differences: hash seed, time zone and locale.
struct Audit: Sendable {
  var log: LogSlice
  let runs: Int
  let seed: UInt64
  var options = ReplayOptions()
  var jobs = 1
  let makeReplayStarter: @Sendable () -> CommandContext.ReplayStarter
  var now: @Sendable () -> Double = { 0 }
  var interruption = Interruption()
  /// Receives the number of finished replays.
  var progress: @Sendable (_ done: Int) -> Void = { _ in }

  /// The result of an audit.
  struct Result: Sendable {
    var runs: [AuditRun] = []
    /// The signal that ended the audit early.
    var interruption: Int32?
    /// The paths at which the replays differ, in the order of the actions.
    var places: [UnstablePath] = []
    /// The first difference from the log that all replays share.
    var difference: LogDifference?
    /// The opaque values, which are not compared.
    var notCompared: [UncomparedValue] = []

    /// Whether all replays agree with each other and with the log.
    var isStable: Bool { places.isEmpty && difference == nil }
  }

  /// The maximum number of replays.
  ///
  /// More add no information, and each needs a file until the end of the audit.
  static let mostRuns = 10_000

  /// Runs the audit.
  ///
  /// - Throws: `LogReadError`, `HostFailure`, `StreamError`.
  func run() async throws -> Result {
    let plan = AuditSetting.plan(runs: runs, seed: seed, header: try header())
    let files = try plan.map { _ in try TemporaryFile([]) }
    defer { withExtendedLifetime(files) {} }
    let finished = try await replays(plan, into: files.map(\.path))
    let isPartial = finished.count < plan.count
    // A single replay can be compared with the log, but not with other replays.
    if isPartial, finished.isEmpty { try interruption.check() }
    var result = Result(runs: finished, interruption: isPartial ? interruption.signal : nil)
    let finder = UnstablePathFinder(log: log, runs: finished)
    let findings = try finder.findings()
    (result.places, result.difference) = (findings.places, findings.difference)
    result.notCompared = findings.notCompared
    if !isPartial { try await checkAgain(&result) }
    return result
  }

  /// The number of repetitions that confirm a reason for a setting.
  ///
  /// For random values with two outcomes, one false reason in 10,000 remains.
  private static let repetitions = 4

  /// Repeats the settings that explain a difference, because random values may follow the settings by chance.
  private func checkAgain(_ result: inout Result) async throws {
    let places = result.places.indices.filter {
      result.places[$0].reasons.contains(where: \.isGuess)
    }
    guard !places.isEmpty else { return }
    let settings = result.runs.reduce(into: [AuditSetting]()) { settings, run in
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
  /// It reads the complete log, because a host doesn't report lines that it can't read.
  private func header() throws -> LogEvent.Header {
    let events = try log.events()
    var header: LogEvent.Header?
    while let event = try events() {
      if header == nil, case .header(let first) = event { header = first }
    }
    guard let header else { throw LogReadError.empty }
    return header
  }

  private func replays(_ plan: [AuditSetting], into paths: [String]) async throws -> [AuditRun] {
    let work = OrderedWork<Int, Swift.Result<AuditRun, any Error>>(
      items: Array(plan.indices),
      workers: jobs,
      makeWorker: {
        { index in
          Swift.Result {
            // Each replay needs its own process, because the environment is only read at launch.
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
