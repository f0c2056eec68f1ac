import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// Replays subsets of a log in memory.
///
/// A replay continues from a snapshot before the first difference between its subset and the previous subset. The
/// result is the same as that of a replay in a host process, but no lines are written or read.
final class InMemorySubsetReplayer {
  let log: CausalLog
  private let condition: Condition?
  private let makeEngine: (LogEvent.Header) throws -> any FeatureEngine
  private let isPruning: Bool
  private let page: CrashProgressRecord?
  /// The marks of the events in the previous subset.
  private var marks: [Int] = []
  private var snapshots: [SavedReplay] = []

  /// The findings in the replay of a subset, and whether the condition held.
  struct SubsetOutcome: Equatable {
    /// Whether the condition held after at least one action.
    var isSighted = false
    var findings: Set<EventReplayer.OrderIndependentFinding> = []
  }

  private struct SavedReplay {
    /// The number of events that the replay had processed.
    let position: Int
    let session: ReplaySession.Snapshot
    let look: ReplayInspector
  }

  /// The findings of a replay so far, and the state with which the condition is evaluated.
  private struct ReplayInspector {
    var cursor = LogCursor()
    var contexts = ConditionContextBuilder()
    var outcome = SubsetOutcome()

    mutating func inspect(_ event: LogEvent, _ condition: Condition?) throws {
      if case .finding(let finding) = event, !finding.code.isDrift {
        outcome.findings.insert(EventReplayer.OrderIndependentFinding(finding))
      }
      guard let condition else { return }
      try cursor.move(to: event)
      guard let context = try contexts.consume(event, &cursor), !outcome.isSighted else { return }
      outcome.isSighted = context.action != nil && condition.holds(in: context)
    }
  }

  /// A source of events that tracks the index of the next event.
  private final class CountingEventSource {
    private let events: [CausalLog.SelectedEvent]
    private(set) var position: Int

    init(_ events: [CausalLog.SelectedEvent], from position: Int) {
      (self.events, self.position) = (events, position)
    }

    func next() -> LogEvent? {
      guard position < events.count else { return nil }
      defer { position += 1 }
      return events[position].event
    }
  }

  init(
    _ log: CausalLog,
    condition: Condition?,
    isPruning: Bool,
    page: CrashProgressRecord?,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) {
    self.log = log
    self.condition = condition
    self.isPruning = isPruning
    self.page = page
    self.makeEngine = makeEngine
  }

  /// The number of actions between two snapshots.
  private static let interval = 32
  private static let mostSnapshots = 1024

  /// Replays a subset.
  ///
  /// - Throws: `ReplayError`, or an error of the engine.
  func outcome(of subset: CausalLog.Subset) throws -> SubsetOutcome {
    let selected = log.selection(of: subset)
    let marks = selected.map(\.mark)
    let common = zip(marks, self.marks).prefix { $0 == $1 }.count
    while let last = snapshots.last, last.position > common { snapshots.removeLast() }
    self.marks = marks
    var look = snapshots.last?.look ?? ReplayInspector()
    let feed = CountingEventSource(selected, from: snapshots.last?.position ?? 0)
    let input = RecordedEvents { feed.next() }
    var session = ReplaySession(isPruning: isPruning, input: input, progress: page) {
      [makeEngine] in try makeEngine($0)
    }
    if let last = snapshots.last { session.restore(last.session, input: input) }
    var actions = 0
    func run() throws {
      while let event = try session.next() {
        try look.inspect(event, condition)
        guard case .change = event else { continue }
        actions += 1
        guard actions % Self.interval == 0, snapshots.count < Self.mostSnapshots,
          let snapshot = session.snapshot
        else { continue }
        snapshots.append(
          SavedReplay(
            position: feed.position - session.readAhead,
            session: snapshot,
            look: look
          )
        )
      }
    }
    // The context belongs to the engine, so the engine must be created first.
    while session.isWaitingForEngine, let event = try session.next() {
      try look.inspect(event, condition)
    }
    let first = session
    try first.withContext { try run() }
    return look.outcome
  }
}
