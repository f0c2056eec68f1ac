import ActionLog
import ReplayHosts

/// What the replay of an order shows, step by step.
struct OrderTrace: Sendable {
  /// What there is between two steps.
  struct Node: Sendable {
    /// The same for two places from which the same can happen.
    let key: Key
    /// The steps that could come next.
    let enabled: [Int]
  }

  /// A digest of a state, the effects that are alive and what is still to come.
  struct Key: Hashable, Sendable {
    private let first: Int
    private let second: Int

    init(_ parts: some Hashable) {
      // Twice, so that two different places are never taken for one.
      first = Self.hash(parts, salt: 1)
      second = Self.hash(parts, salt: 2)
    }

    private static func hash(_ parts: some Hashable, salt: Int) -> Int {
      var hasher = Hasher()
      hasher.combine(salt)
      hasher.combine(parts)
      return hasher.finalize()
    }
  }

  /// A step does not arrive where the order has it, for its effect is not alive.
  struct Lost: Error, Hashable {
    let step: Int
    /// How many steps came before it.
    let place: Int
  }

  /// The end of what can be told.
  enum Ending: Sendable, Hashable {
    /// Everything came.
    case complete
    /// The condition does not hold after an action of the replay.
    case violated(seq: Int, step: Int)
    /// The host trapped.
    case trapped(signal: String, seq: Int, step: Int)
    /// The replay could not be followed: it asked for what the log does not have, or reported an issue.
    case unclear(step: Int)
  }

  /// One node before each step, and one behind the last.
  private(set) var nodes: [Node] = []
  private(set) var ending = Ending.complete
}

extension OrderTrace {
  /// Follows the replay of an order.
  ///
  /// - Parameters:
  ///   - outcome: The replay of the order's events.
  ///   - plan: The order, as it was fed.
  ///   - arrivals: What the steps are.
  ///   - isOdd: Whether a finding means that the replay cannot be followed.
  ///   - isBroken: Whether the condition does not hold after an action.
  /// - Throws: `Lost`, `ReplayError.brokenPatch`.
  init(
    of outcome: EventReplayer.Outcome,
    _ plan: Arrivals.Plan,
    in arrivals: Arrivals,
    isOdd: (LogEvent.Finding) -> Bool,
    isBroken: (Moment) -> Bool
  ) throws {
    var follower = OrderFollower(plan, in: arrivals)
    var events = outcome.events[...]
    var findings: [LogEvent.Finding] = []
    // Moments and the follower take the same events, the moments a change later.
    var isStopped = false
    var lost: Lost?
    var nodes: [Node] = []
    var moments = Moments {
      guard let event = events.popFirst() else { return nil }
      if case .finding(let finding) = event { findings.append(finding) }
      do throws(Lost) {
        for node in try follower.take(event) { nodes.append(node) }
      } catch {
        lost = error
        return nil
      }
      return event
    }
    while !isStopped, let moment = try moments.next() {
      follower.state = moment.state
      guard moment.action != nil else { continue }
      if findings.contains(where: isOdd) {
        ending = .unclear(step: follower.step)
        isStopped = true
      } else if isBroken(moment) {
        ending = .violated(seq: moment.seq, step: follower.step)
        isStopped = true
      }
      findings = []
    }
    self.nodes = nodes
    if isStopped { return }
    if let lost { throw lost }
    if let signal = outcome.trap {
      ending = .trapped(signal: signal, seq: outcome.lastAction, step: follower.step)
    } else if findings.contains(where: isOdd) {
      ending = .unclear(step: follower.step)
    } else {
      self.nodes.append(follower.node())
    }
  }
}
