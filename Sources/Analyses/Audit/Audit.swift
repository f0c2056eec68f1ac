import ActionLog
import ReplayCommands
import ReplayEngine

/// Replays a log in many processes whose environments differ in ways that must not matter, and compares the replays with each
/// other and with the log.
struct Audit: Sendable {
  var log: LogSlice
  let runs: Int
  let seed: UInt64
  var options = ReplayOptions()
  var jobs = 1
  let makeReplayStarter: @Sendable () -> CommandContext.ReplayStarter
  var now: @Sendable () -> Double = { 0 }
  var interruption = Interruption()
  /// Called with the number of finished replays.
  var progress: @Sendable (_ done: Int) -> Void = { _ in }

  /// The result of an audit.
  struct Result: Sendable {
    var runs: [AuditRun] = []
    /// The signal that ended the audit before all replays were done.
    var interruption: Int32?
    /// The places at which replays differ, in the order of the actions.
    var places: [UnstablePlace] = []
    /// The first difference from the log that all replays share.
    var difference: LogDifference?
    /// The values that were not compared.
    var notCompared: [UncomparedValue] = []

    /// Whether all replays agree with each other and with the log.
    var isStable: Bool { places.isEmpty && difference == nil }
  }

  /// More add no information, and each keeps a file until all have run.
  static let mostRuns = 10_000

  /// The audit.
  ///
  /// - Throws: `LogReadError`, `HostFailure`, `StreamError`.
  func run() async throws -> Result {
    let plan = AuditSetting.plan(runs: runs, seed: seed, header: try header())
    let files = try plan.map { _ in try TemporaryFile([]) }
    defer { withExtendedLifetime(files) {} }
    let finished = try await replays(plan, into: files.map(\.path))
    let isPartial = finished.count < plan.count
    // One replay alone can be compared with the log, and with no other.
    if isPartial, finished.isEmpty { try interruption.check() }
    var result = Result(runs: finished, interruption: isPartial ? interruption.signal : nil)
    let finder = UnstablePlaceFinder(log: log, runs: finished)
    let findings = try finder.findings()
    (result.places, result.difference) = (findings.places, findings.difference)
    result.notCompared = findings.notCompared
    if !isPartial { try await checkAgain(&result) }
    return result
  }

  /// How often each setting is replayed again where its values have led to a reason: with two values that are drawn at random, one
  /// false reason in 10,000 is left.
  private static let repetitions = 4

  /// Replays the settings again that explain a place, for chance may have given each its value.
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
    let again = try UnstablePlaceFinder(log: log, runs: result.runs + more).findings()
    for index in places {
      let key = result.places[index].key
      guard let place = again.places.first(where: { $0.key == key }) else { continue }
      result.places[index].reasons = place.reasons
    }
    guard more.count < plan.count else { return }
    result.interruption = interruption.signal
  }

  /// The header of the log.
  ///
  /// The log is read to its end, because a host does not report a line that it cannot read.
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
            // Each in a process of its own: the environment is read when a process starts.
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
