import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Options for the stability check, which finds values that differ between processes.
struct StabilityOptions: Sendable {
  /// The environment variables of the tool, from which the settings of replays are derived.
  var environment: [String: String] = [:]
  /// A closure that returns whether the time limit has been reached.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// A closure that starts the time limit for minimizing a finding, and returns a closure that returns whether the
  /// limit has been reached.
  var makeMinimizingLimit: @Sendable () -> @Sendable () -> Bool = { { false } }
  /// A closure that waits until a clock that counts seconds shows another time.
  var pause: @Sendable () -> Void = {}
  /// A closure that returns the current time of a monotonic clock, in seconds.
  var now: @Sendable () -> Double = { 0 }
}

/// The extent of the stability check after a search.
struct StabilityCheckSummary: Sendable, Equatable {
  /// The number of sequences that were replayed in several settings.
  var sequences = 0
  /// Whether all hosts used the hash seeds that their settings requested.
  var isSeeded = true
  /// The number of unstable paths that were not reported, because of the limit or because an earlier difference exists.
  var leftOut = 0
  /// The reason why the check ended early, or `nil` if it is complete.
  var shortfall: FuzzFinding.EarlyStopReason?
}

extension Fuzzer {
  /// The maximum number of sequences that are replayed in several settings.
  static let mostReplayed = 24
  /// The maximum number of unstable paths whose logs are minimized.
  static let mostUnstablePlaces = 24

  /// An unstable path, with the shortest sequence that shows it.
  private struct UnstablePathCandidate {
    let sequence: FuzzSequence
    let inspection: StabilityCheck.InspectedLog
    let place: UnstablePath

    /// The key by which the same path is recognized in other logs.
    var identity: CandidateKey { CandidateKey(place) }

    struct CandidateKey: Hashable, Comparable {
      private let place: UnstablePath.Key
      private let action: [String]

      init(_ place: UnstablePath) {
        self.place = place.key.anyID
        action = place.action?.caseNames ?? []
      }

      private var parts: [String] { [place.path, place.aspect.name] + action }

      static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.parts.lexicographicallyPrecedes(rhs.parts)
      }
    }
  }

  /// Replays sequences that represent the search, to find values that differ between processes.
  func checkStability(_ search: inout State) {
    guard search.result.interruption == nil, search.result.failure == nil else {
      search.result.stability.shortfall =
        search.result.interruption != nil ? .interruption : .failure
      return
    }
    do { try findUnstablePlaces(&search) } catch is StabilityCheck.TimeUp {
      search.result.stability.shortfall = .time
    } catch {
      search.result.stability.shortfall = error is Interrupted ? .interruption : .failure
      search.conclude(.failed(error))
    }
  }

  private func findUnstablePlaces(_ search: inout State) throws {
    let sequences = ActionCaseSample.chosen(search.samples, search.pool, atMost: Self.mostReplayed)
    guard !sequences.isEmpty else { return }
    let check = StabilityCheck(
      hosts: hosts,
      options: options,
      settings: AuditEnvironment.variations(of: stability.environment),
      jobs: jobs,
      isTimeUp: stability.isTimeUp,
      pause: stability.pause,
      now: stability.now
    )
    let logs = try written(sequences, startingOver: search.result.obstacle)
    let inspections = try check.inspect(logs.map(\.events), isThorough: false)
    search.result.stability.sequences = inspections.count
    search.result.stability.isSeeded = inspections.allSatisfy { $0.runs.allSatisfy(\.isSeeded) }
    let all = Self.candidates(zip(logs.map(\.sequence), inspections))
    let candidates = all.prefix(Self.mostUnstablePlaces).sorted { $0.identity < $1.identity }
    search.result.stability.leftOut = all.count - candidates.count
    try confirm(candidates, check, &search)
  }

  /// Returns sequences with their events, which a host creates.
  ///
  /// Sequences that trap are omitted.
  private func written(
    _ sequences: [FuzzSequence],
    startingOver obstacle: SnapshotObstacle?
  ) throws -> [(sequence: FuzzSequence, events: [LogEvent])] {
    var request = FuzzRequest(logs: logs, judge: judge)
    request.feature = options.feature
    request.written = sequences.map(\.steps)
    request.obstacle = obstacle
    let (answer, ending) = runBatch(request) { _ in }
    if case .failed(let error) = ending { throw error }
    return zip(sequences, answer.written)
      .filter { !$1.events.isEmpty }.map { ($0, $1.events) }
  }

  /// Returns the distinct unstable paths, each with the shortest sequence that shows it.
  ///
  /// Paths that are the first difference of a sequence come before the others, which may be consequences.
  private static func candidates(
    _ inspected: some Sequence<(FuzzSequence, StabilityCheck.InspectedLog)>
  ) -> [UnstablePathCandidate] {
    var firsts: Set<UnstablePathCandidate.CandidateKey> = []
    var best: [UnstablePathCandidate.CandidateKey: UnstablePathCandidate] = [:]
    for (sequence, inspection) in inspected {
      for place in inspection.places {
        let candidate = UnstablePathCandidate(
          sequence: sequence,
          inspection: inspection,
          place: place
        )
        let known = best[candidate.identity]
        if place.seq < known?.place.seq ?? .max { best[candidate.identity] = candidate }
        if place.seq == inspection.places.first?.seq { firsts.insert(candidate.identity) }
      }
    }
    let sorted = best.sorted { $0.key < $1.key }
    return (sorted.filter { firsts.contains($0.key) } + sorted.filter { !firsts.contains($0.key) })
      .map(\.value)
  }

  /// Minimizes the logs of candidates, and replays the results to find out why values differ.
  private func confirm(
    _ candidates: [UnstablePathCandidate],
    _ check: StabilityCheck,
    _ search: inout State
  ) throws {
    var minimized: [(candidate: UnstablePathCandidate, log: MinimizedLog)] = []
    var ending: (any Error)?
    for candidate in candidates {
      do {
        if let ending { throw ending }
        if stability.isTimeUp() { throw StabilityCheck.TimeUp() }
        minimized.append((candidate, try minimize(candidate, check)))
      } catch is Minimizer.MinimizationObstacle {
        search.result.unconfirmed += 1
      } catch {
        // After an error, the remaining findings are reported with logs that are not minimized.
        ending = error
        minimized.append((candidate, MinimizedLog(shortfall: FuzzFinding.EarlyStopReason(error))))
      }
    }
    var inspections: [StabilityCheck.InspectedLog] = []
    if ending == nil {
      do {
        inspections = try check.inspect(minimized.map(\.log.events), isThorough: true)
      } catch { ending = error }
    }
    for (index, (candidate, log)) in minimized.enumerated() {
      var log = log
      if let ending, log.shortfall == nil { log.shortfall = FuzzFinding.EarlyStopReason(ending) }
      let inspection = index < inspections.count ? inspections[index] : nil
      try retainFinding(candidate, log, inspection, &search)
    }
    if let ending { throw ending }
  }

  /// Adds a finding, unless another difference precedes it in its log.
  private func retainFinding(
    _ candidate: UnstablePathCandidate,
    _ log: MinimizedLog,
    _ inspection: StabilityCheck.InspectedLog?,
    _ search: inout State
  ) throws {
    let place =
      inspection == nil
      ? candidate.place
      : inspection?.places.first { UnstablePathCandidate.CandidateKey($0) == candidate.identity }
    guard let place else {
      search.result.unconfirmed += 1
      return
    }
    guard let events = try (inspection ?? candidate.inspection).witness(of: place) else {
      // An earlier difference may be the cause.
      search.result.stability.leftOut += 1
      return
    }
    var finding = FuzzFinding(
      place,
      events,
      origin: candidate.sequence.origin,
      transitions: candidate.sequence.transitions
    )
    finding.actions.found = log.found ?? finding.actions.now
    finding.shortfall = log.shortfall
    guard search.symptoms.insert(finding.symptom).inserted else { return }
    search.result.findings.append(finding)
    progress(search.result.runs, search.result.findings.count)
  }

  /// A minimized log that still shows an unstable path, or no events if the log was not minimized.
  private struct MinimizedLog {
    var events: [LogEvent] = []
    /// The number of actions from outside before the log was minimized, or `nil` if it was not minimized.
    var found: Int?
    var shortfall: FuzzFinding.EarlyStopReason?
  }

  private func minimize(
    _ candidate: UnstablePathCandidate,
    _ check: StabilityCheck
  ) throws -> MinimizedLog {
    var options = options
    options.keepsStandIns = true
    let comparison = EnvironmentSensitivityCheck(
      of: candidate.place,
      among: check.settings,
      hosts: hosts,
      options: self.options,
      pause: stability.pause
    )
    let events = candidate.inspection.events.ending(after: candidate.place.seq)
    var replayer = try replayer(events, options)
    let found = replayer.log.units.count
    // The last action is first tried with its causes only, because replays that depend on a clock are slow.
    if let unit = replayer.log.units.indices.last {
      let causes = CausalLog.Subset(units: replayer.log.causes(of: unit))
      let outcome = try replayer.replay(causes)
      if causes.units.count < found, try comparison.differs(from: outcome) {
        replayer = try self.replayer(outcome.events, options)
      }
    }
    let isTimeUp = stability.makeMinimizingLimit()
    let minimizer = Minimizer(
      replayer: replayer,
      property: .unstable(comparison),
      jobs: jobs,
      isTimeUp: isTimeUp
    )
    let result = try minimizer.minimize()
    if let signal = result.interruption { throw Interrupted(signal: signal) }
    return MinimizedLog(
      events: result.events.asRecorded,
      found: found,
      shortfall: result.isMinimal ? nil : .time
    )
  }

  private func replayer(_ events: [LogEvent], _ options: ReplayOptions) throws -> SubsetReplayer {
    var rest = events[...]
    return SubsetReplayer(log: try CausalLog { rest.popFirst() }, hosts: hosts, options: options)
  }
}

extension FuzzFinding.EarlyStopReason {
  /// Creates the reason for an error that ended the minimization.
  fileprivate init(_ error: any Error) {
    self =
      switch error {
      case is StabilityCheck.TimeUp: .time
      case is Interrupted: .interruption
      default: .failure
      }
  }
}
