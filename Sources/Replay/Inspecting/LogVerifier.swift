import ActionLog

/// Checks that the events of a log go together: their order, their numbers, their patches and the effects they name.
///
/// Works event by event and holds one state, whatever the log's size.
struct LogVerifier {
  /// Something that is wrong at a line.
  struct Problem: Equatable, Sendable {
    let line: Int
    let text: String
  }

  private(set) var problems: [Problem] = []
  private(set) var actions = 0
  private(set) var lines = 0
  /// Events of kinds that this version does not know.
  private(set) var unknown = 0
  /// Whether the log was closed.
  private(set) var isClosed = false

  private var hasHeader = false
  private var seq: Int?
  private var openAction: Int?
  /// The state, as long as it can be followed.
  private var state: JSON?
  /// The effects that were returned and have not ended.
  private var alive: Set<EffectID> = []
  private var ended: Set<EffectID> = []
  private var firstSeq = 0
}

extension LogVerifier {
  /// Checks the next event.
  mutating func add(_ entry: LogReader.Entry) {
    lines += 1
    let line = entry.line
    if isClosed { report(line, Wording.Flaw.behindEnd(entry.event.kind)) }
    switch entry.event {
    case .header:
      if hasHeader { report(line, .secondHeader) }
      hasHeader = true
    case .checkpoint(let checkpoint): check(checkpoint, line)
    case .action(let action): check(action, line)
    case .read(let read):
      if read.seq != openAction { report(line, .notOpen("read", read.seq, open: openAction)) }
    case .change(let change): check(change, line)
    case .effect(let effect): check(effect, line)
    case .end(let end):
      if let openAction { report(line, .noChange(openAction)) }
      if end.seq != seq ?? 0 { report(line, .wrongEnd(end.seq, last: seq ?? 0)) }
      isClosed = true
    case .external(let external):
      if let openAction { report(line, .noChange(openAction)) }
      apply(external.patch, line)
    case .excluded(let excluded): check(excluded, line)
    case .gap(let gap):
      // What was lost is not known, up to the checkpoint behind the gap.
      openAction = nil
      seq = gap.seq
      firstSeq = max(firstSeq, gap.seq)
      state = nil
    case .note, .finding: break
    case .unknown: unknown += 1
    }
  }

  /// Takes note of a line that is no event.
  mutating func add(_ problem: Problem) {
    lines += 1
    problems.append(problem)
    // What it would have changed is not known.
    state = nil
  }

  private mutating func report(_ line: Int, _ flaw: Wording.Flaw) {
    problems.append(Problem(line: line, text: Wording.describe(flaw)))
  }

  private mutating func check(_ checkpoint: LogEvent.Checkpoint, _ line: Int) {
    if let openAction { report(line, .noChange(openAction)) }
    openAction = nil
    if let seq {
      if checkpoint.seq != seq { report(line, .wrongCheckpoint(checkpoint.seq, last: seq)) }
    } else {
      firstSeq = checkpoint.seq
    }
    if let state, let first = JSON.differences(from: state, to: checkpoint.state).first {
      report(line, .contradiction(first))
    }
    seq = checkpoint.seq
    state = checkpoint.state
    for effect in checkpoint.effects.flatMap(\.flattened) {
      if let id = effect.id { alive.insert(id) }
    }
  }

  private mutating func check(_ action: LogEvent.Action, _ line: Int) {
    actions += 1
    if let openAction { report(line, .noChange(openAction)) }
    checkNumber(action.seq, line)
    openAction = action.seq
    check(action.origin, of: action.seq, line)
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
    case .effect(let id, _):
      if !isKnown(id) { report(line, .unknownEffect(id)) }
    case .reentrant(let cause):
      if cause >= seq { report(line, .laterCause(cause)) }
    case .view, .parent: break
    }
  }

  private mutating func check(_ change: LogEvent.Change, _ line: Int) {
    guard change.seq == openAction else {
      report(line, .notOpen("change", change.seq, open: openAction))
      return
    }
    openAction = nil
    check(change.effects, of: change.seq, line)
    apply(change.patch, line)
  }

  private mutating func check(_ excluded: LogEvent.Excluded, _ line: Int) {
    actions += 1
    if let openAction { report(line, .noChange(openAction)) }
    openAction = nil
    checkNumber(excluded.seq, line)
    check(excluded.origin, of: excluded.seq, line)
    check(excluded.effects, of: excluded.seq, line)
    apply(excluded.patch, line)
  }

  private mutating func check(_ effects: [EffectDescription], of seq: Int, _ line: Int) {
    for effect in effects.flatMap(\.flattened) {
      guard let id = effect.id else { continue }
      if id.seq != seq { report(line, .foreignEffect(id)) }
      if !alive.insert(id).inserted || ended.contains(id) { report(line, .effectTwice(id)) }
    }
  }

  private mutating func apply(_ patch: JSON.Patch, _ line: Int) {
    guard var state else { return }
    self.state = nil
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &state) } catch {
      report(line, .patch(error))
      return
    }
    self.state = state
  }

  private mutating func check(_ effect: LogEvent.Effect, _ line: Int) {
    let id = effect.id
    guard isKnown(id) else { return report(line, .unknownEffect(id)) }
    switch effect.event {
    case .finished, .failed:
      if ended.contains(id) { report(line, .endedTwice(id)) }
      alive.remove(id)
      ended.insert(id)
    case .started, .cancelled:
      if ended.contains(id) { report(line, .endedTwice(id)) }
    }
  }

  /// What was started before the log began cannot be known.
  private func isKnown(_ id: EffectID) -> Bool {
    alive.contains(id) || ended.contains(id) || id.seq <= firstSeq && firstSeq > 0
  }
}
