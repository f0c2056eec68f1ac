import ActionLog

/// What led to an action: what sent it, what sent that, back to what came from outside.
struct CauseChain {
  let seq: Int

  init(of seq: Int) { self.seq = seq }

  /// How many links are given: all that anybody reads.
  private static let most = 20

  /// Reads the chain from a log, which is opened twice: once for the numbers, once for the actions that they name.
  func links(_ open: () throws -> LogComparison.Events) throws -> [Verdict.Divergence.Link] {
    var causes: [Int: Int] = [:]
    var exists = false
    Self.actions(try open(), through: seq) { action in
      if action.seq == seq { exists = true }
      // A cause lies before its effect; anything else is a broken log, and would lead round in circles.
      if let cause = action.origin.cause, cause < action.seq { causes[action.seq] = cause }
    }
    guard exists else { return [] }
    var chain = [seq]
    while let last = chain.last, let cause = causes[last] { chain.append(cause) }
    // A timer's chain is as long as its log: what matters are its ends.
    if chain.count > Self.most { chain.removeSubrange((Self.most - 1)..<(chain.count - 1)) }
    let wanted = Set(chain)
    var links: [Int: Verdict.Divergence.Link] = [:]
    Self.actions(try open(), through: seq) { action in
      guard wanted.contains(action.seq) else { return }
      links[action.seq] = Verdict.Divergence.Link(
        seq: action.seq,
        origin: action.origin,
        action: action.action
      )
    }
    return chain.compactMap { links[$0] }
  }

  private static func actions(
    _ events: LogComparison.Events,
    through last: Int,
    _ body: (LogEvent.Action) -> Void
  ) {
    // All up to the action has been read before, so an error can only lie behind it.
    while let event = try? events() {
      switch event {
      case .action(let action):
        guard action.seq <= last else { return }
        body(action)
      case .excluded(let excluded):
        guard excluded.seq <= last else { return }
        // The log says what caused it, which the chain goes through, and not what it was.
        body(
          LogEvent.Action(
            seq: excluded.seq,
            at: excluded.at,
            origin: excluded.origin,
            action: ["$opaque": "Action", "reason": "the recording left it out"]
          )
        )
      default: continue
      }
    }
  }
}
