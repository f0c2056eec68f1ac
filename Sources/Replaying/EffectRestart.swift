import ActionLog
import Synchronization
public import TCACore
internal import TCARecorder

/// How an effect that was alive starts again in a store that goes on from a log.
///
/// ```swift
/// restarting: { effect in
///   switch effect.name {
///   case "timer": .action(.timer(.started))
///   case "download": .effect(.run { send in await send(.loaded(try await api.load())) })
///   default: nil
///   }
/// }
/// ```
public enum EffectRestart<Action> {
  /// An effect runs in its place: what cancels the recorded effect, cancels this one.
  case effect(Effect<Action>)
  /// An action is sent, as a view sends it; the reducer starts the effect.
  case action(Action)
}

/// Makes the effects with which a store begins, from those that a log describes.
@MainActor
struct EffectRestarter<Action> {
  typealias Restart = @MainActor (RestoredEffect) -> EffectRestart<Action>?

  private let restart: Restart?
  private let starters: [Int: JSON]
  /// The free numbers for the effects of an action.
  private var next: [Int: Int] = [:]
  private let describer = EffectDescriber()
  /// Watches the effects.
  let resumed = ResumedEffects()
  /// All effects that were alive.
  private(set) var effects: [RestoredEffect] = []
  /// The ids under which they can be cancelled.
  private(set) var cancelIDs = ResumedCancelIDs(of: [])
  /// The actions that are sent in place of effects.
  private(set) var actions: [Action] = []

  /// - Parameters:
  ///   - starters: The actions that have started the effects.
  ///   - restart: Says how an effect starts again.
  init(starters: [Int: JSON], _ restart: Restart?) {
    self.starters = starters
    self.restart = restart
  }

  /// Asks for each effect of a checkpoint how it starts again.
  ///
  /// - Returns: What runs then.
  mutating func restart(_ checkpoint: LogEvent.Checkpoint) -> Effect<Action> {
    for id in checkpoint.effects.flatMap(\.flattened).compactMap(\.id) {
      next[id.seq] = max(next[id.seq] ?? 0, id.index + 1)
    }
    var running = checkpoint
    running.effects = []
    var parts: [Effect<Action>] = []
    for effect in checkpoint.effects {
      guard let part = restart(effect, isWaiting: false) else { continue }
      running.effects.append(part.description)
      parts.append(part.effect)
    }
    resumed.restore(at: running)
    cancelIDs = ResumedCancelIDs(of: running.effects)
    return parts.isEmpty ? .none : Effect(operation: .merge(parts))
  }

  /// A part of what runs, and its description, which have the same shape.
  private struct DescribedEffect {
    var description: EffectDescription
    var effect: Effect<Action>
  }

  private mutating func restart(_ recorded: EffectDescription, isWaiting: Bool) -> DescribedEffect?
  {
    var part: DescribedEffect?
    switch recorded.operation {
    case .run, .send: part = leaf(recorded, isWaiting: isWaiting)
    case .merge, .concatenate:
      var parts: [DescribedEffect] = []
      let isSequence = recorded.operation == .concatenate
      for (index, effect) in recorded.effects.enumerated() {
        let waits = isWaiting || isSequence && index > 0
        if let part = restart(effect, isWaiting: waits) { parts.append(part) }
      }
      guard !parts.isEmpty else { return nil }
      var group = EffectDescription(recorded.operation)
      group.effects = parts.map(\.description)
      let effects = parts.map(\.effect)
      part = DescribedEffect(
        description: group,
        effect: Effect(operation: isSequence ? .concatenate(effects) : .merge(effects))
      )
    // It has nothing of its own to reach, because the ids of the effects here are those of the log.
    case .cancel: return nil
    }
    guard let part else { return nil }
    return cancellable(part, as: recorded)
  }

  private mutating func leaf(_ recorded: EffectDescription, isWaiting: Bool) -> DescribedEffect? {
    guard let id = recorded.id else { return nil }
    var effect = RestoredEffect(
      id: id,
      name: recorded.name,
      source: recorded.source,
      cancelID: recorded.ownCancelID,
      input: recorded.input,
      sentAction: recorded.action,
      startingAction: starters[id.seq],
      isWaiting: isWaiting,
      outcome: restart == nil ? .noRestart : .declined
    )
    defer { effects.append(effect) }
    guard !recorded.isCancelled else {
      effect.outcome = .cancelled
      return nil
    }
    switch restart?(effect) {
    case nil: return nil
    case .action(let action):
      effect.outcome = .actionSent
      actions.append(action)
      return nil
    case .effect(let given):
      let (descriptions, marked) = describer.describe(
        given,
        inPlaceOf: id,
        next: &next[id.seq, default: id.index + 1],
        observer: resumed
      )
      guard descriptions.contains(where: { $0.flattened.contains { $0.id != nil } }) else {
        effect.outcome = .nothingToRun
        return nil
      }
      effect.outcome = .runs
      var description = EffectDescriber.group(descriptions)
      if description.name == nil, description.id != nil { description.name = recorded.name }
      return DescribedEffect(description: description, effect: marked)
    }
  }

  /// Lets an effect be cancelled by what cancels the recorded one.
  private func cancellable(
    _ part: DescribedEffect,
    as recorded: EffectDescription
  ) -> DescribedEffect {
    guard let id = recorded.cancelID, let own = id.identity ?? CancelID(describedBy: id) else {
      return part
    }
    var part = part
    if part.description.cancelID != nil {
      let inner = part.description
      part.description = EffectDescription(.merge)
      part.description.effects = [inner]
    }
    part.description.cancelID = id
    part.description.cancelInFlight = recorded.cancelInFlight
    part.effect = Effect(operation: .cancellable(part.effect, own, cancelInFlight: false))
    return part
  }
}

/// A cancellation id as a log describes it: its type may be private to the feature, and its value is not read back.
private struct DescribedCancelID: Hashable, Sendable {
  let type: String
  let value: JSON
  let number: Int
}

extension CancelID {
  /// An id for effects that a log describes; nil for one whose value no other process knows.
  init?(describedBy id: EffectDescription.CancelID) {
    guard !([id.value] + id.path).contains(where: \.hasOrdinal) else { return nil }
    self.init(
      DescribedCancelID(type: id.type, value: id.value, number: id.number),
      path: id.path.map { NavigationID(place: nil, identity: CancelKey($0)) }
    )
  }
}

/// The ids under which effects run again, by the ids of the running code, which any thread may cancel.
final class ResumedCancelIDs: Sendable {
  private struct ResumedIDs {
    var ids = LoggedIDs()
    var elements = LoggedElements()
  }

  private let contents: Mutex<ResumedIDs>
  private let describer = EffectDescriber()

  /// The ids of effects that a log describes.
  init(of effects: [EffectDescription]) {
    var contents = ResumedIDs()
    for id in effects.flatMap(\.flattened).compactMap(\.cancelID) {
      if let identity = id.identity {
        contents.ids.insert(id.name, as: identity.key)
        for (element, identity) in zip(id.path, identity.path) {
          contents.elements.insert(element.elementName, as: identity)
        }
      } else {
        contents.ids.insert(id.name)
        for element in id.path { contents.elements.insert(element.elementName) }
      }
    }
    self.contents = Mutex(contents)
  }

  /// The described id that an id of the code means; `nil` if it means none of them.
  func described(_ id: CancelID) -> CancelID? {
    var description = describer.describe(id)
    let isKnown = contents.withLock { contents in
      guard let known = contents.ids.description(of: description) else { return false }
      description = known
      for (index, element) in id.path.enumerated() {
        let known = contents.elements.description(of: element, description.path[index])
        if let known { description.path[index] = known }
      }
      return true
    }
    return isKnown ? CancelID(describedBy: description) : nil
  }
}

extension JSON {
  /// Whether a part is a number that one process has given.
  fileprivate var hasOrdinal: Bool {
    switch self {
    case .object(let object):
      object["$ordinal"] != nil || object.values.contains(where: \.hasOrdinal)
    case .array(let elements): elements.contains(where: \.hasOrdinal)
    default: false
    }
  }
}
