import ActionLog

/// Where a recording has come to: the effects that are alive there, while the replay may have gone another way.
struct RecordedPosition {
  /// The last action.
  private(set) var seq: Int
  private(set) var effects = SimulatedEffects()

  /// The course from a checkpoint on.
  init(_ checkpoint: LogEvent.Checkpoint) {
    seq = checkpoint.seq
    effects.load(checkpoint)
  }

  /// Takes an action with what belongs to it.
  mutating func take(_ action: LogEvent.Action, _ recorded: ReplaySession.Recorded) {
    seq = action.seq
    arrive(action.origin, action)
    for effect in recorded.effects { take(effect) }
    for effect in recorded.cancelled { take(effect) }
    // In the recording's own words, for the engine has not described them.
    _ = effects.start(recorded.change?.effects ?? [], of: seq, areDescribed: false)
  }

  /// Takes an action that the log leaves out.
  mutating func take(_ excluded: LogEvent.Excluded) {
    seq = excluded.seq
    arrive(excluded.origin, nil)
    _ = effects.start(excluded.effects, of: seq, areDescribed: false)
  }

  /// Takes a turn in the life of an effect.
  mutating func take(_ effect: LogEvent.Effect) {
    if case .cancelled(by: .action, _) = effect.event { return }
    _ = effects.follow(effect, at: seq)
  }

  private mutating func arrive(_ origin: LogEvent.Origin, _ action: LogEvent.Action?) {
    if let id = origin.directEffect, effects.isSend(id) {
      if let produced = effects.nextProduced() { _ = effects.takeSent(by: produced) }
    } else if let action {
      _ = effects.findings(onArrivalFrom: action.origin, as: seq)
    }
  }
}
