import ActionLog
import ReplayEngine

/// The results of a batch, which the host sends as its response.
struct FuzzResponse: Equatable, Sendable {
  var runs = 0
  var transitions = 0
  /// The number of state shapes, of actions in them, and of pairs of consecutive action cases that the batch covers.
  var covered = 0
  /// The part of `covered` that the initial sequences covered.
  var seeded = 0
  var sequences: [PoolSequence] = []
  var findings: [ViolatingSequence] = []
  /// The first action from the logs that the code can't decode, or `nil` if there is none.
  var unread: UndecodableAction?
  /// The number of actions from the logs that the code can't decode.
  var unreadCount = 0
  /// The kinds of actions that are known to trap, including those found in this batch.
  var avoided = KnownTraps()
  /// Sequences whose last step has more distinct values in its state and action than earlier samples of the same case.
  var samples: [ActionCaseSample] = []
  /// The events of each requested sequence; empty for sequences that trap.
  var written: [ReplayedSequence] = []
  /// The reason why the host returned to states from the start, or `nil` if it restored snapshots.
  var obstacle: SnapshotObstacle?

  /// The events of a requested sequence.
  ///
  /// A replay of the events creates a complete log.
  struct ReplayedSequence: Equatable, Sendable {
    var events: [LogEvent]

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.events.map(\.line) == rhs.events.map(\.line)
    }
  }

  /// Returns whether this result is later than another result from the same batch.
  func isFurther(than other: Self) -> Bool {
    (runs, transitions, findings.count) > (other.runs, other.transitions, other.findings.count)
  }

  /// A sequence for the pool, with hashes of the state parts and pairs that it discovered.
  struct PoolSequence: Equatable, Sendable {
    var sequence: FuzzSequence
    var pairs: [UInt64]
  }

  /// An action from a log that the code can't decode.
  struct UndecodableAction: Hashable, Sendable {
    /// The index of the log in the request.
    var log: Int
    /// The number of the action, or 0 if the step has no action.
    var seq: Int
    var reason: String
  }

  struct ViolatingSequence: Equatable, Sendable {
    var violation: SearchJudge.Violation
    var origin: FuzzSequenceOrigin
    /// The number of actions that the batch had reduced when the fault was found.
    var transitions: Int
    /// The events of the sequence.
    ///
    /// A replay of these events creates a complete log.
    var events: [LogEvent]

    static func == (lhs: ViolatingSequence, rhs: ViolatingSequence) -> Bool {
      lhs.violation == rhs.violation && lhs.origin == rhs.origin
        && lhs.events.map(\.line) == rhs.events.map(\.line)
    }
  }
}

extension FuzzResponse {
  var json: JSON {
    var object = partial
    object["sequences"] = .array(sequences.map(\.json))
    object["avoided"] = avoided.json
    object["written"] = .array(written.map { .array($0.events.map(\.json)) })
    return .object(object)
  }

  /// The results so far, without the members that only the final response contains.
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
    object["obstacle"] = obstacle.map { InMemorySearchClient.Obstacle.feature($0).json }
    return object
  }

  init?(_ json: JSON) {
    guard let runs = json["runs"]?.count, let transitions = json["transitions"]?.count,
      let covered = json["covered"]?.count, let seeded = json["seeded"]?.count,
      let findings = json["findings"]?.array
    else { return nil }
    self.init(runs: runs, transitions: transitions, covered: covered, seeded: seeded)
    sequences = (json["sequences"]?.array ?? []).compactMap { PoolSequence($0) }
    self.findings = findings.compactMap { ViolatingSequence($0) }
    if let unread = json["unread"], let log = unread["log"]?.count, let seq = unread["seq"]?.count {
      self.unread = UndecodableAction(log: log, seq: seq, reason: unread["reason"]?.string ?? "")
    }
    unreadCount = json["unreadCount"]?.count ?? 0
    avoided = KnownTraps(json["avoided"])
    samples = (json["samples"]?.array ?? []).compactMap { ActionCaseSample($0) }
    written = (json["written"]?.array ?? []).map { ReplayedSequence(events: LogEvent.events($0)) }
    obstacle = SnapshotObstacle(json["obstacle"])
  }
}

extension FuzzResponse {
  /// Returns whether all indexes of rules and logs are valid, because a host may send invalid data.
  func names(rulesBelow rules: Int, logsBelow logs: Int) -> Bool {
    (unread.map { $0.log < logs } ?? true)
      && findings.allSatisfy {
        if case .rule(let index) = $0.violation { index < rules } else { true }
      }
  }
}
