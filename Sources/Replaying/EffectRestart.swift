import ActionLog
import Synchronization
public import TCACore
internal import TCARecorder

/// A replacement for a restored effect in a store that resumes from a log.
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
  /// Runs an effect, which is canceled when the recorded effect would be canceled.
  case effect(Effect<Action>)
  /// Sends an action, as a view would, so that the reducer starts the effect.
  case action(Action)
}

/// A builder for the initial effects of a resumed store, based on the effects that were alive in a log.
@MainActor
struct EffectRestarter<Action> {
  typealias Restart = @MainActor (RestoredEffect) -> EffectRestart<Action>?

  private let restart: Restart?
  private let starters: [Int: JSON]
  /// The next free effect index by the number of the action that started the effects.
  private var next: [Int: Int] = [:]
  private let describer = EffectDescriber()
  /// The observer that is notified about the lifecycle of the restarted effects.
  let resumed = ResumedEffects()
  /// All effects that were alive in the log, with their outcomes.
  private(set) var effects: [RestoredEffect] = []
  /// The map from cancellation IDs of the running code to the IDs that cancel restarted effects.
  private(set) var cancelIDs = ResumedCancelIDs(of: [])
  /// The actions that the store sends instead of running effects.
  private(set) var actions: [Action] = []

  /// Creates a restarter.
  ///
  /// - Parameters:
  ///   - starters: The actions that started the effects, by the actions' numbers.
  ///   - restart: A closure that returns the replacement for an effect, or `nil` to restart none.
  init(starters: [Int: JSON], _ restart: Restart?) {
    self.starters = starters
    self.restart = restart
  }

  /// Asks the `restart` closure for the replacement of each effect in a checkpoint.
  ///
  /// - Returns: An effect that runs all replacements.
  mutating func restart(_ checkpoint: LogEvent.Checkpoint) -> Effect<Action> {
    for id in checkpoint.effects.flatMap(\.flattened).compactMap(\.id) {
      next[id.seq] = max(next[id.seq] ?? 0, id.index + 1)
    }
    var running = checkpoint
    running.effects = []
    var parts: [Effect<Action>] = []
    for effect in checkpoint.effects {
      guard let part = restart(effect, isWaiting: false, startsLater: false) else { continue }
      running.effects.append(part.description)
      parts.append(part.effect)
    }
    resumed.restore(at: running)
    cancelIDs = ResumedCancelIDs(of: running.effects)
    return parts.isEmpty ? .none : Effect(operation: .merge(parts))
  }

  /// A restarted effect, and the recorded description with the same structure.
  private struct DescribedEffect {
    var description: EffectDescription
    var effect: Effect<Action>
  }

  /// Restarts an effect of the checkpoint.
  ///
  /// - Parameters:
  ///   - recorded: The description of the effect in the checkpoint.
  ///   - isWaiting: Whether the effect waited for earlier effects to end.
  ///   - startsLater: Whether the restarted effect waits for a restarted operation. An effect that waited starts at
  ///     once if the operations before it were not restarted.
  /// - Returns: The restarted effect, or `nil` if nothing runs in its place.
  private mutating func restart(
    _ recorded: EffectDescription,
    isWaiting: Bool,
    startsLater: Bool
  ) -> DescribedEffect? {
    var part: DescribedEffect?
    switch recorded.operation {
    case .run, .send: part = leaf(recorded, isWaiting: isWaiting)
    case .merge, .concatenate:
      var parts: [DescribedEffect] = []
      let isSequence = recorded.operation == .concatenate
      for (index, effect) in recorded.effects.enumerated() {
        let part = restart(
          effect,
          isWaiting: isWaiting || isSequence && index > 0,
          startsLater: startsLater || isSequence && parts.contains { $0.description.hasOperation }
        )
        if let part { parts.append(part) }
      }
      guard !parts.isEmpty else { return nil }
      var group = EffectDescription(recorded.operation)
      group.effects = parts.map(\.description)
      let effects = parts.map(\.effect)
      part = DescribedEffect(
        description: group,
        effect: Effect(operation: isSequence ? .concatenate(effects) : .merge(effects))
      )
    // An effect that only cancels can't reach the recorded effects, because their cancellation IDs come from the log.
    case .cancel: return nil
    }
    guard let part else { return nil }
    return cancellable(part, as: recorded, startsLater: startsLater)
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

  /// Wraps an effect so that the cancellations of the recorded effect also cancel it.
  private func cancellable(
    _ part: DescribedEffect,
    as recorded: EffectDescription,
    startsLater: Bool
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
    // An ID that is known only from its description doesn't reach the effects of the running code.
    let cancelInFlight = recorded.cancelInFlight && startsLater && id.identity != nil
    part.description.cancelInFlight = cancelInFlight
    part.effect = Effect(operation: .cancellable(part.effect, own, cancelInFlight: cancelInFlight))
    return part
  }
}

/// A cancellation ID that is known only from its description in a log.
///
/// The type of the ID may be private to the feature, so its value is not decoded.
private struct DescribedCancelID: Hashable, Sendable {
  let type: String
  let value: JSON
  let number: Int
}

extension CancelID {
  /// Creates an ID from its description in a log.
  ///
  /// Returns `nil` if the description contains a number that has a meaning only in the process that assigned it.
  init?(describedBy id: EffectDescription.CancelID) {
    guard !([id.value] + id.path).contains(where: \.hasOrdinal) else { return nil }
    self.init(
      DescribedCancelID(type: id.type, value: id.value, number: id.number),
      path: id.path.map { NavigationID(place: nil, identity: CancelKey($0)) }
    )
  }
}

/// A map from cancellation IDs of the running code to the described IDs of restarted effects.
///
/// Any thread may cancel an effect.
final class ResumedCancelIDs: Sendable {
  private struct ResumedIDs {
    var ids = LoggedCancelIDs()
    var elements = LoggedNavigationIDs()
  }

  private let contents: Mutex<ResumedIDs>
  private let describer = EffectDescriber()

  /// Creates the map for the cancellation IDs in effect descriptions of a log.
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

  /// Returns the described ID that corresponds to an ID of the code, or `nil` if there is none.
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
  /// Whether the ID contains a number that has a meaning only in the process that assigned it.
  fileprivate var hasOrdinal: Bool {
    switch self {
    case .object(let object):
      object["$ordinal"] != nil || object.values.contains(where: \.hasOrdinal)
    case .array(let elements): elements.contains(where: \.hasOrdinal)
    default: false
    }
  }
}
