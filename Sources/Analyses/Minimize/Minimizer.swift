import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Looks for the fewest actions of a log, and the simplest values in them, that still show something.
struct Minimizer: Sendable {
  let replayer: StoryReplayer
  let property: MinimizedProperty
  var jobs = 1
  /// Whether the time is up.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// Is told how many actions from outside are left after how many replays.
  var progress: @Sendable (_ left: Int, _ replays: Int) -> Void = { _, _ in }

  /// What was found.
  struct Result: Sendable {
    /// The shortest log, as its replay wrote it.
    var events: [LogEvent]
    /// What is left of the story.
    var retelling: Story.Retelling
    /// How many replays it took.
    var replays: Int
    /// Whether no single action can go.
    var isMinimal: Bool
    /// The signal that ended the search before its time.
    var interruption: Int32?
  }

  /// Why a log cannot be minimized.
  enum Failure: Error, Hashable {
    /// The property does not hold for the whole log.
    case doesNotHold
    /// Two replays of the same log are not the same.
    case notDeterministic(at: Int)
  }

  /// The search.
  ///
  /// - Throws: `Failure`, and `HostFailure` when the host cannot run.
  func minimize() throws -> Result {
    let story = replayer.story
    let whole = Story.Retelling(units: story.all)
    let baseline = try checkedBaseline(whole)
    let search = Search(self, baseline: baseline)
    var left = story.all
    var isMinimal = true
    // First whole stories, then what each of them consists of.
    let roots = left.filter { story.units[$0].parent == nil }
    if roots.count < left.count {
      left = search.minimize(left, removingAmong: roots).kept
    }
    let last = search.minimize(left, removingAmong: left)
    left = last.kept
    isMinimal = last.isMinimal
    var retelling = Story.Retelling(units: left)
    retelling = search.simplify(retelling)
    do {
      if let failure = search.failure { throw failure }
      let outcome = try replayer.replay(retelling)
      return Result(
        events: outcome.events,
        retelling: retelling,
        replays: search.replays + Self.checks + 1,
        isMinimal: isMinimal && !isTimeUp()
      )
    } catch let error as Interrupted {
      let best = search.best
      return Result(
        events: best.events,
        retelling: best.retelling,
        replays: search.replays + Self.checks,
        isMinimal: false,
        interruption: error.signal
      )
    }
  }

  /// How often the whole log is replayed to see if it goes the same way each time.
  static let checks = 3

  struct Baseline: Sendable {
    let sighting: MinimizedProperty.Sighting
    let findings: Set<EventReplayer.Finding>
    /// The replay of the whole log.
    let events: [LogEvent]
  }

  private func checkedBaseline(_ whole: Story.Retelling) throws -> Baseline {
    var first: StoryReplayer.Outcome?
    var seen: MinimizedProperty.Sighting?
    for _ in 0..<Self.checks {
      let outcome = try replayer.replay(whole)
      let sighting = try property.sighting(in: outcome, of: whole)
      if let first {
        if let seq = try first.differs(from: outcome) { throw Failure.notDeterministic(at: seq) }
        guard seen == sighting else { throw Failure.notDeterministic(at: outcome.lastAction) }
      }
      first = outcome
      seen = sighting
    }
    guard let first, let seen else { throw Failure.doesNotHold }
    return Baseline(sighting: seen, findings: first.findings, events: first.events)
  }
}

extension EventReplayer.Outcome {
  /// The action at which two replays part; `nil` when they are the same.
  fileprivate func differs(from other: Self) throws -> Int? {
    guard end == other.end else { return min(lastAction, other.lastAction) }
    var first = events[...]
    var second = other.events[...]
    var comparison = LogComparison(
      recorded: { first.popFirst() },
      replayed: { second.popFirst() }
    )
    return try comparison.run().differences.first?.seq
  }
}

/// A log that cannot be minimized.
struct CannotMinimize: StatusError, Hashable, CustomStringConvertible {
  let log: String
  let failure: Minimizer.Failure

  var description: String { Wording.describe(failure, log) }

  var status: ExitStatus {
    switch failure {
    case .doesNotHold: .different
    // A refusal says nothing of the behaviour.
    case .notDeterministic: .unreadable
    }
  }
}
