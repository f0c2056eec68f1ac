import ActionLog

/// A reader of the chains of causes that lead to actions.
///
/// A chain starts with the action itself, and continues with the action that caused it, for example by starting the
/// effect that sent it. The chain ends with an action from outside.
package struct CauseChain {
  private let seqs: [Int]

  package init(of seq: Int) { seqs = [seq] }

  /// Creates a reader for the chains of several actions.
  ///
  /// All chains are read in the same two passes over the log.
  package init(of seqs: [Int]) { self.seqs = seqs }

  /// The maximum number of links per chain, so that a report stays short.
  private static let most = 20

  /// Reads the chain of the only requested action.
  ///
  /// The chain is empty if the log lacks the action.
  package func links(_ open: () throws -> LogComparison.Events) throws -> [Verdict.Divergence.Link]
  {
    try chains(open).values.first ?? []
  }

  /// Reads the requested chains from a log.
  ///
  /// The log is opened twice: first for the cause of each action, and then for the actions in the chains.
  package func chains(
    _ open: () throws -> LogComparison.Events
  ) throws -> [Int: [Verdict.Divergence.Link]] {
    guard let last = seqs.max() else { return [:] }
    let asked = Set(seqs)
    var found: Set<Int> = []
    // Sorted by action number. A dictionary would take several times the memory for a long log.
    var causes: [(seq: Int, cause: Int)] = []
    Self.actions(try open(), through: last) { action in
      if asked.contains(action.seq) { found.insert(action.seq) }
      // An action's cause has a smaller number. In a damaged log, other links could form a loop.
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
      // A cause has a smaller number than its action, so only earlier entries are searched.
      end = causes[..<end].partitioningIndex { $0.seq >= last }
      guard end < causes.count, causes[end].seq == last else { break }
      chain.append(causes[end].cause)
    }
    // A repeating timer's chain is as long as its log. The links in its middle are not useful.
    if chain.count > Self.most { chain.removeSubrange((Self.most - 1)..<(chain.count - 1)) }
    return chain
  }

  private static func actions(
    _ events: LogComparison.Events,
    through last: Int,
    _ body: (LogEvent.Action) -> Void
  ) {
    var before = 0
    // `try?` is safe here. The comparison has already read the log through these actions, so only later lines can be
    // unreadable.
    while let event = try? events() {
      switch event {
      case .action(let action):
        guard action.seq <= last else { return }
        // In a damaged log, a number may be repeated or out of order. The first occurrence counts.
        guard action.seq > before else { continue }
        before = action.seq
        body(action)
      case .withheld: continue
      default:
        guard let excluded = event.beginning, let origin = excluded.origin else {
          continue
        }
        guard excluded.seq <= last else { return }
        guard excluded.seq > before else { continue }
        before = excluded.seq
        // The log lacks the action, but has its cause, so the chain continues through it.
        body(
          LogEvent.Action(
            seq: excluded.seq,
            at: excluded.at,
            origin: origin,
            action: ["$opaque": "Action", "reason": "the recording left it out"]
          )
        )
      }
    }
  }
}
