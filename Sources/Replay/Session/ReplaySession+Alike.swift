import ActionLog

/// Actions that come out as they were recorded: nobody has to look at their events.
///
/// That is nearly all of nearly all logs, and making and aligning events takes longer than reducing.
extension ReplaySession {
  /// Takes the next action of those that came out as recorded.
  ///
  /// - Returns: Whether there may be more of them.
  typealias Pass = (_ seq: Int, _ patch: LoggedPatch) -> Bool

  /// Replays actions for as long as nothing comes of each but its recorded patch, and gives no events of them.
  ///
  /// The events of the one that comes out in another way are the next ones.
  mutating func passAlike(_ pass: Pass) throws {
    guard isQuiet, var engine else { return }
    agenda = []
    // The engine has one owner while it works, so that its state is changed where it is.
    self.engine = nil
    var open: LoggedPatch?
    let result = Result { () throws -> StepOutcome? in
      try engine.advance {
        if let patch = open.take() {
          input.takeStep()
          note(patch)
          guard pass(seq, patch) else { return nil }
        }
        let step = nextPlainStep()
        open = step?.logged
        return step
      }
    }
    self.engine = engine
    guard open != nil, let (action, change) = input.peekPlainStep() else { return }
    input.takeStep(for: .replay)
    var recorded = Recorded(at: action.at, seq: seq, rest: action.rest)
    recorded.change = change
    try gatherCancelled(&recorded)
    output.append(.action(action))
    let step = Step(
      action: .recorded(action.logged),
      logged: action.logged,
      origin: action.origin,
      recorded: recorded
    )
    conclude(step, result.map { $0 ?? StepOutcome() })
  }

  /// Whether all patches were those of the recording, and what compares both takes the same recording.
  var isBesideRecording: Bool {
    input.isShared && !isResyncing && apart == nil && drifted.isEmpty && numbers.areTheLogs
  }

  /// Whether the replay stands between actions.
  private var isQuiet: Bool {
    guard isBesideRecording, given == output.count, !isStopped, !isAfterGap, !effects.hasProduced
    else { return false }
    return agenda.allSatisfy(\.isDrain)
  }

  /// The next action, when nothing has come of it but a patch and nothing is odd about its coming.
  private mutating func nextPlainStep() -> PlainStep? {
    guard let (action, change) = input.peekPlainStep(), action.seq == seq &+ 1, action.seq <= until
    else { return nil }
    if let id = action.origin.directEffect, effects.isSend(id) || recordedSends.contains(id) {
      return nil
    }
    guard effects.findings(onArrivalOf: action, as: action.seq).isEmpty else { return nil }
    seq = action.seq
    numbers.note(recorded: seq, replayed: seq)
    return PlainStep(
      StepInput(seq: seq, logged: .recorded(action.logged)),
      logged: change.logged
    )
  }
}

extension ReplaySession.Task {
  fileprivate var isDrain: Bool {
    if case .drain = self { true } else { false }
  }
}
