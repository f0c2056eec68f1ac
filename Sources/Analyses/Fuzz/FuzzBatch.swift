import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// A number of runs in one host, which depend on the seed and the pool alone.
struct FuzzBatch {
  private let request: FuzzRequest
  private let material: FuzzMaterial
  private let runner: FuzzRunner
  private let page: ReplayProgress?
  private var draws: FuzzDraws
  private var covered: Set<UInt64> = []
  private var pool: [CorpusEntry] = []
  private var answer = FuzzAnswer()
  /// The kinds of violations that were found in this batch.
  private var known: Set<String> = []
  /// Where two parts of a state were first seen together, in the order in which they were.
  private var meetings: [FuzzMeetings.FirstMeeting] = []
  private var met = FuzzMeetings()
  /// How many traps of runs were told.
  private var traps = 0

  /// A sequence that has covered something new, and where it can be continued from.
  private struct CorpusEntry {
    var steps: [FuzzStep]
    /// Where the sequence was after some steps.
    var positions: [(depth: Int, position: FuzzRunner.Position)]
  }

  /// How many steps lie between two places from which a sequence can be continued.
  private static let interval = 8
  /// The longest part of another sequence that a run takes over.
  private static let longestRest = 40
  /// How many runs of a first batch are made at random.
  private static let firstRuns = 128
  /// How many sequences a batch hands on.
  private static let mostNew = 48

  init(
    _ request: FuzzRequest,
    _ material: FuzzMaterial,
    _ runner: FuzzRunner,
    page: ReplayProgress?
  ) {
    self.request = request
    self.material = material
    self.runner = runner
    self.page = page
    draws = FuzzDraws(material, seed: request.seed)
    runner.avoid(request.avoided)
  }

  /// Carries out the runs.
  ///
  /// - Parameter report: Called after each run with what was found so far.
  /// - Returns: What they have found.
  mutating func run(_ report: (FuzzAnswer) -> Void) -> FuzzAnswer {
    guard request.written.isEmpty else { return written() }
    for (index, steps) in (material.sequences + request.pool.map(\.steps)).enumerated() {
      seed(steps, index)
      report(answer)
    }
    answer.covered = covered.count
    answer.seeded = covered.count
    // Where nothing of the logs can be done, nothing is tried.
    if answer.transitions == 0, answer.unread != nil { return answer }
    for number in 0..<request.runs {
      page?.record(step: number, at: 0)
      if isBaseline(number) {
        draws.drawAllCases()
        atRandom(number)
      } else {
        draws.drawCases()
        switch draw(6) {
        // What few steps from the beginning show is far away from where logs have come.
        case 0, 1: atRandom(number)
        case 2, 3: fromMeeting(number)
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

  /// Writes the events of sequences.
  private func written() -> FuzzAnswer {
    var answer = FuzzAnswer()
    answer.written = request.written.enumerated()
      .map { number, steps in
        let isTrapping = request.traps.contains { $0.place.run == number }
        page?.record(step: number, at: 0)
        return FuzzAnswer.Written(
          events: isTrapping ? [] : runner.events(of: steps, isTrapping: false)
        )
      }
    return answer
  }

  /// Keeps a sequence as a sample, where it ends with an action that was reduced with more than in those before.
  private mutating func retainSample(
    _ larger: [FuzzSamples.Measure],
    _ steps: [FuzzStep],
    from origin: FuzzOrigin
  ) {
    for measure in larger where runner.recordMeasure(measure) {
      answer.samples.append(FuzzSample(measure: measure, sequence: sequence(steps, from: origin)))
    }
  }

  private func sequence(_ steps: [FuzzStep], from origin: FuzzOrigin) -> FuzzSequence {
    FuzzSequence(steps: steps, origin: origin, transitions: answer.transitions)
  }

  /// Whether a run is made as the random strategy makes it.
  ///
  /// A guided search begins so: what is found easily is found in any order, and there is little yet that could guide it.
  private func isBaseline(_ number: Int) -> Bool {
    request.strategy == .random || request.pool.isEmpty && number < Self.firstRuns
  }

  /// Covers what a sequence covers, and keeps it if that is new.
  private mutating func seed(_ steps: [FuzzStep], _ index: Int) {
    let number = -1 - index
    page?.record(step: number, at: 0)
    runner.go()
    var entry = CorpusEntry(steps: [], positions: [])
    var isNew = pool.isEmpty
    let logs = material.sequences.count
    var origin = index < logs ? FuzzOrigin.log : request.pool[index - logs].origin
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
          ?? FuzzAnswer.Unread(log: index, seq: material.numbers[index][place], reason: reason)
        answer.unreadCount += 1
      }
      guard made.isPossible else { continue }
      answer.transitions += made.actions
      entry.steps.append(step)
      let isClear = made.verdict.isClear
      for feature in made.covered where covered.insert(feature).inserted { isNew = true }
      // A log may show a fault itself; what comes after it proves nothing more.
      if case .violated(let violation) = made.verdict {
        let isInLog = origin == .actionsOfLog && logViolates(violation, index)
        found(violation, entry.steps, from: isInLog ? .log : origin)
      }
      guard isClear else { break }
      retainSample(made.larger, entry.steps, from: origin)
      keepPosition(in: &entry)
      _ = noteMeetings(entry.steps)
    }
    if isNew { pool.append(entry) }
  }

  /// Whether the state is the one that a log has after a step.
  private func isAsRecorded(_ log: Int, after step: Int) -> Bool {
    let states = material.states[log]
    return step < states.count && states[step] == JSON?.some(runner.stateNow.json).hashValue
  }

  /// Whether a log violates a rule itself, though its actions lead to other states in the search.
  private func logViolates(_ violation: SearchJudge.Violation, _ log: Int) -> Bool {
    guard case .rule(let index) = violation, let events = try? request.logs[log].events() else {
      return false
    }
    let condition = request.judge.rules[index].condition
    var contexts = ActionContexts(events)
    while let context = try? contexts.next() {
      if context.action != nil, !condition.holds(in: context) { return true }
    }
    return false
  }

  /// Whether a step is known to end the process: then it is told, and not made.
  private mutating func isTrap(
    _ step: FuzzStep,
    _ place: FuzzRequest.BatchStep,
    after steps: [FuzzStep],
    from origin: FuzzOrigin
  ) -> Bool {
    guard let trap = request.traps.first(where: { $0.place == place }) else { return false }
    runner.avoid(step)
    found(.trap(signal: trap.signal), steps + [step], from: origin)
    // Each costs a host: where there were some, no more of the same case are tried.
    if place.run >= 0 { traps += 1 }
    if traps >= Fuzzer.mostTraps { runner.isCautious = true }
    return true
  }

  /// Notes the parts of the state of now that were not seen together before.
  ///
  /// - Returns: The pairs.
  private mutating func noteMeetings(_ steps: [FuzzStep]) -> [UInt64] {
    guard request.strategy == .guided else { return [] }
    let pairs = met.new(among: runner.parts)
    if !pairs.isEmpty {
      meetings.append(FuzzMeetings.FirstMeeting(steps: steps, position: runner.position))
    }
    return pairs
  }

  /// A run that goes on where two parts of a state were first seen together: from there few steps lead to more.
  private mutating func fromMeeting(_ number: Int) {
    guard !meetings.isEmpty else { return atRandom(number) }
    let late = min(meetings.count, 64)
    let index = draw(2) == 0 ? draw(meetings.count) : meetings.count - 1 - draw(late)
    let place = meetings[index]
    runner.go(to: place.position)
    var run = FuzzRun(number: number)
    run.entry = CorpusEntry(
      steps: place.steps,
      positions: [(place.steps.count, place.position)]
    )
    for _ in 0...draw(16) where !makeStep(randomStep(), &run) { break }
    finishRun(run)
  }

  private func keepPosition(in entry: inout CorpusEntry) {
    guard entry.steps.count % Self.interval == 0 else { return }
    entry.positions.append((entry.steps.count, runner.position))
  }

  /// A run that changes a sequence of the pool.
  private mutating func guided(_ number: Int) {
    guard let parent = choice() else { return atRandom(number) }
    let length = parent.steps.count
    // Late places are more often such that no log has been there.
    let cut = length == 0 ? 0 : max(draw(length + 1), draw(length + 1))
    var run = FuzzRun(number: number)
    run.entry = CorpusEntry(
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
      // Few kinds of actions meet more often in a long row.
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
      // A step comes later than it came.
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

  /// A run of steps at random from the beginning: the baseline.
  private mutating func atRandom(_ number: Int) {
    runner.go()
    var run = FuzzRun(number: number)
    let length = max(20, material.sequences.map(\.count).max() ?? 0)
    for _ in 0..<length where !makeStep(randomStep(), &run) { break }
    finishRun(run)
  }

  /// A run on its way.
  private struct FuzzRun {
    let number: Int
    var origin: FuzzOrigin { .made(number + 1) }
    /// What it begins with, and what it has done.
    var entry = CorpusEntry(steps: [], positions: []) {
      didSet { next = max(next, entry.steps.count) }
    }
    /// The number of the next step that is tried.
    var next = 0
    /// How many steps there were when something new was covered.
    var lastNew = 0
    /// The pairs of parts of states that it has shown first, and how many steps there were then.
    var pairs: [UInt64] = []
    var lastPairs = 0
    var isOver = false
  }

  private mutating func play(_ steps: some Sequence<FuzzStep>, _ run: inout FuzzRun) {
    for next in steps where !makeStep(next, &run) { return }
  }

  /// Makes a step of a run.
  ///
  /// - Returns: Whether the run goes on.
  private mutating func makeStep(_ step: FuzzStep, _ run: inout FuzzRun) -> Bool {
    guard !run.isOver else { return false }
    // What is not possible here is counted too, so that a number stands for one step.
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
      let pairs = noteMeetings(run.entry.steps)
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
    if request.strategy == .guided { keepPosition(in: &run.entry) }
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
      FuzzAnswer.Handed(
        sequence: sequence(Array(entry.steps.prefix(run.lastPairs)), from: run.origin),
        pairs: run.pairs
      )
    )
  }

  private mutating func found(
    _ violation: SearchJudge.Violation,
    _ steps: [FuzzStep],
    from origin: FuzzOrigin
  ) {
    guard known.insert(violation.kind(endingWith: steps.last?.action)).inserted else { return }
    let isTrapping = if case .trap = violation { true } else { false }
    let place = runner.position
    defer { runner.go(to: place) }
    answer.findings.append(
      FuzzAnswer.FoundSequence(
        violation: violation,
        origin: origin,
        transitions: answer.transitions,
        events: runner.events(of: steps, isTrapping: isTrapping)
      )
    )
  }

  private mutating func draw(_ count: Int) -> Int { draws.draw(count) }

  private mutating func randomStep() -> FuzzStep { draws.drawStep(runner) }

  /// A sequence of the pool; one of the last half of the time.
  private mutating func choice() -> CorpusEntry? {
    guard !pool.isEmpty else { return nil }
    if draw(2) == 0 { return pool[draw(pool.count)] }
    let late = min(pool.count, 32)
    return pool[pool.count - 1 - draw(late)]
  }
}
