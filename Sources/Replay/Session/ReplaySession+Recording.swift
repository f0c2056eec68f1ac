import ActionLog

/// The recording beside its replay: what only one of them can have, and how to go on where they have parted.
extension ReplaySession {
  /// Takes both states through an action.
  ///
  /// - Returns: Whether the replay has come to something else than was recorded, and is to go on from there.
  mutating func departs(
    _ logged: LoggedPatch,
    _ effects: [EffectDescription],
    from recorded: Recorded
  ) -> Bool {
    guard let change = recorded.change else { return isResyncing && recorded.seq == nil }
    var isApart = false
    if apart != nil || change.logged != logged {
      let patch = logged.patch
      if apart == nil, let state = currentState() { separate(state, state) }
      let differences = apart?.compare(change.patch, patch, of: seq) ?? []
      isApart = !excused(differences, of: change.patch, patch).isEmpty
      if apart?.areSame == true { apart = nil }
    }
    guard isResyncing else { return false }
    return isApart
      || !EffectDescription.differences(of: seq, change.effects, effects, ignoring: driftedActions)
        .isEmpty
  }

  /// Begins to follow the two states each on its own.
  package mutating func separate(_ recorded: JSON, _ own: JSON) {
    var states = ComparedStates(LogComparison.Options(ignored: ignored), masks: header?.masked)
    for place in drifted { states.ignore("\(place)") }
    _ = states.compare(
      LogEvent.Checkpoint(seq: seq, state: recorded),
      LogEvent.Checkpoint(seq: seq, state: own)
    )
    apart = states
  }

  /// The differences without those in places that only the log or only the code knows.
  ///
  /// Those are noted, such as a new member of the rows that an action has added.
  private mutating func excused(
    _ differences: [LogDifference],
    of recorded: JSON.Patch,
    _ own: JSON.Patch
  ) -> [LogDifference] {
    // What the log had before is known to it.
    let removed = Set(recorded.operations.filter(\.isRemoval).map(\.path.anyElement))
    let open = differences.compactMap(\.oneSidedPlace)
      .filter { !undrifted.contains($0) && !removed.contains($0) }
    guard !open.isEmpty, let state = apart?.recorded, let engine else { return differences }
    let drift = SchemaProbe(engine).drift(of: state, beside: currentState(), own)
    for drift in drift where !removed.contains(drift.path.anyElement) {
      apart?.ignore("\(drift.path)")
      note(drift, isNew: true)
    }
    undrifted.formUnion(open.filter { apart?.ignores($0) != true })
    return differences.filter { difference in
      guard difference.cause == .state, let place = try? JSON.Pointer(parsing: difference.subject)
      else { return true }
      return apart?.ignores(place) != true
    }
  }
}

extension ReplaySession {
  /// Goes on from the recorded state, of which the log says what it is, with the effects that were alive there.
  mutating func resync() {
    guard let course, let header, var engine else { return }
    if let states = apart, !states.areSame, let recorded = states.recorded {
      apart = nil
      // The engine has one owner while it works, so that its state is changed where it is.
      self.engine = nil
      defer { self.engine = engine }
      let checkpoint = LogEvent.Checkpoint(
        seq: course.seq,
        state: recorded,
        shared: engine.sharedPlaces
      )
      do {
        let loaded = try engine.load(checkpoint, header: header)
        state = PatchedState(loaded.state ?? recorded)
        if let own = loaded.state { separate(recorded, own) }
      } catch {
        return stop(error)
      }
    }
    seq = course.seq
    numbers = ActionNumbers(behind: seq)
    effects = course.effects
    isStopped = false
    output.append(
      .finding(
        LogEvent.Finding(seq: seq, code: .resynced, subject: "", message: Wording.resynced(seq))
      )
    )
  }

  /// Goes on behind a recorded action that the replay could not do.
  mutating func miss(_ recorded: Recorded) {
    if let seq = recorded.seq { numbers.note(missing: seq) }
    guard isResyncing, let change = recorded.change, let state = currentState()
    else { return }
    if apart == nil { separate(state, state) }
    _ = apart?.compare(change.patch, JSON.Patch(), of: seq)
    resync()
  }

  /// Goes on from a checkpoint in the middle of the log when the replay has come to another state.
  package mutating func compare(_ recorded: LogEvent.Checkpoint, _ own: JSON) {
    guard isResyncing, apart != nil || recorded.state != own else { return }
    if apart == nil { separate(own, own) }
    let differences = apart?.compare(recorded, LogEvent.Checkpoint(seq: seq, state: own)) ?? []
    if !differences.isEmpty { resync() }
  }
}

extension JSON.Patch.Operation {
  fileprivate var isRemoval: Bool {
    if case .remove = self { true } else { false }
  }
}

extension LogDifference {
  /// The place of a member, in every element of the arrays around it, that only one of the states has.
  fileprivate var oneSidedPlace: JSON.Pointer? {
    guard cause == .state, (expected == nil) != (actual == nil),
      let place = try? JSON.Pointer(parsing: subject), let last = place.tokens.last,
      JSON.Pointer.index(last) == nil
    else { return nil }
    return place.anyElement
  }
}
