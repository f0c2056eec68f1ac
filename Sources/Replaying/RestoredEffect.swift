public import ActionLog
import ReplayEngine

/// An effect that was alive at the position from which a store resumes.
///
/// The store can't run the effect by itself, because a log contains no code. `Store(replaying:)` asks the app for an
/// effect or an action that replaces the recorded effect.
///
/// ```swift
/// for effect in store.restoredPosition?.effects ?? [] { print(effect) }
/// effect 3.0 'timer' at App/Timer.swift:41, started by action 3 .startTapped: not restarted, nothing says how
/// ```
///
/// The closure for `restarting:` can inspect the effect:
///
/// ```swift
/// restarting: { effect in
///   if let action = try? effect.sentAction(as: AppFeature.Action.self) {
///     return effect.isWaiting ? .effect(.send(action)) : .action(action)  // in sequence, or now
///   }
///   guard effect.startingAction?["startTapped"] != nil else { return nil }
///   return .effect(.run { send in await send(.timer(.ticked)) })
/// }
/// ```
public struct RestoredEffect: Sendable, Equatable {
  /// The ID of the effect in the log.
  public let id: EffectID
  /// The name that the feature has given to the effect, or `nil` if it has none.
  public let name: String?
  /// The source location of the effect, such as `App/Timer.swift:41`, or `nil` if it is unknown.
  public let source: String?
  /// The cancellation ID of the effect, with the navigation path of the ID's feature, or `nil` if it has none.
  public let cancelID: EffectDescription.CancelID?
  /// The input of `.run(name:input:)` in the log's JSON format, or `nil` if the effect has none.
  public let input: JSON?
  /// The action that the effect sends, in the log's JSON format, or `nil` if the effect does more than send an action.
  public let sentAction: JSON?
  /// The action that started the effect, or `nil` if the log no longer contains it.
  public let startingAction: JSON?
  /// Whether the effect waits for a preceding effect in a concatenation to end.
  public let isWaiting: Bool
  /// The result of restarting the effect in the store.
  public internal(set) var outcome: Outcome

  /// The result of restarting an effect in a store that resumes from a log.
  ///
  /// ```swift
  /// let missing = position.effects.filter { $0.outcome != .runs && $0.outcome != .actionSent }
  /// ```
  public enum Outcome: Sendable, Equatable {
    /// The store runs an effect of the app in place of the recorded effect.
    case runs
    /// The store has sent an action of the app in place of running the effect.
    case actionSent
    /// The effect was not restarted, because there is no `restarting:` closure.
    case noRestart
    /// The `restarting:` closure returned `nil`.
    case declined
    /// The `restarting:` closure returned an effect that does nothing.
    case nothingToRun
    /// The recorded effect had already been canceled, but its operation had not returned yet.
    case cancelled
  }

  /// Decodes the input of the effect.
  ///
  /// - Parameter type: The type of the input in the feature.
  /// - Returns: The decoded input.
  /// - Throws: `LogDecodingError` if the log contains no input or one of another type.
  public func input<Input>(as type: Input.Type = Input.self) throws -> Input {
    try LogDecoder(input ?? .null).value(type)
  }

  /// Decodes the action that the effect sends.
  ///
  /// - Parameter type: The type of the feature's actions.
  /// - Returns: The action, or `nil` if the effect does more than send an action.
  /// - Throws: `LogDecodingError` if the action can't be decoded.
  public func sentAction<Action>(as type: Action.Type = Action.self) throws -> Action? {
    try sentAction.map { try LogDecoder($0).value(type) }
  }
}

extension RestoredEffect: CustomStringConvertible {
  /// A message with the effect, the action that started it, and its outcome.
  public var description: String {
    "\(Wording.alive(id, name: name, source: source, action: startingAction)): \(outcome.words)"
  }
}

extension RestoredEffect.Outcome {
  fileprivate var words: String {
    switch self {
    case .runs: "runs again"
    case .actionSent: "restarted by an action"
    case .noRestart: "not restarted, nothing says how"
    case .declined: "not restarted, the app does not want it"
    case .nothingToRun: "not restarted, the effect that was given does nothing"
    case .cancelled: "not restarted, it had been canceled"
    }
  }
}

/// The position in a log from which a store has resumed.
///
/// ```swift
/// let store = try Store(replaying: .file("bug.jsonl"), through: 12) { AppFeature() }
/// store.restoredPosition?.seq  // 12
/// ```
public struct RestoredPosition: Sendable, Equatable {
  /// The ID of the log, as its header states it.
  public let log: String
  /// The number of the action after which the store has resumed.
  public let seq: Int
  /// The effects that were alive at the position, with the results of restarting them.
  public let effects: [RestoredEffect]
  /// The members of the state that only the log or only the code has.
  public let drift: [SchemaDrift]
}
