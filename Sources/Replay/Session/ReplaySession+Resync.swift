import ActionLog

/// Functions that compare a replay with the recording while it runs, and continue from the recorded state after a
/// difference.
extension ReplaySession {
  /// Applies the changes of an action to the recorded and the replayed state, and compares the states and effects.
  ///
  /// - Returns: Whether the replay diverges from the recording and must continue from the recorded state.
  mutating func needsResync(
    after logged: PatchText,
    _ effects: [EffectDescription],
    _ recorded: RecordedAction
  ) -> Bool {
    // A replay that creates an independent log is not compared with the recording.
    if keepsStandIns { return false }
    if !isResyncing, divergedStates == nil, recorded.change?.logged.hasSameText(as: logged) == true
    {
      return false
    }
    guard let change = recorded.change else { return isResyncing && recorded.seq == nil }
    var isDifferent = false
    if divergedStates != nil || change.logged != logged {
      let patch = logged.patch
      if divergedStates == nil, let state = self.state?.state() {
        compareStates(state, state)
      }
      let differences = divergedStates?.compare(change.patch, patch, of: seq) ?? []
      isDifferent = !withoutDrift(differences, of: change.patch).isEmpty
      if divergedStates?.areEqual == true { divergedStates = nil }
    }
    guard isResyncing else { return false }
    let differences = EffectDescription.differences(
      of: seq,
      change.effects,
      effects,
      ignoring: drift.actionPlaces
    )
    return isDifferent || !opaque.classified(differences).isEmpty
  }

  /// Starts to track the recorded and the replayed state separately.
  mutating func compareStates(_ recorded: JSON, _ own: JSON) {
    let options = LogComparison.Options(ignored: ignored)
    var states = ComparedStates(options, masks: header?.masked, opaque: opaque)
    for place in drift.places { states.ignore("\(place)") }
    _ = states.compare(
      LogEvent.Checkpoint(seq: seq, state: recorded),
      LogEvent.Checkpoint(seq: seq, state: own)
    )
    opaque = states.opaque
    divergedStates = states
  }

  /// Returns the differences without those at paths that only the log or only the code has.
  ///
  /// Such paths are reported as schema drift, for example a new member in rows that an action has added.
  private mutating func withoutDrift(
    _ differences: [LogDifference],
    of recorded: JSON.Patch
  ) -> [LogDifference] {
    // A removed member existed in the log before, so its absence is not schema drift.
    let removed = Set(recorded.operations.filter(\.isRemoval).map(\.path.anyElement))
    let unknown = drift.unknownPlaces(in: differences).filter { !removed.contains($0) }
    guard !unknown.isEmpty, let state = divergedStates?.recorded, let engine else {
      return differences
    }
    let found = SchemaProbe(engine).drift(of: state, beside: engine.loggedState.json)
    for drift in found where !removed.contains(drift.path.anyElement) {
      divergedStates?.ignore("\(drift.path)")
      if let finding = self.drift.driftFinding(drift, at: seq, isNew: true) {
        output.append(finding)
      }
    }
    drift.insertKnown(unknown.filter { divergedStates?.ignores($0) != true })
    return differences.filter { difference in
      guard difference.cause == .state, let place = try? JSON.Pointer(parsing: difference.subject)
      else { return true }
      return divergedStates?.ignores(place) != true
    }
  }

  /// Continues from the recorded state, with the effects that were alive at that point in the recording.
  mutating func resync() {
    guard let recordedPosition, let header, var engine else { return }
    if let states = divergedStates, !states.areEqual, let recorded = states.recorded {
      divergedStates = nil
      // `engine` must be the only reference during the call, so that its state is changed in place.
      self.engine = nil
      defer { self.engine = engine }
      let checkpoint = LogEvent.Checkpoint(
        seq: recordedPosition.seq,
        state: recorded,
        shared: engine.sharedPlaces
      )
      do {
        let loaded = try engine.load(checkpoint, header: header)
        state = PatchedState(JSONText(loaded.state ?? recorded))
        if let own = loaded.state { compareStates(recorded, own) }
      } catch {
        return stop(error)
      }
    }
    seq = recordedPosition.seq
    numbers = ActionNumberMapping(after: seq)
    effects = recordedPosition.effects
    isStopped = false
    output.append(
      .finding(
        LogEvent.Finding(seq: seq, code: .resynced, subject: "", message: Wording.resynced(seq))
      )
    )
  }

  /// Continues after a recorded action that could not be replayed.
  mutating func skip(_ recorded: RecordedAction) {
    if let seq = recorded.seq { numbers.register(missing: seq) }
    guard isResyncing, let change = recorded.change, let state = self.state?.state() else {
      return
    }
    if divergedStates == nil { compareStates(state, state) }
    _ = divergedStates?.compare(change.patch, JSON.Patch(), of: seq)
    resync()
  }

  /// Continues from a recorded checkpoint if the replay has reached another state.
  mutating func resyncIfNeeded(at recorded: LogEvent.Checkpoint, _ own: LogEvent.Checkpoint) {
    guard isResyncing, divergedStates != nil || recorded.logged != own.logged else { return }
    if divergedStates == nil { compareStates(own.state, own.state) }
    let differences = divergedStates?.compare(recorded, own) ?? []
    if !differences.isEmpty { resync() }
  }
}

extension JSON.Patch.Operation {
  fileprivate var isRemoval: Bool {
    if case .remove = self { true } else { false }
  }
}
