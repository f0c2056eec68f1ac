import ActionLog
import ReplayEngine

/// A request to a host for a batch.
struct FuzzRequest: Equatable, Sendable {
  /// The corpus.
  var logs: [LogSlice]
  var feature: String?
  var judge: SearchJudge
  var strategy = FuzzStrategy.guided
  var seed: UInt64 = 0
  var runs = 0
  /// The sequences of earlier batches that have covered new features.
  var pool: [FuzzSequence] = []
  /// The runs of this batch that are known to trap.
  ///
  /// Initial sequences have negative numbers.
  var traps: [Trap] = []
  /// The steps that are known to trap.
  var avoided = KnownTraps()
  /// The samples of earlier batches.
  var samples = FuzzSamples()
  /// The sequences whose events the host should write instead of executing runs.
  var written: [[FuzzStep]] = []

  /// The position of an attempted step: the run, and the number of the step in it.
  struct BatchStep: Equatable, Sendable {
    var run: Int
    var step: Int
  }

  struct Trap: Equatable, Sendable {
    var place: BatchStep
    var signal: String

    /// The name that replaces a signal if the reducer did not return.
    static let hang = "hang"
  }
}

/// A strategy for choosing steps.
enum FuzzStrategy: String, Sendable, CaseIterable {
  /// Mutations of sequences that have covered new features.
  case guided
  /// Random actions, as the baseline.
  case random
}

/// The results of a batch.
struct FuzzAnswer: Equatable, Sendable {
  var runs = 0
  var transitions = 0
  /// The number of covered cases and shapes, followed by the number that the initial sequences covered.
  var covered = 0
  var seeded = 0
  var sequences: [Handed] = []
  var findings: [FoundSequence] = []
  /// The first action of a log that the code can't decode, followed by the number of such actions.
  var unread: Unread?
  var unreadCount = 0
  /// The known traps after the batch.
  var avoided = KnownTraps()
  /// Representative sequences with larger states than those of earlier batches.
  var samples: [FuzzSample] = []
  /// The events of the requested sequences; empty for one that traps.
  var written: [Written] = []

  /// The events from which a replay creates a log.
  struct Written: Equatable, Sendable {
    var events: [LogEvent]

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.events.map(\.line) == rhs.events.map(\.line)
    }
  }

  /// Returns whether it was sent after another result of the same batch.
  func isFurther(than other: Self) -> Bool {
    (runs, transitions, findings.count) > (other.runs, other.transitions, other.findings.count)
  }

  /// A sequence for later batches, and the pairs of state parts that it has discovered.
  struct Handed: Equatable, Sendable {
    var sequence: FuzzSequence
    var pairs: [UInt64]
  }

  /// An action that the code can't decode.
  struct Unread: Hashable, Sendable {
    /// The index of the log in the corpus.
    var log: Int
    /// The number of the action; 0 for the initial state.
    var seq: Int
    var reason: String
  }

  struct FoundSequence: Equatable, Sendable {
    var violation: SearchJudge.Violation
    var origin: FuzzOrigin
    /// The number of actions that were reduced before the finding.
    var transitions: Int
    /// The events from which a replay creates a log.
    var events: [LogEvent]

    static func == (lhs: FoundSequence, rhs: FoundSequence) -> Bool {
      lhs.violation == rhs.violation && lhs.origin == rhs.origin
        && lhs.events.map(\.line) == rhs.events.map(\.line)
    }
  }
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
    samples = FuzzSamples(json["samples"])
    written = FuzzStep.sequences(json["written"])
  }
}

extension FuzzStep {
  fileprivate static func sequences(_ json: JSON?) -> [[FuzzStep]] {
    (json?.array ?? []).map { ($0.array ?? []).compactMap { FuzzStep($0) } }
  }
}

extension FuzzAnswer {
  var json: JSON {
    var object = partial
    object["sequences"] = .array(sequences.map(\.json))
    object["avoided"] = avoided.json
    object["written"] = .array(written.map { .array($0.events.map(\.json)) })
    return .object(object)
  }

  /// The intermediate results, without the sequences for later batches.
  var partial: JSON.Object {
    var object: JSON.Object = [
      "runs": .number(JSON.Number(runs)), "transitions": .number(JSON.Number(transitions)),
      "covered": .number(JSON.Number(covered)), "seeded": .number(JSON.Number(seeded)),
      "findings": .array(findings.map(\.json)), "unreadCount": .number(JSON.Number(unreadCount)),
      "samples": .array(samples.map(\.json)),
    ]
    if let unread {
      object["unread"] = [
        "log": .number(JSON.Number(unread.log)), "seq": .number(JSON.Number(unread.seq)),
        "reason": .string(unread.reason),
      ]
    }
    return object
  }

  init?(_ json: JSON) {
    guard let runs = json["runs"]?.count, let transitions = json["transitions"]?.count,
      let covered = json["covered"]?.count, let seeded = json["seeded"]?.count,
      let findings = json["findings"]?.array
    else { return nil }
    self.init(runs: runs, transitions: transitions, covered: covered, seeded: seeded)
    sequences = (json["sequences"]?.array ?? []).compactMap { Handed($0) }
    self.findings = findings.compactMap { FoundSequence($0) }
    if let unread = json["unread"], let log = unread["log"]?.count, let seq = unread["seq"]?.count {
      self.unread = Unread(log: log, seq: seq, reason: unread["reason"]?.string ?? "")
    }
    unreadCount = json["unreadCount"]?.count ?? 0
    avoided = KnownTraps(json["avoided"])
    samples = (json["samples"]?.array ?? []).compactMap { FuzzSample($0) }
    written = (json["written"]?.array ?? []).map { Written(events: LogEvent.events($0)) }
  }
}

extension FuzzAnswer {
  /// Returns whether all indexes of rules and logs are valid.
  ///
  /// A host may send invalid data.
  func names(rulesBelow rules: Int, logsBelow logs: Int) -> Bool {
    (unread.map { $0.log < logs } ?? true)
      && findings.allSatisfy {
        if case .rule(let index) = $0.violation { index < rules } else { true }
      }
  }
}

extension LogEvent {
  fileprivate var json: JSON { (try? JSON(parsing: line)) ?? .null }

  fileprivate static func events(_ json: JSON) -> [LogEvent] {
    (json.array ?? []).compactMap { try? LogEvent(json: $0) }
  }
}

extension FuzzAnswer.Handed {
  fileprivate var json: JSON {
    [
      "sequence": sequence.json, "pairs": .array(pairs.map { .string(String($0)) }),
    ]
  }

  fileprivate init?(_ json: JSON) {
    guard let sequence = json["sequence"].flatMap({ FuzzSequence($0) }),
      let pairs = json["pairs"]?.array
    else { return nil }
    self.init(
      sequence: sequence,
      pairs: pairs.compactMap { $0.string.flatMap { UInt64($0) } }
    )
  }
}

extension FuzzAnswer.FoundSequence {
  fileprivate var json: JSON {
    var object = violation.json
    object["origin"] = origin.json
    object["transitions"] = .number(JSON.Number(transitions))
    object["events"] = .array(events.map(\.json))
    return .object(object)
  }

  fileprivate init?(_ json: JSON) {
    guard let violation = SearchJudge.Violation(json),
      let origin = json["origin"].flatMap({ FuzzOrigin($0) }),
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
