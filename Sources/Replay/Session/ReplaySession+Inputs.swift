import ActionLog

extension ReplaySession {
  /// Takes over a change of the state that no replayed action makes.
  package mutating func apply(_ patch: JSON.Patch, shared: JSON?) {
    guard let header, var engine, var patched = self.state else { return }
    self.state = nil
    guard var state = try? patched.take() else { return }
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &state) } catch {
      output.append(
        .finding(
          LogEvent.Finding(
            seq: seq,
            code: .brokenLog,
            subject: error.operation.path.description,
            message: "\(error)"
          )
        )
      )
      return
    }
    self.state = PatchedState(state)
    guard !patch.isEmpty else { return }
    // The engine has one owner while it works, so that its state is changed where it is.
    self.engine = nil
    do {
      _ = try engine.load(
        LogEvent.Checkpoint(seq: seq, state: state, shared: shared),
        header: header
      )
      self.engine = engine
    } catch {
      self.engine = engine
      stop(error)
    }
  }

  /// Takes over what came of an action that the log leaves out.
  package mutating func apply(_ excluded: LogEvent.Excluded) {
    var own = excluded
    if let id = excluded.origin.directEffect { recordedSends.remove(id) }
    own.origin = numbers.replayed(excluded.origin)
    if let id = own.origin.directEffect, effects.isSend(id) {
      // It was the next one that the reducer has sent itself.
      if let produced = effects.nextProduced() { _ = effects.takeSent(by: produced) }
    } else {
      // It counts among what its effect has sent, and a dead effect sends it as little as any other.
      let arrival = LogEvent.Action(
        seq: excluded.seq,
        at: excluded.at,
        origin: own.origin,
        action: .null
      )
      let findings = effects.findings(onArrivalFrom: arrival.origin, as: seq &+ 1)
      let sender = excluded.origin
      if let pruned = pruned(findings, excluded.seq, sentBy: sender, now: own.origin) {
        return leaveOut(excluded.seq, sentBy: own.origin, pruned)
      }
      output += findings.map { .finding($0) }
    }
    if let id = own.origin.directEffect { alive?.arrive(id) }
    seq &+= 1
    own.seq = seq
    numbers.note(recorded: excluded.seq, replayed: seq)
    own.effects = excluded.effects.map { $0.numbered(seq) }
    for effect in excluded.effects { note(effect) }
    output.append(.excluded(own))
    alive?.start(own.effects, of: seq)
    course?.take(excluded)
    _ = apart?.compare(excluded.patch, excluded.patch, of: seq)
    apply(excluded.patch, shared: excluded.shared)
    let cancelled = effects.start(own.effects, of: seq, areDescribed: false)
    output += cancelled.map { .effect($0.event(at: excluded.at)) }
  }
}

extension EffectDescription {
  /// The description as that of an effect of another action.
  fileprivate func numbered(_ seq: Int) -> EffectDescription {
    var result = self
    result.id = id.map { EffectID(seq: seq, index: $0.index) }
    result.effects = effects.map { $0.numbered(seq) }
    return result
  }
}
