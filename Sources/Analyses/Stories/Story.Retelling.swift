import ActionLog
import ReplayEngine

extension Story {
  /// A part of a story, with some of its actions changed: what is to be replayed.
  struct Retelling: Sendable, Hashable {
    /// The units that are told.
    var units: Set<Int>
    /// Actions that differ from the recorded ones, by their unit.
    var actions: [Int: JSON] = [:]
  }

  /// The events to be replayed.
  ///
  /// Numbers are those of the log: a replay counts anew, and finds out from what is missing what an effect is called now.
  func events(of retelling: Retelling) -> [LogEvent] {
    var sent: [EffectID: Int] = [:]
    var events: [LogEvent] = []
    for event in self.events {
      guard retelling.units.contains(event.unit), retelling.units.contains(event.other) else {
        if let id = event.sender { sent[id, default: 0] -= 1 }
        continue
      }
      switch event.event {
      case .action(var action):
        if let unit = event.unit, units[unit].seq == action.seq,
          let other = retelling.actions[unit]
        {
          action.action = other
        }
        events.append(.action(action))
      case .effect(var effect):
        if case .finished(let count) = effect.event {
          effect.event = .finished(sent: count + sent[effect.id, default: 0])
        }
        events.append(.effect(effect))
      default: events.append(event.event)
      }
    }
    return events
  }
}

extension Story.Event {
  /// The effect that sent the action, when the event is one.
  fileprivate var sender: EffectID? {
    if case .action(let action) = event { action.origin.directEffect } else { nil }
  }
}

extension Set<Int> {
  /// Whether something that may need no unit has what it needs.
  fileprivate func contains(_ unit: Int?) -> Bool {
    unit.map { contains($0) } ?? true
  }
}
