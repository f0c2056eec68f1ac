import ActionLog
import Dispatch
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts
import Synchronization

/// Generates sequences of actions from logs, and reports sequences that show a fault.
///
/// A search consists of generations, a generation of batches, and a batch of runs. Each batch has its own seed and
/// starts with the results from all earlier generations. The result therefore doesn't depend on the number or speed of
/// hosts.
struct Fuzzer: Sendable {
  let logs: [LogSlice]
  let judge: SearchJudge
  let makeHost: CommandContext.SearchHostMaker
  let hosts: HostPool
  let options: ReplayOptions
  var strategy = FuzzStrategy.guided
  var seed: UInt64 = 0
  /// The number of runs, which are generated sequences.
  var runs = Self.usualRuns
  var jobs = 1
  /// A closure that returns whether the time for the search is over.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// A closure that starts the time limit for minimizing a finding, and returns a closure that returns whether the
  /// limit has been reached.
  var makeMinimizingLimit: @Sendable () -> @Sendable () -> Bool = { { false } }
  /// The options for the stability check after the search.
  var stability = StabilityOptions()
  /// A closure that receives the number of runs and the number of findings so far.
  var progress: @Sendable (_ runs: Int, _ findings: Int) -> Void = { _, _ in }

  static let usualRuns = 100_000
  /// The number of runs in a batch.
  ///
  /// Batches are small, because the runs before a trap are repeated in a new host.
  static let batch = 500
  /// The number of batches in a generation, which can run in parallel.
  static let lanes = 4
  /// The maximum number of sequences in the pool.
  static let mostSequences = 400
  /// The number of traps in a batch after which actions of the trapping kinds are avoided.
  static let mostTraps = 4
  /// The number of traps after which a batch ends.
  static let mostTrapsEver = 12

  /// The findings and the extent of a search.
  struct Result: Sendable {
    var findings: [FuzzFinding] = []
    var runs = 0
    var transitions = 0
    /// The number of state shapes, of actions in them, and of pairs of consecutive action cases that the corpus covers.
    var seeded = 0
    /// The highest number of state shapes, of actions in them, and of pairs of consecutive cases that a batch covers.
    var covered = 0
    /// The reason why runs started over instead of restoring snapshots, or `nil` if they restored them.
    var obstacle: SnapshotObstacle?
    /// The number of faults that a replay did not confirm.
    var unconfirmed = 0
    /// The first action from the logs that the code can't decode, or `nil` if there is none.
    var unread: FuzzResponse.UndecodableAction?
    /// The number of actions from the logs that the code can't decode.
    var unreadCount = 0
    /// The extent of the stability check after the search.
    var stability = StabilityCheckSummary()
    /// Whether the time limit ended the search.
    var isTimeUp = false
    var interruption: Int32?
    /// The error that ended the search, or `nil`.
    var failure: (any Error)?
  }

  /// The reason why logs can't be fuzzed.
  enum FuzzingObstacle: Error, Hashable {
    case impossible(InMemorySearchClient.Obstacle)
    /// The code can't decode any action from the logs.
    case unread(log: String, FuzzResponse.UndecodableAction)
    /// A host stopped responding, but the search could not show that the feature's code is the reason.
    ///
    /// The first value is the timeout in seconds.
    ///
    /// - Parameter action: The case path of the last action, if it is known.
    case silent(Double, action: String?)
  }

  /// Runs the search and the stability check.
  ///
  /// - Returns: The results, which contain the error if one ended the search early.
  /// - Throws: `FuzzingObstacle`, `HostFailure`, or `StreamError` if an error ended the search before there were any
  ///   results.
  func run() throws -> Result {
    var search = State()
    while search.result.runs < runs, !search.isOver {
      if isTimeUp() { search.result.isTimeUp = true } else { generation(&search) }
    }
    if let failure = search.result.failure, search.result.runs == 0,
      search.result.findings.isEmpty
    {
      if case FuzzingObstacle.impossible(.notServed)? = failure as? FuzzingObstacle {
        try checkHost()
      }
      throw failure
    }
    checkStability(&search)
    return search.result
  }

  /// Replays the start of a log, because the error of a replay explains better why a host doesn't work.
  private func checkHost() throws {
    guard let log = logs.first else { return }
    let next = try log.events()
    var head: [LogEvent] = []
    while head.count < 2, let event = try next() { head.append(event) }
    _ = try EventReplayer(hosts: hosts, options: options).replay(head)
  }

  /// The results of all completed generations, from which the next generation starts.
  struct State {
    var result = Result()
    var pool: [FuzzSequence] = []
    /// Hashes of the state parts and pairs that sequences in the pool have discovered.
    var pairs: Set<UInt64> = []
    var avoided = KnownTraps()
    var samples: [ActionCaseSample] = []
    /// The sizes of `samples`, with which new samples are compared.
    var sampled = LargestSampledInputs()
    var generation: UInt64 = 0
    /// The kinds of the faults that were found, by which duplicates are skipped before a log is minimized.
    ///
    /// `symptoms` serves the same purpose after a log was minimized.
    var kinds: Set<String> = []
    var symptoms: Set<Symptom> = []

    var isOver: Bool {
      result.isTimeUp || result.interruption != nil || result.failure != nil
    }

    mutating func conclude(_ ending: BatchEnd) {
      switch ending {
      case .done: break
      case .timeUp: result.isTimeUp = true
      case .failed(let error as Interrupted): result.interruption = error.signal
      case .failed(let error): result.failure = result.failure ?? error
      }
    }
  }

  /// The reason why a batch ended.
  enum BatchEnd: Sendable {
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
      // The seed is a hash, because seeds at a constant distance would result in overlapping random numbers.
      request.seed = StateShape.hash(["batch"], seed, search.generation, UInt64(lane))
      request.runs = count
      request.pool = search.pool
      request.avoided = search.avoided
      request.samples = search.sampled
      request.obstacle = search.result.obstacle
      return request
    }
    search.generation += 1
    for (answer, ending) in answers(to: requests, after: search.result) {
      // Runs are numbered as if batches were sequential, so that numbers don't depend on the number of hosts.
      let (runs, transitions) = (search.result.runs, search.result.transitions)
      search.result.runs += answer.runs
      search.result.transitions += answer.transitions
      search.result.seeded = max(search.result.seeded, answer.seeded)
      search.result.covered = max(search.result.covered, answer.covered)
      search.result.obstacle = search.result.obstacle ?? answer.obstacle
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
        search.conclude(.failed(FuzzingObstacle.unread(log: logs[unread.log].name, unread)))
      }
      progress(search.result.runs, search.result.findings.count)
    }
  }

  /// Executes batches in several hosts at the same time, and returns the results in the order of the requests.
  ///
  /// After a batch that ends early, no further batches start, so later requests can be without a result.
  private func answers(
    to requests: [FuzzRequest],
    after result: Result
  ) -> [(FuzzResponse, BatchEnd)] {
    let finished = Mutex<[Int: (FuzzResponse, BatchEnd)]>([:])
    let state = Mutex<[Int: FuzzResponse]>([:])
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

  /// Parses a response, or returns `nil` if the response is not valid.
  private func decodedAnswer(_ json: JSON) -> FuzzResponse? {
    FuzzResponse(json).flatMap {
      $0.names(rulesBelow: judge.rules.count, logsBelow: logs.count) ? $0 : nil
    }
  }

  /// Executes a batch in a host.
  ///
  /// After a trap, the batch is repeated in a new host, which reports the trapping step instead of executing it.
  ///
  /// - Parameters:
  ///   - request: The batch to execute.
  ///   - report: A closure that receives intermediate results.
  /// - Returns: The results of the batch, and the reason why it ended.
  func runBatch(
    _ request: FuzzRequest,
    _ report: (FuzzResponse) -> Void
  ) -> (FuzzResponse, BatchEnd) {
    var request = request
    var best = FuzzResponse()
    do {
      while true {
        guard let host = try makeHost(options) else { throw FuzzingObstacle.impossible(.notServed) }
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
          // A timeout counts as a trap of the current step. A batch accepts at most one, because it takes long.
          guard let place = FuzzRequest.BatchStep(host.openSteps),
            !request.traps.contains(where: { $0.signal == FuzzRequest.Trap.hang })
          else { throw FuzzingObstacle.silent(seconds, action: nil) }
          request.traps.append(FuzzRequest.Trap(place: place, signal: FuzzRequest.Trap.hang))
          continue
        }
        switch ending {
        case .answered(let json):
          if let obstacle = InMemorySearchClient.Obstacle(json) {
            throw FuzzingObstacle.impossible(obstacle)
          }
          guard let answer = self.decodedAnswer(json) else {
            throw FuzzingObstacle.impossible(.notServed)
          }
          return (answer, .done)
        case .trapped(let signal, let steps, _):
          // If the trap is already known, or occurred outside of a run, the batch can't be repeated without it.
          guard let place = FuzzRequest.BatchStep(steps),
            !request.traps.contains(where: { $0.place == place })
          else { throw FuzzingObstacle.impossible(.differs) }
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
  /// Creates the position from a trap report, or returns `nil` if the trap occurred outside of a run.
  fileprivate init?(_ steps: [Int]?) {
    guard let steps, steps.count == 2 else { return nil }
    self.init(run: steps[0], step: steps[1])
  }
}

/// An error for logs that can't be fuzzed.
struct CannotFuzz: StatusError, Hashable, CustomStringConvertible {
  let failure: Fuzzer.FuzzingObstacle

  var description: String { Wording.describe(failure) }

  var status: ExitStatus {
    if case .unread = failure { .unreadable } else { .hostFailed }
  }
}
