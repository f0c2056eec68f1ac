import ActionLog

extension ReplaySession {
  /// Tells once for all elements of an array what only the log or only the code has.
  package mutating func note(_ drift: SchemaDrift, isNew: Bool = false) {
    note(drift.path, as: .schemaDrift, in: \.drifted, Wording.describe(drift, isNew: isNew))
  }

  /// Tells the same of an action that the reducer sends itself.
  package mutating func note(ofAction drift: SchemaDrift) {
    note(drift.path, as: .actionDrift, in: \.driftedActions, Wording.describeAction(drift))
  }

  private mutating func note(
    _ path: JSON.Pointer,
    as code: LogEvent.Finding.Code,
    in known: WritableKeyPath<ReplaySession, Set<JSON.Pointer>>,
    _ message: String
  ) {
    let place = path.anyElement
    guard self[keyPath: known].insert(place).inserted else { return }
    output.append(
      .finding(
        LogEvent.Finding(seq: seq, code: code, subject: place.description, message: message)
      )
    )
  }

  /// Ends the replay of this log: without the outcome of an action there is no state for the next one.
  package mutating func stop(_ error: any Error) {
    isStopped = true
    agenda = []
    var finding = LogEvent.Finding(seq: seq, code: .undecodable, subject: "", message: "\(error)")
    if let error = error as? LogDecodingError {
      finding.subject = error.path.description
      if case .opaque = error.problem { finding.code = .notReplayable }
    }
    output.append(.finding(finding))
  }

  /// The state that the replay has reached; `nil` when that is not known any more.
  mutating func currentState() -> JSON? {
    guard let current = try? state?.state() else {
      state = nil
      return nil
    }
    return current
  }

  /// Gives the checkpoint that the replay has reached in the place of a recorded one.
  package mutating func check(_ recorded: LogEvent.Checkpoint) {
    // What compares both has come to the state of the recording, which is that of the replay.
    if isBesideRecording { state = PatchedState(recorded.state) }
    guard let state = currentState() else {
      output.append(.checkpoint(recorded))
      return
    }
    defer { compare(recorded, state) }
    var own = recorded
    own.seq = seq
    own.state = state
    own.nextStackElement = engine?.nextStackElement ?? recorded.nextStackElement
    if let alive {
      own.effects = alive.described
      own.shared = engine?.sharedPlaces
    }
    output.append(.checkpoint(own))
  }
}
