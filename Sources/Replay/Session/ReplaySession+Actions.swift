import ActionLog

extension ReplaySession {
  /// An action that the replay is processing.
  final class ReplayedAction {
    let action: StepInput.LoggedAction
    let logged: JSONText
    let origin: LogEvent.Origin
    let recorded: RecordedAction
    /// The paths of the action that refer to shared values of the state.
    fileprivate(set) var shared: JSON?
    /// The recorded event of an action from outside the reducer, or `nil` for an action that the reducer sends itself.
    private(set) var event: LogEvent?
    /// The findings about the origin of the action.
    var findings: [LogEvent.Finding] = []

    init(
      action: StepInput.LoggedAction,
      logged: JSONText,
      origin: LogEvent.Origin,
      recorded: RecordedAction
    ) {
      self.action = action
      self.logged = logged
      self.origin = origin
      self.recorded = recorded
    }

    /// Creates a step that replays a recorded action.
    convenience init(_ action: LogEvent.Action, _ event: LogEvent, _ recorded: RecordedAction) {
      self.init(
        action: .recorded(action.logged),
        logged: action.logged,
        origin: action.origin,
        recorded: recorded
      )
      shared = action.shared
      self.event = event
    }
  }

  /// Reads the events of a recorded action, and decides how to replay it.
  mutating func process(_ action: LogEvent.Action, _ event: LogEvent) throws {
    let recorded = try recordedAction(action)
    recordedPosition?.advance(action, recorded)
    var action = action
    let wasProduced = action.origin.directEffect.map { recordedSends.remove($0) != nil } ?? false
    let origin = action.origin
    action.origin = numbers.replayed(origin)
    if let id = action.origin.directEffect, effects.isSend(id) {
      if isPruning { return acceptProduced(id, action, recorded, sentBy: origin) }
      // The next action in the log is one that the reducer sends itself, so the replay must produce it now.
      guard let produced = effects.nextProduced() else { return skip(recorded) }
      let step = producedAction(producedBy: produced, recorded)
      step.shared = action.shared
      if step.logged != action.logged { reportDrift(of: step.logged.json, beside: action.action) }
      pending = [.begin(step)]
      return
    }
    // The reducer took another branch and no longer sends the action.
    guard !wasProduced else { return leaveOutUnsent(action.seq, recorded, origin) }
    let step = ReplayedAction(action, event, recorded)
    // An action from an effect or a parent may occur between the actions that the reducer has sent. An action of the
    // view comes after all of them.
    let isAfterSends = action.origin == .view || action.isSettled
    if isAfterSends, isPruning, effects.hasProduced {
      // The waiting actions may cancel the effect that sends this action, so they are reduced first.
      pending = [.arrive(step, sentBy: origin), .drain]
      return
    }
    arrive(step, sentBy: origin)
    if isAfterSends, effects.hasProduced { pending.append(.drain) }
  }

  /// Accepts an action from outside the reducer, or omits the action if the replay shows that it can't have occurred.
  mutating func arrive(_ step: ReplayedAction, sentBy recorded: LogEvent.Origin) {
    step.findings += effects.arrive(from: step.origin, as: seq &+ 1)
    let number = step.recorded.seq ?? 0
    guard let pruned = pruned(step.findings, number, sentBy: recorded, now: step.origin) else {
      pending.append(.begin(step))
      return
    }
    leaveOut(number, sentBy: recorded, pruned)
    // These cancellations don't depend on the action, so they are applied even though the action is omitted.
    for effect in step.recorded.cancelled { apply(effect) }
  }

  /// Reads an action's events from the recording, and outputs the notes and calls among them.
  mutating func recordedAction(_ action: LogEvent.Action) throws -> RecordedAction {
    var notes: [LogEvent] = []
    let recorded = try RecordedAction(action, from: input, notes: &notes)
    for note in notes {
      if case .call(let call) = note { pass(call) } else { output.append(note) }
    }
    if let change = recorded.change { recordSends(of: change.effects) }
    return recorded
  }

  /// Records which of the recorded effects are `send` effects.
  mutating func recordSends(of effects: [EffectDescription]) {
    guard !effects.isEmpty else { return }
    for leaf in effects.flatMap(\.flattened) where leaf.operation == .send {
      if let id = leaf.id { recordedSends.insert(id) }
    }
  }

  private mutating func producedAction(
    producedBy id: EffectID,
    _ recorded: RecordedAction
  ) -> ReplayedAction {
    let sent = effects.removeSend(by: id)
    return ReplayedAction(
      action: sent.isFromCheckpoint ? .recorded(sent.action) : .produced(id),
      logged: sent.action,
      origin: .effect(id),
      recorded: recorded
    )
  }

  /// Starts the next waiting action that the reducer has sent itself, and schedules another `drain()` after it.
  mutating func drain() {
    guard let id = effects.nextProduced() else { return }
    pending += [.drain, .begin(producedAction(producedBy: id, RecordedAction()))]
  }

  /// Outputs an action's event, so that the caller can write the event before the action is reduced.
  mutating func announce(_ step: ReplayedAction) {
    // Wraps at the largest number, because a damaged log may contain it.
    seq &+= 1
    if let recorded = step.recorded.seq { numbers.register(recorded: recorded, replayed: seq) }
    if let id = step.origin.directEffect { liveEffects?.arrive(id) }
    if isAsRecorded(step), let event = step.event {
      // The number and the origin are unchanged, so the recorded event is reused.
      output.append(event)
    } else {
      var action = LogEvent.Action(
        seq: seq,
        at: step.recorded.at,
        origin: step.origin,
        logged: step.logged,
        shared: step.shared
      )
      action.rest = step.recorded.rest
      output.append(.action(action))
    }
    if !step.findings.isEmpty { give([], step.findings) }
    nameUnknownErrors(of: step)
    // Without the change, it is unknown whether the action was reduced. The checkpoint after the gap contains the
    // result, so the replay does not reduce the action.
    if step.recorded.isMissing { pending = [] } else { pending.append(.perform(step)) }
  }

  /// Reports the errors in an action and its reads whose types this build does not have.
  ///
  /// Such errors are decoded as `LoggedError`.
  private mutating func nameUnknownErrors(of step: ReplayedAction) {
    guard case .recorded(let action) = step.action else { return }
    nameUnknownErrors(in: action, .action)
    for read in step.recorded.reads { nameUnknownErrors(in: read.logged, .read, of: read.key) }
  }

  /// Reduces an action, and outputs the outcome.
  mutating func perform(_ step: ReplayedAction) {
    for effect in step.recorded.effects {
      apply(effect)
      if let finding = SimulatedEffects.finding(on: effect, within: seq) {
        output.append(.finding(finding))
      }
    }
    var input = StepInput(
      seq: seq,
      logged: step.action,
      reads: step.recorded.reads,
      isUnfinished: step.recorded.isUnfinished,
      recordedPatch: step.recorded.change?.logged
    )
    input.shared = step.shared
    input.keepsStandIns = keepsStandIns
    input.recordedEffects = step.recorded.change?.effects ?? []
    if let pause, let recorded = step.recorded.seq, recorded >= pause.seq {
      (input.pause, input.pausedSeq) = (pause, recorded)
      if engine?.announcesReducer == false { input.willReduce() }
    }
    progress?.enter(.step, recorded: step.recorded.seq ?? 0, replayed: seq)
    do {
      guard let outcome = try engine?.step(input) else { return }
      progress?.enterCompare()
      conclude(step, outcome)
    } catch {
      progress?.enterCompare()
      stop(error)
      skip(step.recorded)
    }
  }

  /// Outputs the outcome of an action, and updates the state of the session.
  private mutating func conclude(_ step: ReplayedAction, _ outcome: StepOutcome) {
    if !outcome.reads.isEmpty || !outcome.findings.isEmpty { give(outcome.reads, outcome.findings) }
    let recorded = step.recorded.change?.effects ?? []
    let returned = effects.named(outcome.effects, like: step.recorded.change?.effects)
    let described = returned.map { $0.leavingOut(step.recorded.unloggedSends) }
    if isFork, let change = step.recorded.change, let number = step.recorded.seq, number > 0 {
      numbers.register(effects: change.effects, as: described)
    }
    if let change = step.recorded.change { reportDrift(ofSends: described, beside: change.effects) }
    let needsResync = needsResync(after: outcome.logged, described, step.recorded)
    // The recorded spelling of cancellation IDs is used only while the replay's numbers and IDs match the log.
    // Otherwise, other effects may be alive, and IDs that were equal may be distinct.
    let written =
      isAsRecorded(step) && idsAreTheLogs
      ? EffectDescription.spelled(described, like: recorded) : described
    var change = LogEvent.Change(
      seq: seq,
      logged: outcome.logged,
      effects: written,
      us: step.recorded.change?.us
    )
    if let recorded = step.recorded.change { change.rest = recorded.rest }
    output.append(.change(change))
    state?.append(outcome.logged, of: seq)
    liveEffects?.start(described, of: seq)
    for effect in step.recorded.cancelled { apply(effect) }
    for cancelled in effects.start(started(returned, of: step.recorded), of: seq) {
      var event = cancelled.event(at: step.recorded.at)
      // Keeps the recorded time and unknown members of the event.
      if let recorded = step.recorded.ownCancelled.first(where: {
        numbers.replayed($0.id) == event.id
      }) {
        (event.at, event.rest) = (recorded.at, recorded.rest)
      }
      output.append(.effect(event))
    }
    guard needsResync else { return }
    if step.recorded.seq == nil, let id = step.origin.directEffect {
      recordedPosition?.dropSend(of: id)
    }
    resync()
  }

  /// Returns whether the action and all previous ones have the same numbers as in the log.
  private func isAsRecorded(_ step: ReplayedAction) -> Bool {
    step.recorded.seq == seq && numbers.areTheLogs
  }

  private mutating func give(_ reads: [LogEvent.Read], _ findings: [LogEvent.Finding]) {
    for var read in reads {
      read.seq = seq
      output.append(.read(read))
    }
    for finding in findings { output.append(.finding(finding)) }
  }

  /// Returns the effects to track after an action, which are usually those that the replay has described.
  ///
  /// If the log's recorder ended the effects of children by other rules, the recorded effects are tracked instead. They
  /// may differ only in effects that the library has added or canceled.
  private func started(
    _ own: [EffectDescription],
    of recorded: RecordedAction
  ) -> [EffectDescription] {
    // A log with these rules is only followed where the replay matches it. A new log follows the rules of this version.
    guard endsChildrenByEarlierRules, let change = recorded.change, recorded.seq == seq,
      EffectDescription.areSame(change.effects, own)
    else { return own }
    return change.effects
  }

  /// Applies a recorded effect event to the replay.
  mutating func apply(_ effect: LogEvent.Effect) {
    recordedPosition?.advance(effect)
    // The replay itself decides which effects an action cancels.
    if case .cancelled(by: .action, _) = effect.event { return }
    let recorded = effect.id
    var effect = numbers.replayed(effect)
    if isPruning {
      guard effects.canFollow(effect) else { return }
      if case .finished(let count) = effect.event, let pruned = prunedSends[recorded] {
        // In a damaged log, the count may be lower than the number of omitted actions.
        effect.event = .finished(sent: max(0, count - pruned))
      }
    }
    output.append(.effect(effect))
    liveEffects?.apply(effect)
    let (cancelled, finding) = effects.apply(effect, at: seq)
    output += cancelled.map { .effect($0.event(at: effect.at)) }
    if let finding { output.append(.finding(finding)) }
  }

  /// Outputs a recorded call with its effect's ID in the replay, or omits the call if the replay lacks the effect.
  mutating func pass(_ call: LogEvent.Call) {
    guard let call = numbers.replayed(call), !isPruning || effects.hasStarted(call.id) else {
      return
    }
    output.append(.call(call))
  }

  /// Reports members that only the recorded or only the replayed actions of `send` effects have.
  private mutating func reportDrift(
    ofSends effects: [EffectDescription],
    beside recorded: [EffectDescription]
  ) {
    guard !recorded.isEmpty, !effects.isEmpty else { return }
    for (own, recorded) in zip(effects.sentActions, recorded.sentActions) {
      reportDrift(of: own, beside: recorded)
    }
  }

  private mutating func reportDrift(of own: JSON, beside recorded: JSON) {
    guard let engine else { return }
    output += drift.driftFindings(ofAction: own, beside: recorded, engine, at: seq)
  }
}

// MARK: - Pruning

extension ReplaySession {
  /// Accepts a recorded action that the reducer sends itself.
  ///
  /// Actions that the reducer has sent earlier, and that the log lacks, are reduced first.
  private mutating func acceptProduced(
    _ id: EffectID,
    _ action: LogEvent.Action,
    _ recorded: RecordedAction,
    sentBy origin: LogEvent.Origin
  ) {
    let produced = effects.nextProduced(through: id)
    guard let last = produced.last else {
      return leaveOutUnsent(action.seq, recorded, origin)
    }
    let step = producedAction(producedBy: last, recorded)
    step.shared = action.shared
    if step.logged != action.logged { reportDrift(of: step.logged.json, beside: action.action) }
    pending = [.begin(step)]
    for id in produced.dropLast().reversed() {
      pending.append(.begin(self.producedAction(producedBy: id, RecordedAction())))
    }
  }

  /// Omits a recorded action that the reducer no longer sends.
  private mutating func leaveOutUnsent(
    _ seq: Int,
    _ recorded: RecordedAction,
    _ origin: LogEvent.Origin
  ) {
    if isPruning, let id = origin.directEffect {
      output.append(.finding(.pruned(seq, id, .notSent)))
    }
    skip(recorded)
  }

  /// Omits a recorded action, and outputs a finding with the reason.
  private mutating func leaveOut(
    _ seq: Int,
    sentBy sender: LogEvent.Origin,
    _ finding: LogEvent.Finding
  ) {
    output.append(.finding(finding))
    numbers.register(missing: seq)
    if let id = sender.directEffect { prunedSends[id, default: 0] += 1 }
  }

  /// Returns a finding with the reason why a recorded action can't occur in the replay.
  ///
  /// The finding contains numbers of the log. Returns `nil` if the action can occur, or if the replay does not omit
  /// actions.
  private func pruned(
    _ findings: [LogEvent.Finding],
    _ seq: Int,
    sentBy recorded: LogEvent.Origin,
    now replayed: LogEvent.Origin
  ) -> LogEvent.Finding? {
    guard isPruning else { return nil }
    if case .reentrant(seq: ActionNumberMapping.missing) = replayed {
      return LogEvent.Finding(
        seq: seq,
        code: .deadEffect,
        subject: "origin",
        actual: .string(Wording.DeadEffectReason.noAction.rawValue),
        message: Wording.sentByMissingAction
      )
    }
    guard case .effect(let recordedID, let sender) = recorded,
      case .effect(let id, _) = replayed
    else { return nil }
    let isDead = findings.contains { $0.code == .deadEffect }
    // The library may send an action for an effect that has ended, but not for an effect that never started.
    guard isDead || sender != nil && !effects.hasStarted(id) else { return nil }
    guard id.seq == .max else { return .pruned(seq, recordedID, effects.state(of: id)) }
    let isReplayed = numbers.replayed(recordedID.seq) != nil
    return .pruned(seq, recordedID, isReplayed ? .notReturned : .noAction)
  }
}

extension LogEvent.Finding {
  /// Creates a finding that reports an omitted action whose effect can't have sent it.
  ///
  /// The finding's `actual` member contains the reason.
  fileprivate static func pruned(
    _ seq: Int,
    _ id: EffectID,
    _ reason: Wording.DeadEffectReason
  ) -> Self {
    LogEvent.Finding(
      seq: seq,
      code: .deadEffect,
      subject: id.description,
      actual: .string(reason.rawValue),
      message: Wording.deadEffect(id, reason)
    )
  }
}

// MARK: - Changes without a replayed action

extension ReplaySession {
  /// Applies a change to the state that does not result from a replayed action.
  private mutating func apply(_ patch: PatchText, shared: JSON?) {
    guard let header, var engine, !patch.isEmpty, var state = self.state?.state() else { return }
    var copies = self.state?.copies ?? JSON.Patch.CopyBudget()
    // `state` must be the only reference to the value, so that the patch changes it in place.
    self.state = nil
    defer { self.state = PatchedState(JSONText(state), copies) }
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &state, &copies) } catch {
      // The operations before the failed one have been applied, so the engine's state is used again.
      state = engine.loggedState.json
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
    // `engine` must be the only reference during the call, so that its state is changed in place.
    self.engine = nil
    defer { self.engine = engine }
    do {
      let loaded = try engine.load(
        LogEvent.Checkpoint(seq: seq, state: state, shared: shared),
        header: header
      )
      for drift in loaded.drift {
        if let finding = self.drift.driftFinding(drift, at: seq) { output.append(finding) }
      }
      if let own = loaded.state { state = own }
    } catch { stop(error) }
  }

  /// Applies a change that something other than the reducer made to the state.
  mutating func apply(_ external: LogEvent.External) {
    var external = external
    if isFork {
      guard fits(external.logged, of: external.seq) else { return }
      // A change without `shared` was inserted by an edit, not by a recorder. It names only one path of a shared
      // value, so it is extended to all of the value's paths.
      if external.shared == nil, let places = engine?.sharedPlaces {
        external.shared = places
        external.patch = SharedPatchExpansion(places).completed(external.patch)
      }
    }
    if isPruning { external.seq = seq }
    output.append(.external(external))
    _ = divergedStates?.compare(external.patch, external.patch, of: external.seq)
    apply(external.logged, shared: external.shared)
  }

  /// Returns whether a patch that does not result from a replayed action can be applied to the current state.
  ///
  /// If the patch can't be applied, a finding reports it.
  private mutating func fits(_ patch: PatchText, of recorded: Int) -> Bool {
    guard var state = self.state?.state(), var copies = self.state?.copies else { return true }
    do throws(JSON.Patch.ApplyError) {
      try patch.apply(to: &state, &copies)
      return true
    } catch {
      output.append(
        .finding(
          LogEvent.Finding(
            seq: recorded,
            code: .brokenLog,
            subject: error.operation.path.description,
            message: "\(error)"
          )
        )
      )
      return false
    }
  }

  /// Applies the state change and the effects of an action that the log omits.
  mutating func apply(_ excluded: LogEvent.Excluded) {
    var own = excluded
    if let id = excluded.origin.directEffect { recordedSends.remove(id) }
    if isFork, !fits(excluded.logged, of: excluded.seq) {
      return numbers.register(missing: excluded.seq)
    }
    own.origin = numbers.replayed(excluded.origin)
    if let id = own.origin.directEffect, effects.isSend(id) {
      // The omitted action was the next one that the reducer has sent itself.
      if let produced = effects.nextProduced() { _ = effects.removeSend(by: produced) }
    } else {
      // The omitted action counts as sent by its effect. If the effect can't have sent an action, a finding reports it.
      let findings = effects.arrive(from: own.origin, as: seq &+ 1)
      let sender = excluded.origin
      if let pruned = pruned(findings, excluded.seq, sentBy: sender, now: own.origin) {
        return leaveOut(excluded.seq, sentBy: sender, pruned)
      }
      output += findings.map { .finding($0) }
    }
    if let id = own.origin.directEffect { liveEffects?.arrive(id) }
    seq &+= 1
    own.seq = seq
    numbers.register(recorded: excluded.seq, replayed: seq)
    own.effects = excluded.effects.map { $0.numbered(seq) }
    recordSends(of: excluded.effects)
    output.append(.excluded(own))
    liveEffects?.start(own.effects, of: seq)
    recordedPosition?.advance(excluded)
    _ = divergedStates?.compare(excluded.patch, excluded.patch, of: seq)
    apply(excluded.logged, shared: excluded.shared)
    let cancelled = effects.start(own.effects, of: seq, areDescribed: false)
    output += cancelled.map { .effect($0.event(at: excluded.at)) }
  }
}

extension EffectDescription {
  /// Returns the description without the actions that the log omits for the given `send` effects.
  fileprivate func leavingOut(_ sends: Set<EffectID>) -> EffectDescription {
    guard !sends.isEmpty else { return self }
    var result = self
    if operation == .send, let id, sends.contains(id) { result.action = nil }
    result.effects = effects.map { $0.leavingOut(sends) }
    return result
  }

  /// Returns the description with the IDs that its effects would have if action `seq` had returned them.
  fileprivate func numbered(_ seq: Int) -> EffectDescription {
    var result = self
    result.id = id.map { EffectID(seq: seq, index: $0.index) }
    result.effects = effects.map { $0.numbered(seq) }
    return result
  }
}

extension [EffectDescription] {
  /// The actions of `send` effects, in the order of the effect trees.
  fileprivate var sentActions: [JSON] {
    flatMap(\.flattened).compactMap { $0.operation == .send ? $0.action : nil }
  }
}

extension LogEvent.Origin {
  /// The effect that sent the action directly, or `nil` if the action has another origin.
  package var directEffect: EffectID? {
    if case .effect(let id, nil) = self { id } else { nil }
  }
}

extension LogEvent.Effect {
  /// Whether no sent actions were waiting when this event occurred.
  ///
  /// A log that is assembled from parts of another one contains this mark. Recorders don't write it.
  package var isSettled: Bool {
    get { rest["settled"]?.bool ?? false }
    set { rest["settled"] = newValue ? true : nil }
  }
}

extension LogEvent.Action {
  /// Whether no sent actions were waiting when this action occurred.
  ///
  /// Recorded logs don't contain this mark. A log that is assembled from parts of another log does.
  package var isSettled: Bool {
    get { rest["settled"]?.bool ?? false }
    set { rest["settled"] = newValue ? true : nil }
  }

  /// The number of the action in the log from which this log was assembled, or `nil` for a recorded log.
  ///
  /// The replay preserves this number.
  package var originalSeq: Int? {
    get { rest["of"]?.int }
    set { rest["of"] = newValue.map { .number(JSON.Number($0)) } }
  }

  /// The action without `isSettled` and `originalSeq`, which recorded logs don't contain.
  package var unmarked: LogEvent.Action {
    var action = self
    action.isSettled = false
    action.originalSeq = nil
    return action
  }
}
