import ActionLog
import Dispatch
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts
import Synchronization

/// Makes new sequences of actions out of logs, and looks for one that shows a fault.
///
/// Runs are made in batches, and batches in generations: each batch of a generation has a seed of its own and begins with what all
/// generations before have found, so the result depends neither on how many hosts there are nor on how fast they are.
struct Fuzzer: Sendable {
  let logs: [LogSlice]
  let judge: SearchJudge
  let makeHost: CommandContext.SearchHostMaker
  let hosts: HostPool
  let options: ReplayOptions
  var strategy = FuzzStrategy.guided
  var seed: UInt64 = 0
  /// How many runs there are to be.
  var runs = Self.usualRuns
  var jobs = 1
  /// Whether the search ends with the first finding.
  var endsAtFirst = false
  var isTimeUp: @Sendable () -> Bool = { false }
  /// Called with the numbers of runs and of findings so far.
  var progress: @Sendable (_ runs: Int, _ findings: Int) -> Void = { _, _ in }

  static let usualRuns = 100_000
  /// The runs of a batch: few, because a trap has the runs before it made again.
  static let batch = 500
  /// The batches of a generation.
  static let lanes = 4
  /// The most sequences that a batch begins with.
  static let mostSequences = 400
  /// The most traps of a batch: after these it is given up.
  static let mostTraps = 4

  /// What was found.
  struct Result: Sendable {
    var findings: [Finding] = []
    var runs = 0
    var transitions = 0
    /// How many cases and shapes of states the corpus covers, and the best batch.
    var seeded = 0
    var covered = 0
    /// How many findings a replay did not show.
    var unconfirmed = 0
    /// Whether the time ended the search.
    var isTimeUp = false
    var interruption: Int32?
  }

  /// A fault, with the shortest log that shows it.
  struct Finding: Sendable {
    let symptom: Symptom
    let violation: SearchJudge.Violation
    /// The log, as a replay wrote it.
    let events: [LogEvent]
    /// How many actions from outside it has, and how many it had when it was found.
    let actions: (now: Int, found: Int)
    /// How many runs and transitions there had been in its batch and the generations before.
    let runs: Int
    let transitions: Int
  }

  /// Why logs cannot be fuzzed.
  enum Failure: Error, Hashable {
    case impossible(MemorySearch.Obstacle)
  }

  /// Searches.
  ///
  /// - Throws: `Failure`, `HostFailure`, `StreamError`.
  func run() throws -> Result {
    var search = State()
    do {
      while search.result.runs < runs, !(endsAtFirst && !search.result.findings.isEmpty) {
        guard !isTimeUp() else {
          search.result.isTimeUp = true
          break
        }
        try generation(&search)
      }
    } catch let error as Interrupted {
      search.result.interruption = error.signal
    }
    return search.result
  }

  /// What generations have found.
  private struct State {
    var result = Result()
    var pool: [[FuzzStep]] = []
    var known: Set<[FuzzStep]> = []
    var avoided = KnownTraps()
    var generation: UInt64 = 0
    /// What was found already, before and after it was minimized.
    var kinds: Set<String> = []
    var symptoms: Set<Symptom> = []
    var hosts: [any SearchHost] = []
  }

  private func generation(_ search: inout State) throws {
    let left = runs - search.result.runs
    let requests = (0..<Self.lanes).compactMap { lane -> FuzzRequest? in
      let count = min(Self.batch, left - lane * Self.batch)
      guard count > 0 else { return nil }
      var request = FuzzRequest(logs: logs, judge: judge)
      request.feature = options.feature
      request.strategy = strategy
      request.seed = seed &* 0x9E37_79B9_7F4A_7C15 &+ search.generation &* 64 &+ UInt64(lane)
      request.runs = count
      request.pool = search.pool
      request.avoided = search.avoided
      return request
    }
    search.generation += 1
    let (runs, transitions) = (search.result.runs, search.result.transitions)
    for answer in try answers(to: requests) {
      search.result.runs += answer.runs
      search.result.transitions += answer.transitions
      search.result.seeded = max(search.result.seeded, answer.seeded)
      search.result.covered = max(search.result.covered, answer.covered)
      search.avoided.formUnion(answer.avoided)
      for steps in answer.sequences where search.pool.count < Self.mostSequences {
        if search.known.insert(steps).inserted { search.pool.append(steps) }
      }
      for found in answer.findings {
        try take(found, &search, after: runs + found.run, transitions + found.transitions)
      }
      progress(search.result.runs, search.result.findings.count)
    }
  }

  /// The answers to the requests, in their order; some hosts at a time.
  private func answers(to requests: [FuzzRequest]) throws -> [FuzzAnswer] {
    let finished = Mutex<[Int: Swift.Result<FuzzAnswer, any Error>]>([:])
    for start in stride(from: 0, to: requests.count, by: max(1, jobs)) {
      let count = min(max(1, jobs), requests.count - start)
      DispatchQueue.concurrentPerform(iterations: count) { offset in
        let index = start + offset
        let result = Swift.Result { try answer(to: requests[index]) }
        finished.withLock { $0[index] = result }
      }
    }
    return try finished.withLock { $0 }.sorted { $0.key < $1.key }.map { try $0.value.get() }
  }

  /// Has a batch run, again after each trap: the runs before it are made once more, the one that traps is told.
  private func answer(to request: FuzzRequest) throws -> FuzzAnswer {
    var request = request
    while true {
      guard let host = try makeHost(options) else { throw Failure.impossible(.notServed) }
      switch try host.search(request.json, { _ in true }) {
      case .answered(let json):
        if let obstacle = MemorySearch.Obstacle(json) { throw Failure.impossible(obstacle) }
        guard let answer = FuzzAnswer(json) else { throw Failure.impossible(.notServed) }
        return answer
      case .trapped(let signal, let steps?, _) where steps.count == 2 && steps[0] >= 0:
        request.traps.append(FuzzRequest.Trap(run: steps[0], step: steps[1], signal: signal))
        if request.traps.count > Self.mostTraps { request.runs = steps[0] }
      case .trapped: throw Failure.impossible(.differs)
      case nil: return FuzzAnswer()
      }
    }
  }

  /// Has a finding confirmed by a replay, and minimized.
  private func take(
    _ found: FuzzAnswer.Found,
    _ search: inout State,
    after runs: Int,
    _ transitions: Int
  ) throws {
    let last = found.events.last { if case .action = $0 { true } else { false } }
    var cases = ""
    if case .action(let action)? = last { cases = action.action.caseNames.joined(separator: ".") }
    let isTrap = if case .trap = found.violation { true } else { false }
    let kind = "\(JSON.object(found.violation.json)) \(isTrap ? cases : "")"
    guard search.kinds.insert(kind).inserted else { return }
    var options = options
    options.keepsStandIns = true
    let replayer = EventReplayer(hosts: hosts, options: options)
    let outcome = try replayer.replay(found.events)
    guard let property = property(of: found.violation) else { return }
    var rest = outcome.events.filter { !$0.isEnd || !isTrap }[...]
    let log = try CausalLog { rest.popFirst() }
    let subsets = SubsetReplayer(log: log, hosts: hosts, options: options)
    let minimizer = Minimizer(
      replayer: subsets,
      property: property,
      jobs: jobs,
      isTimeUp: isTimeUp
    )
    let result: Minimizer.Result
    do { result = try minimizer.minimize() } catch is Minimizer.Failure {
      search.result.unconfirmed += 1
      return
    }
    let symptom = symptom(of: found.violation, in: result.events)
    guard search.symptoms.insert(symptom).inserted else { return }
    search.result.findings.append(
      Finding(
        symptom: symptom,
        violation: found.violation,
        events: result.events,
        actions: (result.subset.units.count, log.units.count),
        runs: runs,
        transitions: transitions
      )
    )
  }

  private func property(of violation: SearchJudge.Violation) -> MinimizedProperty? {
    switch violation {
    case .trap: return .trap
    case .fault(let finding): return .finding(finding)
    case .rule(let index):
      let text = "!(\(judge.rules[index].condition.expression.description))"
      return (try? JSONPath.Expression(parsing: text)).map { .condition(Condition($0)) }
    }
  }

  private func symptom(of violation: SearchJudge.Violation, in events: [LogEvent]) -> Symptom {
    var action = ""
    for case .action(let last) in events.reversed() {
      action = Notation().casePath(last.action)
      break
    }
    switch violation {
    case .trap(let signal): return Symptom(kind: "trapped", detail: signal, action: action)
    case .fault(let finding) where finding.code == .runtimeIssue:
      return Symptom(kind: "issue", place: finding.place ?? "")
    case .fault: return Symptom(kind: "deadEffect", action: action)
    case .rule(let index):
      return Symptom(kind: "violated", message: "violates \(Wording.rule(index, judge))")
    }
  }
}

extension LogEvent {
  fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}

/// Logs that cannot be fuzzed.
struct CannotFuzz: StatusError, Hashable, CustomStringConvertible {
  let failure: Fuzzer.Failure

  var description: String { Wording.describe(failure) }

  var status: ExitStatus { .hostFailed }
}
