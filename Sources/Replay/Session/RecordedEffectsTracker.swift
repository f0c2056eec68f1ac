import ActionLog

/// The position in the recording, which is tracked separately from the replay, because the replay may have diverged.
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

  /// Adopts the numbers of a checkpoint's cancellation IDs, because each checkpoint renumbers the IDs of its effects.
  mutating func adoptNumbers(of listed: [EffectDescription]) { effects.adoptNumbers(of: listed) }

  /// Advances past an effect event.
  mutating func advance(_ effect: LogEvent.Effect) {
    if case .cancelled(by: .action, _) = effect.event { return }
    _ = effects.apply(effect, at: seq)
  }

  /// Removes an effect's action from the queue of sent actions if it is the next one.
  ///
  /// Used for an action that the replay has reduced but the recording lacks. If the action stayed in the queue, the
  /// replay would reduce it again after each resync.
  mutating func dropSend(of id: EffectID) {
    guard effects.waitingToSend.first == id, let id = effects.nextProduced() else { return }
    _ = effects.removeSend(by: id)
  }

  /// Removes the next sent action from the queue if the recorded action has the origin of a `send` effect.
  ///
  /// - Parameter origin: The origin of the recorded action.
  /// - Returns: Whether the reducer sent the recorded action itself.
  private mutating func dequeueSend(_ origin: LogEvent.Origin) -> Bool {
    guard let id = origin.directEffect, effects.isSend(id) else { return false }
    if let produced = effects.nextProduced() { _ = effects.removeSend(by: produced) }
    return true
  }
}
