import ActionLog

/// What led to actions: what sent each of them, what sent that, back to what came from outside.
package struct CauseChain {
  private let seqs: [Int]

  package init(of seq: Int) { seqs = [seq] }

  /// The chains of many actions, for which a log is read no more often than for one.
  package init(of seqs: [Int]) { self.seqs = seqs }

  /// How many links are given: all that anybody reads.
  private static let most = 20

  /// Reads the chain of the only action.
  package func links(_ open: () throws -> LogComparison.Events) throws -> [Verdict.Divergence.Link]
  {
    try chains(open).values.first ?? []
  }

  /// Reads the chains from a log, which is opened twice: once for the numbers, once for the actions that they name.
  func chains(
    _ open: () throws -> LogComparison.Events
  ) throws -> [Int: [Verdict.Divergence.Link]] {
    guard let last = seqs.max() else { return [:] }
    let asked = Set(seqs)
    var found: Set<Int> = []
    // In the order of the actions; a table of a long log would take several times the room.
    var causes: [(seq: Int, cause: Int)] = []
    Self.actions(try open(), through: last) { action in
      if asked.contains(action.seq) { found.insert(action.seq) }
      // A cause lies before its effect; anything else is a broken log, and would lead round in circles.
      if let cause = action.origin.cause, cause < action.seq { causes.append((action.seq, cause)) }
    }
    var chains: [Int: [Int]] = [:]
    for seq in found { chains[seq] = Self.chain(of: seq, causes) }
    let wanted = Set(chains.values.joined())
    var links: [Int: Verdict.Divergence.Link] = [:]
    Self.actions(try open(), through: last) { action in
      guard wanted.contains(action.seq) else { return }
      links[action.seq] = Verdict.Divergence.Link(
        seq: action.seq,
        origin: action.origin,
        action: action.action
      )
    }
    return chains.mapValues { $0.compactMap { links[$0] } }
  }

  private static func chain(of seq: Int, _ causes: [(seq: Int, cause: Int)]) -> [Int] {
    var chain = [seq]
    var end = causes.endIndex
    while let last = chain.last {
      // Each cause lies before the one that was found last.
      var start = 0
      while start < end {
        let middle = (start + end) / 2
        if causes[middle].seq < last { start = middle + 1 } else { end = middle }
      }
      guard end < causes.count, causes[end].seq == last else { break }
      chain.append(causes[end].cause)
    }
    // A timer's chain is as long as its log: what matters are its ends.
    if chain.count > Self.most { chain.removeSubrange((Self.most - 1)..<(chain.count - 1)) }
    return chain
  }

  private static func actions(
    _ events: LogComparison.Events,
    through last: Int,
    _ body: (LogEvent.Action) -> Void
  ) {
    var before = 0
    // All up to the action has been read before, so an error can only lie behind it.
    while let event = try? events() {
      switch event {
      case .action(let action):
        guard action.seq <= last else { return }
        // A number that comes twice, or too late, is a broken log; the first one counts.
        guard action.seq > before else { continue }
        before = action.seq
        body(action)
      case .excluded(let excluded):
        guard excluded.seq <= last else { return }
        guard excluded.seq > before else { continue }
        before = excluded.seq
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
