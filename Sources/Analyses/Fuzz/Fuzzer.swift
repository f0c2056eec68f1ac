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
  /// Whether the time of the search is up.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// Called when a finding is to be minimized: gives what says whether the time for it is up.
  var makeMinimizingLimit: @Sendable () -> @Sendable () -> Bool = { { false } }
  /// The options of the replays after the search.
  var stability = StabilityOptions()
  /// Called with the numbers of runs and of findings so far.
  var progress: @Sendable (_ runs: Int, _ findings: Int) -> Void = { _, _ in }

  static let usualRuns = 100_000
  /// The runs of a batch: few, because a trap has the runs before it made again.
  static let batch = 500
  /// The batches of a generation.
  static let lanes = 4
  /// The most sequences that a batch begins with.
  static let mostSequences = 400
  /// After so many traps a batch avoids what has trapped, and after the second number it is given up.
  static let mostTraps = 4
  static let mostTrapsEver = 12

  /// What was found.
  struct Result: Sendable {
    var findings: [FuzzFinding] = []
    var runs = 0
    var transitions = 0
    /// How many cases and shapes of states the corpus covers, and the best batch.
    var seeded = 0
    var covered = 0
    /// How many findings a replay did not show.
    var unconfirmed = 0
    /// The first action of the logs that the code does not read, and how many there are.
    var unread: FuzzAnswer.Unread?
    var unreadCount = 0
    /// The replays after the search.
    var stability = Stability()
    /// Whether the time ended the search.
    var isTimeUp = false
    var interruption: Int32?
    /// What ended the search.
    var failure: (any Error)?
  }

  /// Why logs cannot be fuzzed.
  enum Failure: Error, Hashable {
    case impossible(MemorySearch.Obstacle)
    /// The code reads nothing of the logs.
    case unread(log: String, FuzzAnswer.Unread)
    /// A host did not say anything for so many seconds, though a replay does not show why; the action, where it was within one.
    case silent(Double, action: String?)
  }

  /// Searches.
  ///
  /// What ends the search early is in the result, unless nothing was done before.
  ///
  /// - Throws: `Failure`, `HostFailure`, `StreamError`.
  func run() throws -> Result {
    var search = State()
    while search.result.runs < runs, !search.isOver {
      if isTimeUp() { search.result.isTimeUp = true } else { generation(&search) }
    }
    if let failure = search.result.failure, search.result.runs == 0,
      search.result.findings.isEmpty
    {
      if case Failure.impossible(.notServed)? = failure as? Failure { try checkHost() }
      throw failure
    }
    checkStability(&search)
    return search.result
  }

  /// Asks the host for a plain replay, which says more of a host that does not search.
  private func checkHost() throws {
    guard let log = logs.first else { return }
    let next = try log.events()
    var head: [LogEvent] = []
    while head.count < 2, let event = try next() { head.append(event) }
    _ = try EventReplayer(hosts: hosts, options: options).replay(head)
  }

  /// What generations have found.
  struct State {
    var result = Result()
    var pool: [FuzzSequence] = []
    /// The pairs of parts of states that the pool shows.
    var pairs: Set<UInt64> = []
    var avoided = KnownTraps()
    var samples: [FuzzSample] = []
    /// What the samples show.
    var sampled = FuzzSamples()
    var generation: UInt64 = 0
    /// What was found already, before and after it was minimized.
    var kinds: Set<String> = []
    var symptoms: Set<Symptom> = []

    var isOver: Bool {
      result.isTimeUp || result.interruption != nil || result.failure != nil
    }

    mutating func conclude(_ ending: Ending) {
      switch ending {
      case .done: break
      case .timeUp: result.isTimeUp = true
      case .failed(let error as Interrupted): result.interruption = error.signal
      case .failed(let error): result.failure = result.failure ?? error
      }
    }
  }

  /// How a batch has ended.
  enum Ending: Sendable {
    case done
    case timeUp
    case failed(any Error)

    var isEarly: Bool { if case .done = self { false } else { true } }
  }

  private func generation(_ search: inout State) {
    let left = runs - search.result.runs
    let requests = (0..<Self.lanes).compactMap { lane -> FuzzRequest? in
      let count = min(Self.batch, left - lane * Self.batch)
      guard count > 0 else { return nil }
      var request = FuzzRequest(logs: logs, judge: judge)
      request.feature = options.feature
      request.strategy = strategy
      // Seeds that lie a fixed number apart would give the same numbers, some draws later.
      request.seed = StateShape.hash(["batch"], seed, search.generation, UInt64(lane))
      request.runs = count
      request.pool = search.pool
      request.avoided = search.avoided
      request.samples = search.sampled
      return request
    }
    search.generation += 1
    for (answer, ending) in answers(to: requests, after: search.result) {
      // As if one batch came after the other, however many hosts there are.
      let (runs, transitions) = (search.result.runs, search.result.transitions)
      search.result.runs += answer.runs
      search.result.transitions += answer.transitions
      search.result.seeded = max(search.result.seeded, answer.seeded)
      search.result.covered = max(search.result.covered, answer.covered)
      search.result.unread = search.result.unread ?? answer.unread
      search.result.unreadCount = max(search.result.unreadCount, answer.unreadCount)
      search.avoided.formUnion(answer.avoided)
      for handed in answer.sequences where search.pool.count < Self.mostSequences {
        guard !search.pairs.isSuperset(of: handed.pairs) else { continue }
        search.pairs.formUnion(handed.pairs)
        search.pool.append(handed.sequence.after(runs: runs, transitions: transitions))
      }
      for var sample in answer.samples where search.sampled.recordMeasure(sample.measure) {
        sample.sequence = sample.sequence.after(runs: runs, transitions: transitions)
        search.samples.append(sample)
      }
      for var found in answer.findings {
        found.origin = found.origin.after(runs: runs)
        found.transitions += transitions
        confirmFinding(found, &search)
      }
      search.conclude(ending)
      if answer.transitions == 0, let unread = answer.unread {
        search.conclude(.failed(Failure.unread(log: logs[unread.log].name, unread)))
      }
      progress(search.result.runs, search.result.findings.count)
    }
  }

  /// The answers to the requests, in their order; some hosts at a time.
  private func answers(
    to requests: [FuzzRequest],
    after result: Result
  ) -> [(FuzzAnswer, Ending)] {
    let finished = Mutex<[Int: (FuzzAnswer, Ending)]>([:])
    let state = Mutex<[Int: FuzzAnswer]>([:])
    for start in stride(from: 0, to: requests.count, by: max(1, jobs)) {
      let count = min(max(1, jobs), requests.count - start)
      DispatchQueue.concurrentPerform(iterations: count) { offset in
        let index = start + offset
        let answer = runBatch(requests[index]) { answer in
          let (runs, findings) = state.withLock { state in
            state[index] = answer
            return (
              state.values.reduce(0) { $0 + $1.runs },
              state.values.reduce(0) { max($0, $1.findings.count) }
            )
          }
          progress(result.runs + runs, max(result.findings.count, findings))
        }
        finished.withLock { $0[index] = answer }
      }
      if finished.withLock({ $0.values.contains { $0.1.isEarly } }) { break }
    }
    return finished.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Reads what a host answers; `nil` when it is no answer.
  private func decodedAnswer(_ json: JSON) -> FuzzAnswer? {
    FuzzAnswer(json).flatMap {
      $0.names(rulesBelow: judge.rules.count, logsBelow: logs.count) ? $0 : nil
    }
  }

  /// Has a batch run, again after each trap: the runs before it are made once more, the one that traps is told.
  ///
  /// - Returns: What it has found, up to what ended it.
  func runBatch(
    _ request: FuzzRequest,
    _ report: (FuzzAnswer) -> Void
  ) -> (FuzzAnswer, Ending) {
    var request = request
    var best = FuzzAnswer()
    do {
      while true {
        guard let host = try makeHost(options) else { throw Failure.impossible(.notServed) }
        let ending: SearchEnding?
        do {
          ending = try host.search(request.json) { json in
            if let answer = self.decodedAnswer(json), answer.isFurther(than: best) {
              best = answer
              report(best)
            }
            return !isTimeUp()
          }
        } catch HostFailure.timedOut(let seconds, _) {
          // It is told by which action, as if that had trapped; but each one takes long.
          guard let place = FuzzRequest.BatchStep(host.openSteps),
            !request.traps.contains(where: { $0.signal == FuzzRequest.Trap.hang })
          else { throw Failure.silent(seconds, action: nil) }
          request.traps.append(FuzzRequest.Trap(place: place, signal: FuzzRequest.Trap.hang))
          continue
        }
        switch ending {
        case .answered(let json):
          if let obstacle = MemorySearch.Obstacle(json) { throw Failure.impossible(obstacle) }
          guard let answer = self.decodedAnswer(json) else { throw Failure.impossible(.notServed) }
          return (answer, .done)
        case .trapped(let signal, let steps, _):
          // One that is known and comes again is none that a run has made.
          guard let place = FuzzRequest.BatchStep(steps),
            !request.traps.contains(where: { $0.place == place })
          else { throw Failure.impossible(.differs) }
          request.traps.append(FuzzRequest.Trap(place: place, signal: signal))
          if request.traps.count(where: { $0.place.run >= 0 }) >= Self.mostTrapsEver {
            request.runs = max(0, place.run + 1)
          }
        case nil: return (best, .timeUp)
        }
      }
    } catch {
      return (best, .failed(error))
    }
  }
}

extension FuzzRequest.BatchStep {
  /// Where a search was; `nil` where that was not a step of a run.
  fileprivate init?(_ steps: [Int]?) {
    guard let steps, steps.count == 2 else { return nil }
    self.init(run: steps[0], step: steps[1])
  }
}

/// Logs that cannot be fuzzed.
struct CannotFuzz: StatusError, Hashable, CustomStringConvertible {
  let failure: Fuzzer.Failure

  var description: String { Wording.describe(failure) }

  var status: ExitStatus {
    if case .unread = failure { .unreadable } else { .hostFailed }
  }
}
