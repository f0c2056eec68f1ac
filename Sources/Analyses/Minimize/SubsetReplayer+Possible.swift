import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

extension SubsetReplayer {
  /// Returns whether the actions in a replayed subset could come from the effects that sent them.
  ///
  /// If an action starts other effects than in the log, an effect id can refer to a different effect, which would not
  /// have sent the recorded actions. A `.send` effect sends its action once and unchanged.
  func isPossible(_ outcome: Outcome, _ subset: CausalLog.Subset) -> Bool {
    var effects: [EffectID: EffectDescription] = [:]
    var identities: [EffectID: EffectIdentity] = [:]
    var sent: Set<EffectID> = []
    var units = subset.units.sorted()[...]
    func registerEffects(_ started: [EffectDescription]) {
      for (leaf, identity) in started.identities {
        guard let id = leaf.id else { continue }
        (effects[id], identities[id]) = (leaf, identity)
      }
    }
    for event in outcome.events {
      switch event {
      case .checkpoint(let checkpoint): registerEffects(checkpoint.effects)
      case .change(let change): registerEffects(change.effects)
      case .excluded(let excluded): registerEffects(excluded.effects)
      case .action(let action):
        if let id = action.origin.directEffect, let effect = effects[id], effect.operation == .send
        {
          guard sent.insert(id).inserted, effect.action == nil || effect.action == action.action
          else { return false }
          continue
        }
        // If pruning is on, the replay drops impossible actions itself and reports them.
        guard !options.isPruning, let unit = units.popFirst(),
          case .effect(let id, _) = action.origin,
          case .effect(let recorded, _) = log.units[unit].origin,
          let own = identities[id], let expected = log.identities[recorded]
        else { continue }
        guard own.isLike(expected) else { return false }
      default: break
      }
    }
    return true
  }
}
