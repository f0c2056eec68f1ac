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
  private var random: SeededGenerator
  private var covered: Set<UInt64> = []
  private var pool: [Entry] = []
  private var answer = FuzzAnswer()
  /// The kinds of violations that were found in this batch.
  private var known: Set<String> = []

  /// A sequence that has covered something new, and where it can be continued from.
  private struct Entry {
    var steps: [FuzzStep]
    /// Where the sequence was after some steps.
    var positions: [(depth: Int, position: FuzzRunner.Position)]
  }

  /// How many steps lie between two places from which a sequence can be continued.
  private static let interval = 8
  /// The longest part of another sequence that a run takes over.
  private static let longestRest = 40
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
    random = SeededGenerator(seed: request.seed)
    runner.avoid(request.avoided)
  }

  /// Carries out the runs.
  ///
  /// - Parameter report: Called now and then.
  /// - Returns: What they have found.
  mutating func run(_ report: (FuzzAnswer) -> Void) -> FuzzAnswer {
    page?.note(step: -1, at: 0)
    for steps in material.sequences + request.pool { seed(steps) }
    answer.covered = covered.count
    answer.seeded = covered.count
    for number in 0..<request.runs {
      page?.note(step: number, at: 0)
      switch request.strategy {
      case .guided: guided(number)
      case .random: atRandom(number)
      }
      answer.runs += 1
      answer.covered = covered.count
      if number % 64 == 0 { report(answer) }
    }
    answer.avoided = runner.avoided
    return answer
  }

  /// Covers what a sequence covers, and keeps it if that is new.
  private mutating func seed(_ steps: [FuzzStep]) {
    runner.go()
    var entry = Entry(steps: [], positions: [])
    var isNew = pool.isEmpty
    for step in steps {
      let made = runner.make(step, number: entry.steps.count)
      guard made.isPossible else { continue }
      answer.transitions += made.actions
      entry.steps.append(step)
      for feature in made.covered where covered.insert(feature).inserted { isNew = true }
      // A log may show a fault itself; what comes after it proves nothing more.
      if case .violated(let violation) = made.verdict { found(violation, entry.steps) }
      guard made.verdict.isClear else { break }
      keepPosition(in: &entry)
    }
    if isNew { pool.append(entry) }
  }

  private func keepPosition(in entry: inout Entry) {
    guard entry.steps.count % Self.interval == 0 else { return }
    entry.positions.append((entry.steps.count, runner.position))
  }

  /// A run that changes a sequence of the pool.
  private mutating func guided(_ number: Int) {
    guard let parent = choice() else { return atRandom(number) }
    let length = parent.steps.count
    // Late places are more often such that no log has been there.
    let cut = length == 0 ? 0 : max(draw(length + 1), draw(length + 1))
    var run = Run(number: number)
    run.entry = Entry(
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
    case 0, 1: for _ in 0...draw(8) where !step(randomStep(), &run) { return end(run) }
    case 2:
      let other = choice()?.steps ?? []
      play(other[min(draw(other.count + 1), other.count)...].prefix(Self.longestRest), &run)
    case 3: play(rest.dropFirst(1 + draw(4)), &run)
    case 4:
      let again = parent.steps[max(0, cut - 1 - draw(3))..<cut]
      play(again, &run)
      play(rest, &run)
    case 5:
      if let next = rest.first { play([changed(next)], &run) }
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
    end(run)
  }

  /// A run of steps at random: the baseline.
  private mutating func atRandom(_ number: Int) {
    runner.go()
    var run = Run(number: number)
    let length = max(20, material.sequences.map(\.count).max() ?? 0)
    for _ in 0..<length where !step(randomStep(), &run) { break }
    end(run)
  }

  /// A run on its way.
  private struct Run {
    let number: Int
    var entry = Entry(steps: [], positions: [])
    /// How many steps there were when something new was covered.
    var lastNew = 0
    var isOver = false
  }

  private mutating func play(_ steps: some Sequence<FuzzStep>, _ run: inout Run) {
    for next in steps where !step(next, &run) { return }
  }

  /// Makes a step of a run.
  ///
  /// - Returns: Whether the run goes on.
  private mutating func step(_ step: FuzzStep, _ run: inout Run) -> Bool {
    guard !run.isOver else { return false }
    let depth = run.entry.steps.count
    if let trap = request.traps.first(where: { $0.run == run.number && $0.step == depth }) {
      // It is known to end the process: it is told, and not made.
      runner.avoid(step)
      found(.trap(signal: trap.signal), run.entry.steps + [step])
      run.isOver = true
      return false
    }
    let made = runner.make(step, number: depth)
    guard made.isPossible else { return true }
    answer.transitions += made.actions
    run.entry.steps.append(step)
    for feature in made.covered where covered.insert(feature).inserted {
      run.lastNew = run.entry.steps.count
    }
    if case .violated(let violation) = made.verdict {
      found(violation, run.entry.steps)
      run.isOver = true
    } else if made.verdict == .unclear {
      run.isOver = true
    }
    if request.strategy == .guided { keepPosition(in: &run.entry) }
    return !run.isOver
  }

  private mutating func end(_ run: Run) {
    guard request.strategy == .guided, run.lastNew > 0 else { return }
    var entry = run.entry
    entry.steps.removeSubrange(run.lastNew...)
    entry.positions.removeAll { $0.depth > run.lastNew }
    pool.append(entry)
    if answer.sequences.count < Self.mostNew { answer.sequences.append(entry.steps) }
  }

  private mutating func found(_ violation: SearchJudge.Violation, _ steps: [FuzzStep]) {
    let isTrapping = if case .trap = violation { true } else { false }
    let cases = steps.last?.action?.caseNames.joined(separator: ".") ?? ""
    let kind = "\(JSON.object(violation.json)) \(isTrapping ? cases : "")"
    guard known.insert(kind).inserted else { return }
    answer.findings.append(
      FuzzAnswer.Found(
        violation: violation,
        run: answer.runs,
        transitions: answer.transitions,
        events: runner.events(of: steps, isTrapping: isTrapping)
      )
    )
  }

  private mutating func draw(_ count: Int) -> Int {
    count > 0 ? Int.random(in: 0..<count, using: &random) : 0
  }

  /// A sequence of the pool; one of the last half of the time.
  private mutating func choice() -> Entry? {
    guard !pool.isEmpty else { return nil }
    if draw(2) == 0 { return pool[draw(pool.count)] }
    let late = min(pool.count, 32)
    return pool[pool.count - 1 - draw(late)]
  }

  /// Something that a user may do, or an effect may answer, here.
  private mutating func randomStep() -> FuzzStep {
    let answering = runner.answering
    let kind = draw(20)
    if kind >= 10, !answering.isEmpty {
      let name = answering[draw(answering.count)]
      if kind >= 18 { return .finish(name) }
      if let answers = material.answers[name.kind], !answers.isEmpty {
        let answer = answers[draw(answers.count)]
        let step = FuzzStep.answer(name, answer.action, via: answer.via)
        return draw(4) == 0 ? changed(step) : step
      }
    }
    guard !material.actions.isEmpty else { return .user(.null) }
    let step = FuzzStep.user(material.actions[draw(material.actions.count)])
    return draw(3) == 0 ? changed(step) : step
  }

  /// The step with another value in its action.
  private mutating func changed(_ step: FuzzStep) -> FuzzStep {
    guard let action = step.action else { return step }
    let places = FuzzValues.places(in: action)
    guard !places.isEmpty else { return step }
    let place = places[draw(places.count)]
    guard let value = action[place] else { return step }
    let seen = material.values[FuzzValues.key(of: place, in: action)] ?? []
    let other = FuzzValues.other(than: value, seen: seen, texts: texts(), &random)
    return step.with(action.replacing(place, with: other))
  }

  /// The texts of the logs, and of the state of now, whose ids no log knows.
  private mutating func texts() -> [JSON] {
    guard draw(2) == 0 else { return material.texts }
    var texts: [JSON] = []
    func collect(_ value: JSON) {
      guard texts.count < 64 else { return }
      switch value {
      case .string: texts.append(value)
      case .array(let elements): elements.forEach(collect)
      case .object(let object): object.values.forEach(collect)
      case .null, .bool, .number: break
      }
    }
    collect(runner.stateNow.json)
    return texts.isEmpty ? material.texts : texts
  }
}
