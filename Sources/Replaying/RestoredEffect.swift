public import ActionLog
import ReplayEngine

/// An effect that was alive where a store goes on from a log.
///
/// The store does not run it by itself, because a log has no code. `Store(replaying:)` asks the app for an effect or an action
/// that starts it again.
///
/// ```swift
/// for effect in store.restoredPosition?.effects ?? [] { print(effect) }
/// // effect 3.0 'timer' at App/Timer.swift:41, started by action 3 .startTapped: not restarted, nothing says how
/// ```
///
/// A closure for `restarting:` that looks at it:
///
/// ```swift
/// restarting: { effect in
///   if let action = try? effect.sentAction(as: AppFeature.Action.self) {
///     return effect.isWaiting ? .effect(.send(action)) : .action(action)  // in its turn, or now
///   }
///   guard effect.startingAction?["startTapped"] != nil else { return nil }
///   return .effect(.run { send in await send(.timer(.ticked)) })
/// }
/// ```
public struct RestoredEffect: Sendable, Equatable {
  /// Its name in the log.
  public let id: EffectID
  /// The name that the feature gave it.
  public let name: String?
  /// Its line of source, such as `App/Timer.swift:41`.
  public let source: String?
  /// The id by which the feature cancels it, with the way to that feature.
  public let cancelID: EffectDescription.CancelID?
  /// The value that the feature named as its input, as the log has it: `.run(name:input:)`.
  public let input: JSON?
  /// The action that it sends, for an effect that does nothing else.
  public let sentAction: JSON?
  /// The action that started it; `nil` where the log no longer has that.
  public let startingAction: JSON?
  /// Whether it waits for another effect of a concatenation.
  public let isWaiting: Bool
  /// What has become of it in the store.
  public internal(set) var outcome: Outcome

  /// What becomes of an effect in a store that goes on from a log.
  ///
  /// ```swift
  /// let missing = position.effects.filter { $0.outcome != .runs && $0.outcome != .actionSent }
  /// ```
  public enum Outcome: Sendable, Equatable {
    /// An effect of the app runs in its place.
    case runs
    /// An action of the app was sent in its place.
    case actionSent
    /// Nothing was given that could start it: `restarting:` was left out.
    case noRestart
    /// `restarting:` has returned `nil` for it.
    case declined
    /// `restarting:` has returned an effect that does nothing.
    case nothingToRun
    /// It had been cancelled, and its operation had not returned.
    case cancelled
  }

  /// Reads the input.
  ///
  /// - Parameter type: The type of the value that the feature named.
  /// - Returns: The value.
  /// - Throws: `LogDecodingError` when the log has another value, or none.
  public func input<Input>(as type: Input.Type = Input.self) throws -> Input {
    try LogDecoder(input ?? .null).value(type)
  }

  /// Reads the action that the effect sends.
  ///
  /// - Parameter type: The type of the feature's actions.
  /// - Returns: The action; `nil` for an effect that does something else.
  /// - Throws: `LogDecodingError` when the action cannot be read.
  public func sentAction<Action>(as type: Action.Type = Action.self) throws -> Action? {
    try sentAction.map { try LogDecoder($0).value(type) }
  }
}

extension RestoredEffect: CustomStringConvertible {
  /// The effect, what started it, and what has become of it.
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
    case .cancelled: "not restarted, it had been cancelled"
    }
  }
}

/// The place in a log from which a store goes on.
///
/// ```swift
/// let store = try Store(replaying: .file("bug.jsonl"), through: 12) { AppFeature() }
/// store.restoredPosition?.seq  // 12
/// ```
public struct RestoredPosition: Sendable, Equatable {
  /// The id of the log.
  public let log: String
  /// The action after which the log has the state.
  public let seq: Int
  /// The effects that were alive there, and what has become of them.
  public let effects: [RestoredEffect]
  /// The members of the state that only the log or only the code has.
  public let drift: [SchemaDrift]
}
