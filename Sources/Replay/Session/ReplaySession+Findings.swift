import ActionLog

extension ReplaySession {
  mutating func note(_ drift: SchemaDrift) {
    output.append(
      .finding(
        LogEvent.Finding(
          seq: seq,
          code: .schemaDrift,
          subject: drift.path.description,
          message: Wording.describe(drift)
        )
      )
    )
  }

  /// Ends the replay of this log: without the outcome of an action there is no state for the next one.
  mutating func stop(_ error: any Error) {
    isStopped = true
    agenda = []
    var finding = LogEvent.Finding(seq: seq, code: .undecodable, subject: "", message: "\(error)")
    if let error = error as? LogDecodingError {
      finding.subject = error.path.description
      if case .opaque = error.problem { finding.code = .notReplayable }
    }
    output.append(.finding(finding))
  }

  /// Compares a recorded checkpoint with the state that the replay has reached, and gives its own.
  mutating func check(_ recorded: LogEvent.Checkpoint) {
    guard let state else {
      output.append(.checkpoint(recorded))
      return
    }
    if let difference = JSON.differences(from: state, to: recorded.state).first {
      output.append(
        .finding(
          LogEvent.Finding(
            seq: recorded.seq,
            code: .brokenLog,
            subject: difference.path.description,
            expected: difference.expected,
            actual: difference.actual,
            message: Wording.checkpointDisagrees
          )
        )
      )
    }
    output.append(
      .checkpoint(
        LogEvent.Checkpoint(
          seq: seq,
          state: state,
          effects: recorded.effects,
          shared: recorded.shared
        )
      )
    )
  }
}
