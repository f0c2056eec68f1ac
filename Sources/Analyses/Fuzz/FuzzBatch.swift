import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// Executes a batch of runs in one host.
///
/// The results depend only on the request, for example on the seed, the logs, and the pool.
struct FuzzBatch {
  private let request: FuzzRequest
  private let material: FuzzSeedCorpus
  private let runner: FuzzRunner
  private let page: CrashProgressRecord?
  private var draws: FuzzStepGenerator
  private var covered: Set<UInt64> = []
  private var pool: [PooledSequence] = []
  private var answer = FuzzResponse()
  /// The kinds of violations that this batch has reported.
  private var known: Set<String> = []
  /// The positions at which a state part, or a pair of parts, first occurred, in the order of their discovery.
  private var firstOccurrences: [StatePairCoverage.FirstOccurrence] = []
  private var met = StatePairCoverage()
  /// The number of traps in runs, without those in initial sequences.
  private var traps = 0

  /// A sequence that has covered something new, with positions from which runs can continue it.
  private struct PooledSequence {
    var steps: [FuzzStep]
    /// The positions after some of the steps, each with the number of steps that lead to it.
    var positions: [(depth: Int, position: FuzzRunner.Snapshot)]
  }

  /// The number of steps between two stored positions in a sequence.
  private static let interval = 8
  /// The maximum number of steps that a run copies from a sequence, in addition to the beginning that it continues.
  private static let longestRest = 40
  /// The number of random runs before guided runs start, if no earlier batch has added a sequence to the pool.
  private static let firstRuns = 128
  /// The maximum number of sequences that a batch adds to the pool.
  private static let mostNew = 48

  init(
    _ request: FuzzRequest,
    _ material: FuzzSeedCorpus,
    _ runner: FuzzRunner,
    startingOver obstacle: SnapshotObstacle?,
    page: CrashProgressRecord?
  ) {
    answer.obstacle = obstacle
    self.request = request
    self.material = material
    self.runner = runner
    self.page = page
    draws = FuzzStepGenerator(material, seed: request.seed)
    runner.avoid(request.avoided)
  }

  /// Executes the initial sequences and the runs.
  ///
  /// If events of sequences were requested, creates only these.
  ///
  /// - Parameter report: A closure that receives the results so far after each sequence and each run.
  /// - Returns: The results of the batch.
  /// - Throws: The obstacle, if a state of a log can't be restored from a snapshot.
  mutating func run(_ report: (FuzzResponse) -> Void) throws(SnapshotObstacle) -> FuzzResponse {
    guard request.written.isEmpty else { return written() }
    for (index, steps) in (material.sequences + request.pool.map(\.steps)).enumerated() {
      try seed(steps, index)
      report(answer)
    }
    answer.covered = covered.count
    answer.seeded = covered.count
    // Runs would be useless, because the code can't decode any action from the logs.
    if answer.transitions == 0, answer.unread != nil { return answer }
    for number in 0..<request.runs {
      page?.record(step: number, at: 0)
      if isBaseline(number) {
        draws.drawAllCases()
        atRandom(number)
      } else {
        draws.drawCases()
        switch draw(6) {
        // Runs from the initial state cover states that are far from those in the logs.
        case 0, 1: atRandom(number)
        case 2, 3: runFromFirstOccurrence(number)
        default: guided(number)
        }
      }
      answer.runs += 1
      answer.covered = covered.count
      report(answer)
    }
    answer.avoided = runner.avoided
    return answer
  }

  /// Returns the events of the requested sequences, without events for sequences that trap.
  private func written() -> FuzzResponse {
    var answer = FuzzResponse()
    answer.written = request.written.enumerated()
      .map { number, steps in
        let isTrapping = request.traps.contains { $0.place.run == number }
        page?.record(step: number, at: 0)
        return FuzzResponse.ReplayedSequence(
          events: isTrapping ? [] : runner.events(of: steps, isTrapping: false)
        )
      }
    return answer
  }

  /// Stores a sequence as a sample for the actions of its last step, if their inputs are larger than those of earlier
  /// samples of the same cases.
  private mutating func retainSample(
    _ larger: [LargestSampledInputs.InputSize],
    _ steps: [FuzzStep],
    from origin: FuzzSequenceOrigin
  ) {
    for measure in larger where runner.recordMeasure(measure) {
      answer.samples.append(
        ActionCaseSample(measure: measure, sequence: sequence(steps, from: origin))
      )
    }
  }

  private func sequence(_ steps: [FuzzStep], from origin: FuzzSequenceOrigin) -> FuzzSequence {
    FuzzSequence(steps: steps, origin: origin, transitions: answer.transitions)
  }

  /// Returns whether a run consists of random steps.
  ///
  /// A guided search begins with random runs, because they find shallow faults and fill the pool.
  private func isBaseline(_ number: Int) -> Bool {
    request.strategy == .random || request.pool.isEmpty && number < Self.firstRuns
  }

  /// Executes an initial sequence, and adds it to the pool if it covers something new or the pool is empty.
  private mutating func seed(_ steps: [FuzzStep], _ index: Int) throws(SnapshotObstacle) {
    let number = -1 - index
    page?.record(step: number, at: 0)
    runner.go()
    var entry = PooledSequence(steps: [], positions: [])
    var isNew = pool.isEmpty
    let logs = material.sequences.count
    var origin = index < logs ? FuzzSequenceOrigin.log : request.pool[index - logs].origin
    for (place, step) in steps.enumerated() {
      let here = FuzzRequest.BatchStep(run: number, step: place)
      let seq = index < logs ? material.numbers[index][place] : 0
      let isOpen = index < logs && material.openActions[index] == seq
      if isTrap(step, here, after: entry.steps, from: isOpen ? .log : origin) { break }
      let made = runner.make(step, number: place)
      if index < logs, !made.isPossible || !isAsRecorded(index, after: place) {
        origin = .actionsOfLog
      }
      if let reason = made.unread, index < logs {
        answer.unread =
          answer.unread
          ?? FuzzResponse.UndecodableAction(
            log: index,
            seq: material.numbers[index][place],
            reason: reason
          )
        answer.unreadCount += 1
      }
      guard made.isPossible else { continue }
      if index < logs, let obstacle = runner.obstacle { throw obstacle }
      answer.transitions += made.actions
      entry.steps.append(step)
      let isClear = made.verdict.isClear
      for feature in made.covered where covered.insert(feature).inserted { isNew = true }
      // If the log contains the same fault, the log is its origin. The steps after a fault are not executed.
      if case .violated(let violation) = made.verdict {
        let isInLog = origin == .actionsOfLog && logViolates(violation, index)
        found(violation, entry.steps, from: isInLog ? .log : origin)
      }
      guard isClear else { break }
      retainSample(made.larger, entry.steps, from: origin)
      storeSnapshot(in: &entry)
      _ = recordNewPairs(entry.steps)
    }
    if isNew { pool.append(entry) }
  }

  /// Returns whether the current state equals the recorded state after the same step of a log.
  private func isAsRecorded(_ log: Int, after step: Int) -> Bool {
    let states = material.states[log]
    return step < states.count && states[step] == JSON?.some(runner.stateNow.json).hashValue
  }

  /// Returns whether the recorded states of a log violate the same rule.
  private func logViolates(_ violation: SearchJudge.Violation, _ log: Int) -> Bool {
    guard case .rule(let index) = violation, let events = try? request.logs[log].events() else {
      return false
    }
    let condition = request.judge.rules[index].condition
    var contexts = ConditionContextReader(events)
    while let context = try? contexts.next() {
      if context.action != nil, !condition.holds(in: context) { return true }
    }
    return false
  }

  /// Returns whether a step is known to trap, and reports the trap if so.
  ///
  /// Such a step must not be executed.
  private mutating func isTrap(
    _ step: FuzzStep,
    _ place: FuzzRequest.BatchStep,
    after steps: [FuzzStep],
    from origin: FuzzSequenceOrigin
  ) -> Bool {
    guard let trap = request.traps.first(where: { $0.place == place }) else { return false }
    runner.avoid(step)
    found(.trap(signal: trap.signal), steps + [step], from: origin)
    // Each trap ends a host process. After several traps in runs, a kind of actions that has trapped is also avoided in
    // state shapes in which it was never reduced.
    if place.run >= 0 { traps += 1 }
    if traps >= Fuzzer.mostTraps { runner.isCautious = true }
    return true
  }

  /// Registers the parts of the current state, and the pairs of them, that occur for the first time.
  ///
  /// - Returns: Hashes of the new parts and pairs.
  private mutating func recordNewPairs(_ steps: [FuzzStep]) -> [UInt64] {
    guard request.strategy == .guided else { return [] }
    let pairs = met.new(among: runner.parts)
    if !pairs.isEmpty {
      firstOccurrences.append(
        StatePairCoverage.FirstOccurrence(steps: steps, position: runner.position)
      )
    }
    return pairs
  }

  /// Executes random steps from a position at which a state part or a pair first occurred.
  ///
  /// More new pairs can often be reached in a few steps from there.
  private mutating func runFromFirstOccurrence(_ number: Int) {
    guard !firstOccurrences.isEmpty else { return atRandom(number) }
    let late = min(firstOccurrences.count, 64)
    let index =
      draw(2) == 0 ? draw(firstOccurrences.count) : firstOccurrences.count - 1 - draw(late)
    let place = firstOccurrences[index]
    runner.go(to: place.position)
    var run = FuzzRun(number: number)
    run.entry = PooledSequence(
      steps: place.steps,
      positions: [(place.steps.count, place.position)]
    )
    for _ in 0...draw(16) where !makeStep(randomStep(), &run) { break }
    finishRun(run)
  }

  private func storeSnapshot(in entry: inout PooledSequence) {
    guard entry.steps.count % Self.interval == 0 else { return }
    entry.positions.append((entry.steps.count, runner.position))
  }

  /// Executes a mutation of a sequence from the pool.
  private mutating func guided(_ number: Int) {
    guard let parent = choice() else { return atRandom(number) }
    let length = parent.steps.count
    // The later of two random positions is used, because late states are more likely to differ from the logs.
    let cut = length == 0 ? 0 : max(draw(length + 1), draw(length + 1))
    var run = FuzzRun(number: number)
    run.entry = PooledSequence(
      steps: Array(parent.steps[..<cut]),
      positions: parent.positions.filter { $0.depth <= cut }
    )
    runner.go(to: run.entry.positions.last?.position)
    for index in (run.entry.positions.last?.depth ?? 0)..<cut {
      let made = runner.make(parent.steps[index], number: index)
      answer.transitions += made.actions
    }
    let rest = parent.steps[cut...].prefix(Self.longestRest)
    switch draw(8) {
    case 0, 1:
      // If few action cases are used, longer runs are needed until actions interact.
      let most = draws.hasFewCases ? 32 : 8
      for _ in 0...draw(most) where !makeStep(randomStep(), &run) { return finishRun(run) }
    case 2:
      let other = choice()?.steps ?? []
      play(other[min(draw(other.count + 1), other.count)...].prefix(Self.longestRest), &run)
    case 3: play(rest.dropFirst(1 + draw(4)), &run)
    case 4:
      let again = parent.steps[max(0, cut - 1 - draw(3))..<cut]
      play(again, &run)
      play(rest, &run)
    case 5:
      if let next = rest.first { play([draws.changed(next, runner)], &run) }
      play(rest.dropFirst(), &run)
    case 6:
      // A step is executed later than in the parent sequence.
      guard let next = rest.first else { break }
      let later = 1 + draw(4)
      play(rest.dropFirst().prefix(later), &run)
      play([next], &run)
      play(rest.dropFirst(1 + later), &run)
    default:
      play([randomStep()], &run)
      play(rest, &run)
    }
    finishRun(run)
  }

  /// Executes random steps from the initial state.
  private mutating func atRandom(_ number: Int) {
    runner.go()
    var run = FuzzRun(number: number)
    let length = max(20, material.sequences.map(\.count).max() ?? 0)
    for _ in 0..<length where !makeStep(randomStep(), &run) { break }
    finishRun(run)
  }

  /// The progress of one run.
  private struct FuzzRun {
    let number: Int
    var origin: FuzzSequenceOrigin { .made(number + 1) }
    /// The executed steps, including those that were copied from another sequence.
    var entry = PooledSequence(steps: [], positions: []) {
      didSet { next = max(next, entry.steps.count) }
    }
    /// The number of the next step to attempt, which also counts steps that were not possible.
    var next = 0
    /// The number of executed steps when the run last covered something new.
    var lastNew = 0
    /// Hashes of the state parts and pairs that the run has discovered.
    var pairs: [UInt64] = []
    /// The number of executed steps when the last of `pairs` was discovered.
    var lastPairs = 0
    var isOver = false
  }

  private mutating func play(_ steps: some Sequence<FuzzStep>, _ run: inout FuzzRun) {
    for next in steps where !makeStep(next, &run) { return }
  }

  /// Executes a step, unless it is known to trap.
  ///
  /// - Returns: Whether the run continues.
  private mutating func makeStep(_ step: FuzzStep, _ run: inout FuzzRun) -> Bool {
    guard !run.isOver else { return false }
    // Steps that are not possible are also counted, so that a number always identifies the same step.
    let place = FuzzRequest.BatchStep(run: run.number, step: run.next)
    run.next += 1
    if isTrap(step, place, after: run.entry.steps, from: run.origin) {
      run.isOver = true
      return false
    }
    let made = runner.make(step, number: place.step)
    guard made.isPossible else { return true }
    answer.transitions += made.actions
    run.entry.steps.append(step)
    for feature in made.covered where covered.insert(feature).inserted {
      run.lastNew = run.entry.steps.count
    }
    if made.verdict.isClear { retainSample(made.larger, run.entry.steps, from: run.origin) }
    if made.verdict.isClear, run.lastNew == run.entry.steps.count {
      let pairs = recordNewPairs(run.entry.steps)
      if !pairs.isEmpty {
        run.pairs += pairs
        run.lastPairs = run.entry.steps.count
      }
    }
    if case .violated(let violation) = made.verdict {
      found(violation, run.entry.steps, from: run.origin)
      run.isOver = true
    } else if made.verdict == .unclear {
      run.isOver = true
    }
    if request.strategy == .guided { storeSnapshot(in: &run.entry) }
    return !run.isOver
  }

  private mutating func finishRun(_ run: FuzzRun) {
    guard request.strategy == .guided, run.lastNew > 0 else { return }
    var entry = run.entry
    entry.steps.removeSubrange(run.lastNew...)
    entry.positions.removeAll { $0.depth > run.lastNew }
    pool.append(entry)
    guard !run.pairs.isEmpty, answer.sequences.count < Self.mostNew else { return }
    answer.sequences.append(
      FuzzResponse.PoolSequence(
        sequence: sequence(Array(entry.steps.prefix(run.lastPairs)), from: run.origin),
        pairs: run.pairs
      )
    )
  }

  private mutating func found(
    _ violation: SearchJudge.Violation,
    _ steps: [FuzzStep],
    from origin: FuzzSequenceOrigin
  ) {
    guard known.insert(violation.kind(endingWith: steps.last?.action)).inserted else { return }
    let isTrapping = if case .trap = violation { true } else { false }
    let place = runner.position
    defer { runner.go(to: place) }
    answer.findings.append(
      FuzzResponse.ViolatingSequence(
        violation: violation,
        origin: origin,
        transitions: answer.transitions,
        events: runner.events(of: steps, isTrapping: isTrapping)
      )
    )
  }

  private mutating func draw(_ count: Int) -> Int { draws.draw(count) }

  private mutating func randomStep() -> FuzzStep { draws.drawStep(runner) }

  /// Returns a random sequence from the pool, or `nil` if the pool is empty.
  ///
  /// In half of the cases, the sequence is chosen among the most recent ones.
  private mutating func choice() -> PooledSequence? {
    guard !pool.isEmpty else { return nil }
    if draw(2) == 0 { return pool[draw(pool.count)] }
    let late = min(pool.count, 32)
    return pool[pool.count - 1 - draw(late)]
  }
}
