import ActionLog
import ReplayEngine

/// A request to a host to execute a batch of runs, or to write the events of sequences.
struct FuzzRequest: Equatable, Sendable {
  /// The logs that form the corpus.
  var logs: [LogSlice]
  var feature: String?
  var judge: SearchJudge
  var strategy = FuzzStrategy.guided
  var seed: UInt64 = 0
  var runs = 0
  /// The sequences from earlier batches that covered something new.
  var pool: [FuzzSequence] = []
  /// The steps of this batch that are known to trap.
  ///
  /// The runs of initial sequences have negative numbers.
  var traps: [Trap] = []
  /// The kinds of actions that trapped in earlier batches.
  var avoided = KnownTraps()
  /// The sizes of the samples from earlier batches.
  var samples = LargestSampledInputs()
  /// The sequences whose events the host writes.
  ///
  /// If there are any, the host executes no runs.
  var written: [[FuzzStep]] = []
  /// The reason why the host can't restore snapshots, as an earlier batch has found, or `nil` if it is not known.
  var obstacle: SnapshotObstacle?

  /// An attempted step, identified by the number of its run and its own number in the run.
  struct BatchStep: Equatable, Sendable {
    var run: Int
    var step: Int
  }

  struct Trap: Equatable, Sendable {
    var place: BatchStep
    var signal: String

    /// The value of `signal` if the reducer did not return within the timeout.
    static let hang = "hang"
  }
}

/// The strategy by which runs choose their steps.
enum FuzzStrategy: String, Sendable, CaseIterable {
  /// Mutates sequences that covered something new.
  case guided
  /// Chooses random steps, as a baseline to compare the guided search with.
  case random
}

extension FuzzRequest {
  var json: JSON {
    var object: JSON.Object = ["kind": "fuzz", "logs": .array(logs.map(\.json))]
    object["log"] = logs.first?.json
    object["feature"] = feature.map(JSON.string)
    object["judge"] = judge.json
    object["strategy"] = .string(strategy.rawValue)
    object["seed"] = .string(String(seed))
    object["runs"] = .number(JSON.Number(runs))
    object["pool"] = .array(pool.map(\.json))
    object["traps"] = .array(
      traps.map {
        [
          .number(JSON.Number($0.place.run)), .number(JSON.Number($0.place.step)),
          .string($0.signal),
        ]
      }
    )
    object["avoid"] = avoided.json
    object["samples"] = samples.json
    object["written"] = .array(written.map { .array($0.map(\.json)) })
    object["obstacle"] = obstacle.map { InMemorySearchClient.Obstacle.feature($0).json }
    return .object(object)
  }

  init?(_ json: JSON) {
    guard json["kind"]?.string == "fuzz", let logs = json["logs"]?.array,
      let judge = json["judge"].flatMap({ SearchJudge($0) }),
      let strategy = json["strategy"]?.string.flatMap(FuzzStrategy.init),
      let seed = json["seed"]?.string.flatMap({ UInt64($0) }), let runs = json["runs"]?.count
    else { return nil }
    self.init(logs: logs.compactMap { LogSlice($0) }, judge: judge)
    feature = json["feature"]?.string
    self.strategy = strategy
    self.seed = seed
    self.runs = runs
    pool = (json["pool"]?.array ?? []).compactMap { FuzzSequence($0) }
    traps = (json["traps"]?.array ?? []).compactMap { trap in
      guard let parts = trap.array, parts.count == 3, let run = parts[0].int,
        let step = parts[1].int, let signal = parts[2].string
      else { return nil }
      return Trap(place: BatchStep(run: run, step: step), signal: signal)
    }
    avoided = KnownTraps(json["avoid"])
    samples = LargestSampledInputs(json["samples"])
    written = FuzzStep.sequences(json["written"])
    obstacle = SnapshotObstacle(json["obstacle"])
  }
}

extension FuzzStep {
  static func sequences(_ json: JSON?) -> [[FuzzStep]] {
    (json?.array ?? []).map { ($0.array ?? []).compactMap { FuzzStep($0) } }
  }
}

extension LogEvent {
  var json: JSON { (try? JSON(parsing: line)) ?? .null }

  static func events(_ json: JSON) -> [LogEvent] {
    (json.array ?? []).compactMap { try? LogEvent(json: $0) }
  }
}

extension FuzzResponse.PoolSequence {
  var json: JSON {
    [
      "sequence": sequence.json, "pairs": .array(pairs.map { .string(String($0)) }),
    ]
  }

  init?(_ json: JSON) {
    guard let sequence = json["sequence"].flatMap({ FuzzSequence($0) }),
      let pairs = json["pairs"]?.array
    else { return nil }
    self.init(
      sequence: sequence,
      pairs: pairs.compactMap { $0.string.flatMap { UInt64($0) } }
    )
  }
}

extension FuzzResponse.ViolatingSequence {
  var json: JSON {
    var object = violation.json
    object["origin"] = origin.json
    object["transitions"] = .number(JSON.Number(transitions))
    object["events"] = .array(events.map(\.json))
    return .object(object)
  }

  init?(_ json: JSON) {
    guard let violation = SearchJudge.Violation(json),
      let origin = json["origin"].flatMap({ FuzzSequenceOrigin($0) }),
      let transitions = json["transitions"]?.count, let events = json["events"]
    else { return nil }
    self.init(
      violation: violation,
      origin: origin,
      transitions: transitions,
      events: LogEvent.events(events)
    )
  }
}
