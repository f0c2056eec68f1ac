import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// The search states of a log, computed in the memory of this process.
///
/// Steps are executed in the current search state. Snapshots lead back to earlier search states.
final class InMemoryStateSpace: SearchStateSpace {
  typealias Visit = SearchVisitResult<ChoicePoint, Digest>

  /// A search state, with its predecessor and the step between them.
  final class ChoicePoint {
    fileprivate private(set) var parent: ChoicePoint?
    /// The index of the step that leads to this search state, or a negative number if this is the first one.
    fileprivate let step: Int
    fileprivate let depth: Int
    fileprivate let threads: CachedThreadProgress
    /// The number of the last action, counted in the order that leads to this search state.
    ///
    /// Conditions can read it.
    fileprivate let seq: Int
    /// The digest of the feature's state, without effects and threads.
    fileprivate let state: Digest
    fileprivate private(set) var snapshot: SimulatedFeature.Snapshot?
    private var snapshotSize = 0
    private let size: Int
    private let count: MemoryUse

    fileprivate init(
      parent: ChoicePoint?,
      step: Int,
      threads: CachedThreadProgress,
      seq: Int,
      state: Digest,
      count: MemoryUse
    ) {
      self.parent = parent
      self.step = step
      self.threads = threads
      self.seq = seq
      self.state = state
      self.count = count
      depth = parent.map { $0.depth + 1 } ?? 0
      // 512 bytes account for what the search stores about each search state.
      size = 512 + threads.ownSize
      count.places += size
    }

    deinit {
      count.places -= size
      count.snapshots -= snapshotSize
      // A recursive release of a long chain would overflow the stack, so predecessors are released in a loop.
      var next = parent
      parent = nil
      while isKnownUniquelyReferenced(&next), let above = next?.parent {
        next?.parent = nil
        next = above
      }
    }

    fileprivate func store(_ snapshot: SimulatedFeature.Snapshot) {
      self.snapshot = snapshot
      snapshotSize = snapshot.size
      count.snapshots += snapshotSize
    }
  }

  /// The approximate memory use of search states and snapshots, in bytes.
  fileprivate final class MemoryUse {
    var places = 0
    var snapshots = 0
  }

  /// The approximate limits for the memory use of a search, in bytes.
  struct MemoryLimits {
    /// The limit for the cached results of steps.
    var steps = 256 << 20
    var snapshots = 256 << 20
    var places = 256 << 20
  }

  private let log: ThreadedLog
  private let table: ThreadTable
  private var threads: ThreadProgressCache
  private let watch: RuleEvaluator
  private let judge: SearchJudge
  private let feature: SimulatedFeature
  private let page: CrashProgressRecord?
  private let first: ChoicePoint
  /// The current search state, or `nil` after a step that led to a dead end.
  private var here: ChoicePoint?
  /// The search states after the steps on the shared page, without the step that is being executed.
  private var trail: [ChoicePoint] = []
  /// The step that is being executed, with the search state before it.
  private var making: (step: Int, place: ChoicePoint)?
  private let memory: MemoryLimits
  private let count = MemoryUse()

  /// Creates a state space that starts at the checkpoint of a log.
  ///
  /// - Parameters:
  ///   - log: The log that contains the steps.
  ///   - engine: The engine, which must have loaded the checkpoint.
  ///   - checkpoint: The first checkpoint of the log.
  ///   - judge: The rules that define violations.
  ///   - page: The page shared with the tool. Each step is written to it with the steps before it.
  ///   - memory: The limits for memory use.
  init(
    _ log: ThreadedLog,
    _ engine: any FeatureEngine,
    at checkpoint: LogEvent.Checkpoint,
    judge: SearchJudge,
    page: CrashProgressRecord? = nil,
    memory: MemoryLimits = MemoryLimits()
  ) {
    self.log = log
    self.judge = judge
    self.page = page
    table = ThreadTable(log, countsOvertaking: judge.countsOvertaking)
    feature = SimulatedFeature(
      engine,
      at: checkpoint,
      sends: table.sends,
      latecomers: table.latecomers,
      memory: memory.steps / 4 * 3
    )
    watch = RuleEvaluator(judge, feature.state.json, after: checkpoint.seq)
    let alive = checkpoint.effects.flatMap(\.flattened).compactMap(\.id)
    var open: [Int] = alive.compactMap { [table] in table.threadOfEffect[$0] }
    if let user = table.threads.firstIndex(of: .user) { open.append(user) }
    threads = ThreadProgressCache(table, memory: memory.steps / 4)
    first = ChoicePoint(
      parent: nil,
      step: -1,
      threads: threads.start(open: open, feature.effects),
      seq: checkpoint.seq,
      state: feature.state.digest,
      count: count
    )
    first.store(feature.snapshot())
    here = first
    self.memory = memory
    feature.isDeadEnd = { findings, isFromUser in
      judge.verdict(on: findings, isFromUser: isFromUser) == .unclear
    }
    if page != nil { feature.willRunCode = { [unowned self] in publishStep() } }
    if watch.isNeeded || judge.countsOvertaking && !log.overtaking.isEmpty {
      feature.didReduce = { [watch] in watch.inspect($0) }
    }
  }

  /// Whether the stored search states exceed their memory limit.
  var isFull: Bool { count.places > memory.places }

  /// The reason why the feature's state can't be restored, or `nil` if it can be.
  var obstacle: SnapshotObstacle? { feature.obstacle }

  /// The current state of the feature as JSON.
  var state: JSON { feature.state.json }

  func start() -> Visit {
    go(to: first)
    return Visit(
      place: first,
      key: key(of: first),
      enabled: first.threads.enabled,
      verdict: .clear
    )
  }

  func visit(_ step: Int, from place: ChoicePoint, delaying _: DelayedThreads) -> Visit {
    if here !== place { go(to: place) }
    making = (step, place)
    watch.startStep(
      judge.countsOvertaking
        ? log.overtaking.rivals(of: step, isDone: place.threads.progress.isDone) : [],
      feature.state.json
    )
    let arrival = runStep(step)
    if arrival.isDeadEnd {
      page?.leaveStep()
      here = nil
      return Visit(place: place, key: Digest(), enabled: [], verdict: .unclear)
    }
    let threads = threads.makeStep(
      step,
      from: place.threads,
      starting: arrival.started,
      feature.effects
    )
    let found =
      arrival.findings.isEmpty
      ? .clear : judge.verdict(on: arrival.findings, isFromUser: arrival.isFromUser)
    page?.leaveStep()
    let here = ChoicePoint(
      parent: place,
      step: step,
      threads: threads,
      seq: watch.moment.seq,
      state: feature.state.digest,
      count: count
    )
    self.here = here
    return Visit(
      place: here,
      key: key(of: here),
      enabled: threads.enabled,
      verdict: watch.verdict.isClear ? found : watch.verdict
    )
  }

  func isKnownUnclear(_ step: Int) -> Bool {
    // The states before later inputs are not known here, so only the first input is checked.
    guard table.inputs[step].first.map(feature.isKnownDeadEnd) ?? false else { return false }
    page?.leaveStep()
    return true
  }

  func retain(_ place: ChoicePoint) {
    guard place === here, place.snapshot == nil else { return }
    // When memory is scarce, snapshots are stored only at depths that are multiples of 16. Other search states are
    // restored by repeating the steps after an earlier snapshot.
    guard count.snapshots < memory.snapshots || place.depth % 16 == 0 else { return }
    place.store(feature.snapshot())
  }

  func steps(to place: ChoicePoint) -> [Int] {
    var steps: [Int] = []
    var next = place
    while let parent = next.parent {
      steps.append(next.step)
      next = parent
    }
    return steps.reversed()
  }

  /// Passes the inputs of a step to the feature, and stops at a dead end.
  private func runStep(_ step: Int) -> SimulatedFeature.InputResults {
    var arrival = SimulatedFeature.InputResults(isFromUser: table.rules[step].isFromUser)
    for input in table.inputs[step] where !arrival.isDeadEnd { feature.apply(input, &arrival) }
    feature.drain(&arrival)
    return arrival
  }

  /// Returns the key of a search state, which must be the current one.
  private func key(of place: ChoicePoint) -> Digest {
    var key = place.state
    key.add(feature.effects.standing)
    key.add(place.threads.progress.digest)
    return key.mixed
  }

  /// Makes a search state the current one.
  ///
  /// Restores its snapshot, or restores an earlier snapshot and repeats the steps after it.
  private func go(to place: ChoicePoint) {
    // No step is published, because a repeated step can't end the process.
    making = nil
    var missing: [ChoicePoint] = []
    var next = place
    while next.snapshot == nil, let parent = next.parent {
      missing.append(next)
      next = parent
    }
    if let snapshot = next.snapshot { feature.restore(snapshot) }
    // None of these steps leads to a dead end, because the search continued after them.
    for place in missing.reversed() { _ = runStep(place.step) }
    here = place
    watch.go(to: place.seq, feature.state.json)
  }

  /// Writes the current step, and the steps that lead to it, to the shared page.
  ///
  /// This is done before the feature's code runs, because the code can end the process.
  private func publishStep() {
    guard let page, let (step, place) = making else { return }
    if trail.count > place.depth { trail.removeSubrange(place.depth...) }
    var missing: [ChoicePoint] = []
    var next = place
    while let parent = next.parent,
      trail.count < next.depth || trail[next.depth - 1] !== next
    {
      missing.append(next)
      next = parent
    }
    if trail.count > next.depth { trail.removeSubrange(next.depth...) }
    for place in missing.reversed() {
      page.record(step: place.step, at: place.depth - 1)
      trail.append(place)
    }
    page.record(step: step, at: place.depth)
  }
}

/// Evaluates rules after each action of a feature that runs in memory, and detects overwritten results.
final class RuleEvaluator {
  /// The number of the last action and the state after it, to which conditions can refer.
  struct ConditionHistory {
    var seq: Int
    /// The state after the last action, or `nil` if there are no rules.
    var state: JSON?
  }

  private let judge: SearchJudge
  private let members: Set<String>?
  /// The first violation in the current step, or `clear`.
  private(set) var verdict = SearchJudge.Verdict.clear
  private(set) var moment: ConditionHistory
  /// The results of newer effects that the step's action can overwrite, and the state before the step.
  private var rivals: (values: [OvertakingRaces.ContestedValue], before: JSON)?

  init(_ judge: SearchJudge, _ state: @autoclosure () -> JSON, after seq: Int) {
    self.judge = judge
    let used = judge.rules.map(\.condition.usedMembers)
    members = used.contains(nil) ? nil : used.reduce(into: []) { $0?.formUnion($1 ?? []) }
    let isNeeded = !judge.rules.isEmpty
    moment = ConditionHistory(seq: seq, state: isNeeded ? state() : nil)
  }

  var isNeeded: Bool { !judge.rules.isEmpty }

  /// Resets the verdict for a new step.
  ///
  /// - Parameters:
  ///   - values: The results of newer effects that the step's action can overwrite.
  ///   - state: The state before the step, which is computed only if it is needed.
  func startStep(_ values: [OvertakingRaces.ContestedValue] = [], _ state: @autoclosure () -> JSON)
  {
    verdict = .clear
    rivals = values.isEmpty ? nil : (values, moment.state ?? state())
  }

  /// Returns to the point at which `moment` was stored.
  func go(to moment: ConditionHistory) { self.moment = moment }

  /// Returns to the point after action `seq`, with the state at this point.
  func go(to seq: Int, _ state: @autoclosure () -> JSON) {
    moment = ConditionHistory(seq: seq, state: isNeeded ? state() : nil)
  }

  /// Evaluates the rules after an action of the step was reduced.
  func inspect(_ reduced: SimulatedFeature.ReducedAction) {
    moment.seq += 1
    guard isNeeded || rivals != nil else { return }
    let state = reduced.state.json
    let rivals = self.rivals
    // Only the first action of a step can overwrite a result, because the reducer sends the later ones.
    self.rivals = nil
    if isNeeded, verdict.isClear { verdict = ruling(reduced, state) }
    if isNeeded { moment.state = state }
    guard verdict.isClear, let (values, before) = rivals,
      let rival = values.first(where: { $0.isReplaced(before: before, after: state) })
    else { return }
    verdict = .violated(.overtaken(rival.place))
  }

  private func ruling(
    _ reduced: SimulatedFeature.ReducedAction,
    _ state: JSON
  ) -> SearchJudge.Verdict {
    judge.verdict(
      on: ConditionContext(
        seq: moment.seq,
        action: LogEvent.Action(
          seq: moment.seq,
          at: 0,
          origin: reduced.origin,
          logged: reduced.action,
          shared: nil
        ),
        before: moment.state,
        state: state,
        effects: reduced.outcome.effects,
        reads: reduced.outcome.reads
      )
    )
  }
}
