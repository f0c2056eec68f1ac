import ActionLog

/// The position in the recording, which is tracked separately because the replay may have diverged.
///
/// The position consists of the last recorded action and the effects that are alive after this action.
struct RecordedEffectsTracker {
  /// The number of the last recorded action.
  private(set) var seq: Int
  private(set) var effects = SimulatedEffects()

  /// Creates the position at a checkpoint.
  init(_ checkpoint: LogEvent.Checkpoint) {
    seq = checkpoint.seq
    effects.load(checkpoint)
  }

  /// Advances past a recorded action and its events.
  mutating func advance(_ action: LogEvent.Action, _ recorded: RecordedAction) {
    seq = action.seq
    if !dequeueSend(action.origin) {
      _ = effects.arrive(from: action.origin, as: seq)
    }
    for effect in recorded.effects { advance(effect) }
    for effect in recorded.cancelled { advance(effect) }
    // Uses the recorded descriptions, because the engine has not described these effects.
    _ = effects.start(recorded.change?.effects ?? [], of: seq, areDescribed: false)
  }

  /// Advances past an action that the log omits.
  mutating func advance(_ excluded: LogEvent.Excluded) {
    seq = excluded.seq
    _ = dequeueSend(excluded.origin)
    _ = effects.start(excluded.effects, of: seq, areDescribed: false)
  }

  /// Adopts the cancellation ID numbers of a checkpoint, because a checkpoint numbers the IDs of its effects again.
  mutating func adoptNumbers(of listed: [EffectDescription]) { effects.adoptNumbers(of: listed) }

  /// Advances past an effect event.
  mutating func advance(_ effect: LogEvent.Effect) {
    if case .cancelled(by: .action, _) = effect.event { return }
    _ = effects.apply(effect, at: seq)
  }

  /// Removes the next action that the reducer has sent if the recording lacks this action.
  ///
  /// Otherwise, the replay would reduce the action again after each resync.
  mutating func dropSend(of id: EffectID) {
    guard effects.waitingToSend.first == id, let id = effects.nextProduced() else { return }
    _ = effects.removeSend(by: id)
  }

  /// Removes the next action that the reducer has sent, if the recorded action has this origin.
  ///
  /// - Returns: Whether the reducer sent the recorded action itself.
  private mutating func dequeueSend(_ origin: LogEvent.Origin) -> Bool {
    guard let id = origin.directEffect, effects.isSend(id) else { return false }
    if let produced = effects.nextProduced() { _ = effects.removeSend(by: produced) }
    return true
  }
}
