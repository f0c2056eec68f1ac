import ActionLog
import ReplayCommands
import ReplayEngine

/// Checks a log for consistency: the order of its events, their numbers, their patches, and the effects that they name.
///
/// The check processes one event at a time. Memory holds one state, and a few bits for each effect.
struct LogVerifier: LogEventAccumulator {
  /// A problem, and the line on which it was found.
  struct LineError: Equatable, Sendable {
    let line: Int
    let text: String
  }

  /// The first problems that were found, at most `mostListed`.
  ///
  /// The number is limited, because every line can have a problem.
  private(set) var problems: [LineError] = []
  /// The number of all problems, including those that are not in `problems`.
  private(set) var problemCount = 0
  private(set) var actions = 0
  private(set) var lines = 0
  /// The number of events whose kinds this version does not know.
  private(set) var unknown = 0
  /// Whether the log has an `end` event.
  private(set) var isClosed = false

  /// The maximum number of problems to store.
  private let mostListed: Int
  private var hasHeader = false
  private var seq: Int?
  private var openAction: Int?
  /// The cursor that follows the state, which is unknown after a patch that does not fit.
  private var cursor = LogCursor()
  /// The effects that a checkpoint should contain, or `nil` if they are unknown.
  private var live: UnfinishedEffects?
  /// The id for the next stack element, as stated by the last checkpoint.
  private var nextStackElement: Int?
  /// The ids of the effects that actions have returned, or that checkpoints contain.
  private var started = EffectIDBitSet()
  private var ended = EffectIDBitSet()
  /// A check of the actions that effects sent, and of cancellations.
  private var turns = EffectEventChecker()
  private var firstSeq = 0
  /// The effects that must be checked against earlier ranges, or `nil` if this is the first range.
  private var open: EarlierRangeRequirements?

  init(mostListed: Int = 1000) { self.mostListed = mostListed }

  /// A verifier for a later range of a log, which starts with a checkpoint.
  static var ofLaterStretch: LogVerifier {
    var verifier = LogVerifier()
    verifier.hasHeader = true
    verifier.open = EarlierRangeRequirements()
    verifier.turns = .ofLaterStretch
    return verifier
  }

  /// The effects whose validity depends on earlier ranges.
  private struct EarlierRangeRequirements {
    /// Effects that must have started in earlier ranges.
    var needed: Set<EffectID> = []
    /// Effects that were returned in this range, and must not occur in earlier ranges.
    var returned = EffectIDBitSet()
    /// Effects with events in this range, which must not have ended in earlier ranges.
    var turned = EffectIDBitSet()
    /// The first id for the next stack element, which must not be lower than those in earlier ranges.
    var nextStackElement: Int?
    /// Whether a gap occurred, after which ids for stack elements are not compared with those before it.
    var hasGap = false
  }
}

extension LogVerifier {
  /// Checks the state at the end of the range against the checkpoint that ends it.
  ///
  /// The same checkpoint is the first event of the next range.
  mutating func finishStretch(at entry: LogReader.Entry) {
    add(entry)
    lines -= 1
  }

  mutating func finish() {}

  /// Adds the results from the next range.
  ///
  /// - Returns: `false` if a range has a problem, if the log was closed before the next range, or if effects of the
  ///   next range contradict those of earlier ranges.
  mutating func add(_ next: LogVerifier) -> Bool {
    guard problemCount == 0, next.problemCount == 0, !isClosed, let open = next.open,
      open.nextStackElement ?? .max >= nextStackElement ?? .min,
      open.needed.allSatisfy(isKnown), open.returned.isDisjoint(with: started),
      open.returned.isDisjoint(with: ended), open.turned.isDisjoint(with: ended),
      turns.add(next.turns)
    else { return false }
    actions += next.actions
    lines += next.lines
    unknown += next.unknown
    isClosed = next.isClosed
    started.formUnion(next.started)
    ended.formUnion(next.ended)
    firstSeq = max(firstSeq, next.firstSeq)
    nextStackElement = next.nextStackElement ?? (open.hasGap ? nil : nextStackElement)
    return true
  }
}

extension LogVerifier {
  /// Checks an event.
  mutating func add(_ entry: LogReader.Entry, at position: Int = 0) {
    lines += 1
    let line = entry.line
    if isClosed { report(line, Wording.LogInconsistency.afterEnd(entry.event.kind)) }
    // An error is ignored here, because it is reported when the patch is applied.
    try? cursor.move(to: entry.event)
    switch entry.event {
    case .header:
      if hasHeader { report(line, .secondHeader) }
      hasHeader = true
    case .checkpoint(let checkpoint): check(checkpoint, line)
    case .action(let action): check(action.seq, action.origin, line)
    case .read(let read): check(readOf: read.seq, line)
    case .change(let change):
      guard close(change.seq, change.effects, line) else { return cursor.skip() }
      apply(line)
    case .effect(let effect): check(effect, line)
    // A call can end after its effect, if a task continues.
    case .call(let call): need(call.id, line)
    case .end(let end):
      if let openAction { report(line, .noChange(openAction)) }
      if end.seq != seq ?? 0 { report(line, .wrongEnd(end.seq, last: seq ?? 0)) }
      isClosed = true
    case .external:
      if let openAction { report(line, .noChange(openAction)) }
      apply(line)
    case .excluded(let excluded): check(excluded, line)
    case .gap(let gap):
      // The events in the gap are lost, so effects are unknown up to the next checkpoint.
      openAction = nil
      live = nil
      turns.skip()
      nextStackElement = nil
      open?.hasGap = true
      seq = gap.seq
      firstSeq = max(firstSeq, gap.seq)
    case .withheld(let action):
      if let openAction { report(line, .noChange(openAction)) }
      if let seq, action.seq != seq + 1 {
        report(line, .wrongNumber(action.seq, expected: seq + 1))
      }
    case .note, .finding: break
    case .unknown: unknown += 1
    }
  }

  /// Adds a problem for a line that can't be parsed.
  ///
  /// - Parameters:
  ///   - problem: The problem and its line number.
  ///   - isNote: Whether the line is a note, or all events on the line were read. The state is then still known.
  mutating func add(_ problem: LineError, isNote: Bool) {
    lines += 1
    appendProblem(problem)
    // The line may have changed the state and the effects.
    if !isNote {
      cursor.forgetState()
      live = nil
      turns.skip()
    }
  }

  private mutating func report(_ line: Int, _ flaw: Wording.LogInconsistency) {
    appendProblem(LineError(line: line, text: Wording.describe(flaw)))
  }

  private mutating func appendProblem(_ problem: LineError) {
    problemCount += 1
    if problems.count < mostListed { problems.append(problem) }
  }
}

extension LogVerifier {
  private mutating func check(_ checkpoint: LogEvent.Checkpoint, _ line: Int) {
    // The states are compared by value only if their text differs.
    if let state = cursor.state, !checkpoint.logged.isText(of: state),
      let first = JSON.differences(from: state, to: checkpoint.state, isInPlace: true).first
    {
      report(line, .contradiction(first))
    }
    apply(line)
    if let openAction { report(line, .noChange(openAction)) }
    openAction = nil
    if let seq {
      if checkpoint.seq != seq { report(line, .wrongCheckpoint(checkpoint.seq, last: seq)) }
    } else if open == nil {
      firstSeq = checkpoint.seq
    }
    seq = checkpoint.seq
    checkEffects(at: checkpoint, line)
    for effect in checkpoint.effects.lazy.flatMap(\.flattened) {
      if let id = effect.id { _ = started.insert(id) }
    }
  }

  /// Checks the effects and the next stack element id in a checkpoint against the events before it.
  private mutating func checkEffects(at checkpoint: LogEvent.Checkpoint, _ line: Int) {
    if let live {
      let contradictions = CheckpointEffectContradiction.between(
        checkpoint.effects.checkpointed,
        live.described.checkpointed
      )
      for contradiction in contradictions { report(line, .effectAtCheckpoint(contradiction)) }
      // The effects are taken from this checkpoint, so that the contradiction is reported only once.
      if !contradictions.isEmpty { self.live = nil }
    }
    if live == nil { live = UnfinishedEffects(checkpoint) } else { _ = live?.checkpoint() }
    guard let next = checkpoint.nextStackElement else { return }
    if let last = nextStackElement, next < last {
      report(line, .lowerStackElement(next, last: last))
    }
    if nextStackElement == nil, open?.hasGap == false { open?.nextStackElement = next }
    nextStackElement = next
  }

  private mutating func check(_ number: Int, _ origin: LogEvent.Origin, _ line: Int) {
    actions += 1
    if let openAction { report(line, .noChange(openAction)) }
    checkNumber(number, line)
    openAction = number
    check(origin, of: number, line)
    if let id = origin.directEffect { live?.arrive(id) }
  }

  private mutating func checkNumber(_ number: Int, _ line: Int) {
    if let seq {
      if number != seq + 1 { report(line, .wrongNumber(number, expected: seq + 1)) }
    } else {
      report(line, .noCheckpoint)
    }
    seq = number
  }

  private mutating func check(_ origin: LogEvent.Origin, of seq: Int, _ line: Int) {
    switch origin {
    case .effect(let id, let via):
      // The library may send an action on behalf of a canceled effect, so such an action is not checked.
      guard need(id, line), via == nil else { break }
      check(turns.send(from: id), of: id, line)
    case .reentrant(let cause):
      if cause >= seq { report(line, .laterCause(cause)) }
    case .view, .parent: break
    }
  }

  private mutating func check(readOf seq: Int, _ line: Int) {
    if seq != openAction { report(line, .notOpen("read", seq, open: openAction)) }
  }

  /// Ends the open action at its change.
  ///
  /// - Returns: `false` if the change does not belong to an open action. This is reported as a problem.
  private mutating func close(
    _ number: Int,
    _ effects: [EffectDescription],
    _ line: Int
  ) -> Bool {
    guard number == openAction else {
      report(line, .notOpen("change", number, open: openAction))
      return false
    }
    openAction = nil
    check(effects, of: number, line)
    live?.start(effects, of: number)
    return true
  }

  private mutating func check(_ excluded: LogEvent.Excluded, _ line: Int) {
    actions += 1
    if let openAction { report(line, .noChange(openAction)) }
    openAction = nil
    checkNumber(excluded.seq, line)
    check(excluded.origin, of: excluded.seq, line)
    check(excluded.effects, of: excluded.seq, line)
    if let id = excluded.origin.directEffect { live?.arrive(id) }
    live?.start(excluded.effects, of: excluded.seq)
    apply(line)
  }

  private mutating func check(_ effects: [EffectDescription], of seq: Int, _ line: Int) {
    for effect in effects.lazy.flatMap(\.flattened) {
      guard let id = effect.id else { continue }
      if id.seq != seq { report(line, .foreignEffect(id)) }
      if !started.insert(id) || ended.contains(id) { report(line, .effectTwice(id)) }
      _ = open?.returned.insert(id)
    }
    turns.start(effects)
  }

  private mutating func check(
    _ flaw: EffectEventChecker.EffectContradiction?,
    of id: EffectID,
    _ line: Int
  ) {
    if let flaw { report(line, .turn(flaw, of: id)) }
  }

  private mutating func apply(_ line: Int) {
    do throws(LogCursor.BrokenPatch) { try cursor.apply() } catch {
      report(line, .patch(error.error))
    }
  }

  private mutating func check(_ effect: LogEvent.Effect, _ line: Int) {
    let id = effect.id
    guard need(id, line) else { return }
    live?.apply(effect)
    check(turns.apply(effect), of: id, line)
    _ = open?.turned.insert(id)
    if ended.contains(id) { report(line, .endedTwice(id)) }
    check(cancellerOf: effect, line)
    switch effect.event {
    case .finished, .failed: _ = ended.insert(id)
    case .started, .cancelled: break
    }
  }

  /// Checks that the action or effect that canceled an effect exists.
  private mutating func check(cancellerOf effect: LogEvent.Effect, _ line: Int) {
    guard case .cancelled(let canceller, _) = effect.event else { return }
    switch canceller {
    case .action(let number):
      if let seq, !(1...max(seq, 1)).contains(number) {
        report(line, .cancelledByNoAction(effect.id, number, last: seq))
      }
    case .effect(let id): need(id, line)
    case .task, .store: break
    }
  }

  /// Returns whether an effect has started, and reports a problem if not.
  ///
  /// In a later range, an unknown effect is checked when the ranges are combined.
  @discardableResult
  private mutating func need(_ id: EffectID, _ line: Int) -> Bool {
    if isKnown(id) { return true }
    guard open == nil else {
      open?.needed.insert(id)
      return true
    }
    report(line, .unknownEffect(id))
    return false
  }

  /// Returns whether an effect has started.
  ///
  /// Effects whose actions come before the log, or before a gap, count as started.
  private func isKnown(_ id: EffectID) -> Bool {
    started.contains(id) || ended.contains(id) || id.seq <= firstSeq && firstSeq > 0
  }
}
