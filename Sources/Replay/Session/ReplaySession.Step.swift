import ActionLog

extension ReplaySession {
  /// One action on its way through the engine.
  package struct Step {
    package var action: StepInput.Logged
    package var logged: LoggedValue
    package var origin: LogEvent.Origin
    var recorded = Recorded()
    /// What is odd about the action's coming.
    package var findings: [LogEvent.Finding] = []

    init(
      action: StepInput.Logged,
      logged: LoggedValue,
      origin: LogEvent.Origin,
      recorded: Recorded = Recorded(),
      findings: [LogEvent.Finding] = []
    ) {
      self.action = action
      self.logged = logged
      self.origin = origin
      self.recorded = recorded
      self.findings = findings
    }
  }

  /// What the log has of an action between its line and its change.
  struct Recorded {
    var at = 0
    /// The action's number in the log; `nil` when the log does not have it.
    var seq: Int?
    /// Members of the action that this version does not know, which are kept.
    var rest = JSON.Object()
    var reads: [LogEvent.Read] = []
    var effects: [LogEvent.Effect] = []
    /// What was cancelled from elsewhere while the reducer ran, and told before the action's own effects began.
    var cancelled: [LogEvent.Effect] = []
    /// The sent actions that the log leaves out.
    var unloggedSends: Set<EffectID> = []
    /// What the reducer made of the action, when the log has it.
    var change: LogEvent.Change?
    /// Whether the log stops before the change.
    var isUnfinished = false
    /// Whether the change is missing from the log, which goes on behind a gap.
    var isMissing = false
  }

  /// Gathers what belongs to a recorded action and decides what the replay does when it comes.
  package mutating func take(_ action: LogEvent.Action) throws {
    let recorded = try gather(action)
    course?.take(action, recorded)
    var action = action
    let wasProduced = action.origin.directEffect.map { recordedSends.remove($0) != nil } ?? false
    let origin = action.origin
    action.origin = numbers.replayed(origin)
    if let id = action.origin.directEffect, effects.isSend(id) {
      // The log's next action is the reducer's own: so it is the replay's turn to produce it.
      guard let produced = effects.nextProduced() else { return miss(recorded) }
      let step = step(producedBy: produced, recorded)
      if step.logged != action.logged { noteDrift(of: step.logged.json, beside: action.action) }
      agenda = [.begin(step)]
      return
    }
    // The reducer has gone another way, and sends it no more.
    guard !wasProduced else { return miss(recorded) }
    var step = Step(action, recorded)
    step.findings = effects.findings(onArrivalFrom: action.origin, as: seq &+ 1)
    // What comes from elsewhere may stand between the actions of a wave; the view's comes after it.
    let isBehindWave = action.origin == .view || action.isSettled
    agenda = isBehindWave ? [.drain] : []
    let pruned = pruned(step.findings, action.seq, sentBy: origin, now: action.origin)
    if let pruned {
      leaveOut(action.seq, sentBy: action.origin, pruned)
      // What was cancelled meanwhile from elsewhere was not the action's doing.
      for effect in recorded.cancelled { follow(effect) }
    } else {
      agenda.insert(.begin(step), at: 0)
    }
  }

  /// Leaves an action out.
  mutating func leaveOut(
    _ seq: Int,
    sentBy replayed: LogEvent.Origin,
    _ finding: LogEvent.Finding
  ) {
    output.append(.finding(finding))
    numbers.note(missing: seq)
    if let id = replayed.directEffect { prunedSends[id, default: 0] += 1 }
  }

  /// Why an action cannot have come in the replay, in the numbers of the log; `nil` if it can, or is not to be left out.
  package func pruned(
    _ findings: [LogEvent.Finding],
    _ seq: Int,
    sentBy recorded: LogEvent.Origin,
    now replayed: LogEvent.Origin
  ) -> LogEvent.Finding? {
    guard isPruning else { return nil }
    if case .reentrant(seq: ActionNumbers.missing) = replayed {
      return LogEvent.Finding(
        seq: seq,
        code: .deadEffect,
        subject: "origin",
        message: Wording.sentByMissingAction
      )
    }
    guard case .effect(let recordedID, let sender) = recorded,
      case .effect(let id, _) = replayed
    else { return nil }
    let isDead = findings.contains { $0.code == .deadEffect }
    // What the library sends for an effect may come when that has ended, but not when it never was.
    guard isDead || sender != nil && !effects.hasStarted(id) else { return nil }
    return LogEvent.Finding(
      seq: seq,
      code: .deadEffect,
      subject: recordedID.description,
      message: Wording.deadEffect(recordedID, effects.state(of: id))
    )
  }

  mutating func gather(_ action: LogEvent.Action) throws -> Recorded {
    var recorded = Recorded(at: action.at, seq: action.seq, rest: action.rest)
    while true {
      switch try input.peek() {
      case .read(let read) where read.seq == action.seq: recorded.reads.append(read)
      case .effect(let effect): recorded.effects.append(effect)
      case .finding, .unknown: break
      case .note(let note): output.append(.note(note))
      case .gap:
        recorded.isMissing = true
        return recorded
      case .change(let change):
        for effect in change.effects.flatMap(\.flattened)
        where effect.operation == .send && effect.action == nil {
          if let id = effect.id { recorded.unloggedSends.insert(id) }
        }
        for effect in change.effects { note(effect) }
        recorded.change = change
        _ = try input.next()
        try gatherCancelled(&recorded)
        return recorded
      case nil, .header:
        recorded.isUnfinished = true
        return recorded
      default: return recorded
      }
      _ = try input.next()
    }
  }

  /// Gathers what was cancelled from elsewhere and is told behind an action's change.
  func gatherCancelled(_ recorded: inout Recorded) throws {
    // What is not read as an event can still be replayed without one.
    while !input.isBeforeAction, case .effect(let effect) = try input.peek(),
      effect.isCancelledElsewhere,
      effect.id.seq < recorded.seq ?? 0
    {
      recorded.cancelled.append(effect)
      _ = try input.next()
    }
  }

  /// Takes note of what an effect of the recording sends.
  package mutating func note(_ effect: EffectDescription) {
    for leaf in effect.flattened where leaf.operation == .send {
      if let id = leaf.id { recordedSends.insert(id) }
    }
  }

  private mutating func step(producedBy id: EffectID, _ recorded: Recorded) -> Step {
    let sent = effects.takeSent(by: id)
    return Step(
      action: sent.isFromCheckpoint ? .recorded(.json(sent.action)) : .produced(id),
      logged: .json(sent.action),
      origin: .effect(id),
      recorded: recorded
    )
  }

  mutating func drain() {
    guard let id = effects.nextProduced() else { return }
    agenda += [.drain, .begin(step(producedBy: id, Recorded()))]
  }

  /// Gives the action, so that it can be written before it is reduced.
  package mutating func begin(_ step: Step) {
    // Never beyond what can be counted, whatever the log claims.
    seq &+= 1
    if let recorded = step.recorded.seq { numbers.note(recorded: recorded, replayed: seq) }
    if let id = step.origin.directEffect { alive?.arrive(id) }
    var action = LogEvent.Action(
      seq: seq,
      at: step.recorded.at,
      origin: step.origin,
      logged: step.logged
    )
    action.rest = step.recorded.rest
    output.append(.action(action))
    output += step.findings.map(LogEvent.finding)
    // Without its change nobody knows whether the action was reduced; the checkpoint behind the gap does.
    if step.recorded.isMissing { agenda = [] } else { agenda.append(.perform(step)) }
  }

  /// Reduces the action.
  mutating func perform(_ step: Step) {
    guard var engine else { return }
    for effect in step.recorded.effects {
      follow(effect)
      if let finding = SimulatedEffects.finding(onTurn: effect, within: seq) {
        output.append(.finding(finding))
      }
    }
    let input = StepInput(
      seq: seq,
      logged: step.action,
      reads: step.recorded.reads,
      isUnfinished: step.recorded.isUnfinished
    )
    // The engine has one owner while it works, so that its state is changed where it is.
    self.engine = nil
    let outcome = Result { try engine.step(input) }
    self.engine = engine
    conclude(step, outcome)
  }

  /// Gives what has come of an action, and follows it.
  mutating func conclude(_ step: Step, _ outcome: Result<StepOutcome, any Error>) {
    do {
      let outcome = try outcome.get()
      output += outcome.reads.map { read in
        var read = read
        read.seq = seq
        return .read(read)
      }
      output += outcome.findings.map(LogEvent.finding)
      let described = outcome.effects.map { $0.leavingOut(step.recorded.unloggedSends) }
      noteDrift(ofSends: described, beside: step.recorded.change?.effects ?? [])
      let isApart = departs(outcome.logged, described, from: step.recorded)
      output.append(.change(LogEvent.Change(seq: seq, logged: outcome.logged, effects: described)))
      alive?.start(described, of: seq)
      note(outcome.logged)
      for effect in step.recorded.cancelled { follow(effect) }
      let cancelled = effects.start(started(outcome.effects, of: step.recorded), of: seq)
      output += cancelled.map { .effect($0.event(at: step.recorded.at)) }
      if isApart { resync() }
    } catch {
      stop(error)
      miss(step.recorded)
    }
  }

  /// Leads the state on.
  package mutating func note(_ patch: LoggedPatch) {
    do throws(PatchedState.Failure) { try state?.append(patch, of: seq) } catch { state = nil }
  }

  /// The effects to follow from an action on: those that the replay has described.
  ///
  /// Of a log whose recorder ended the effects of children by other rules, the recorded ones are followed where they differ
  /// in what the library added alone: what it cancelled, and what it did not.
  private func started(
    _ own: [EffectDescription],
    of recorded: Recorded
  ) -> [EffectDescription] {
    // A log that is made anew follows the rules of this version.
    guard !isPruning, header?.endsChildrenByEarlierRules == true, let change = recorded.change,
      recorded.seq == seq,
      own.compactMap(\.comparable) == change.effects.compactMap(\.comparable)
    else { return own }
    return change.effects
  }

  /// Carries a recorded turn in the life of an effect over into the replay.
  package mutating func follow(_ effect: LogEvent.Effect) {
    course?.take(effect)
    // What an action cancels is the replay's own result.
    if case .cancelled(by: .action, _) = effect.event { return }
    var effect = numbers.replayed(effect)
    if isPruning {
      guard effects.canFollow(effect) else { return }
      if case .finished(let count) = effect.event, let pruned = prunedSends[effect.id] {
        effect.event = .finished(sent: count - pruned)
      }
    }
    output.append(.effect(effect))
    alive?.follow(effect)
    let (cancelled, finding) = effects.follow(effect, at: seq)
    output += cancelled.map { .effect($0.event(at: effect.at)) }
    if let finding { output.append(.finding(finding)) }
  }
}

extension ReplaySession.Step {
  /// An action as it was recorded.
  init(_ action: LogEvent.Action, _ recorded: ReplaySession.Recorded) {
    self.init(
      action: .recorded(action.logged),
      logged: action.logged,
      origin: action.origin,
      recorded: recorded
    )
  }
}

extension EffectDescription {
  /// The description without the actions of some sends, which the log leaves out.
  fileprivate func leavingOut(_ sends: Set<EffectID>) -> EffectDescription {
    guard !sends.isEmpty else { return self }
    var result = self
    if operation == .send, let id, sends.contains(id) { result.action = nil }
    result.effects = effects.map { $0.leavingOut(sends) }
    return result
  }
}

extension LogEvent.Origin {
  /// The effect that sent the action itself, with nothing in between.
  package var directEffect: EffectID? {
    if case .effect(let id, nil) = self { id } else { nil }
  }
}

extension LogEvent.Effect {
  /// Whether the effect was cancelled by something else than an action's effects.
  fileprivate var isCancelledElsewhere: Bool {
    switch event {
    case .cancelled(by: .action, _): false
    case .cancelled: true
    default: false
    }
  }
}

extension LogEvent.Action {
  /// Whether nothing that the reducer had sent was waiting when the action came, which then is no part of a wave.
  ///
  /// A log does not say so; a log that is made of the parts of another one does.
  package var isSettled: Bool {
    get { rest["settled"]?.bool ?? false }
    set { rest["settled"] = newValue ? true : nil }
  }
}
