public import ActionLog

/// The facts that a recording session cannot see in states and actions, from the implementation of the model.
///
/// ```swift
/// struct AppModel: RecordedModel {
///   var environment: JSON.Object { ["locale": .string(Locale.current.identifier)] }
///   var nextStackElement: Int? { router.nextID }
///   func sharedPlaces<State>(in state: State) -> JSON? {
///     state is AppState ? [["root": 0, "at": "/settings"], ["root": 0, "at": "/profile/settings"]] : nil
///   }
/// }
/// ```
///
/// What a model leaves out has a default: the root feature, no stacks, nothing shared.
public protocol RecordedModel: Sendable {
  /// The model's members of `environment` in the header, such as the locale. Asked for when the log begins.
  ///
  /// `remedies` among them has the lines of code that make types loggable, where `@LogValue` is not the one to add: by the last part of the
  /// types' names, with `{type}` and `{owner}` for the name and what comes before its last part.
  var environment: JSON.Object { get }
  /// The way from the root feature to the recorded one, `scope` in the header; empty for the root. Asked for when the log begins.
  var scope: [JSON] { get }
  /// The number that the next element of a stack gets, for checkpoints; nil where there are no stacks.
  var nextStackElement: Int? { get }
  /// The places of a state that hold one and the same shared value, for checkpoints; nil when there are none.
  func sharedPlaces<State>(in state: State) -> JSON?
  /// The places of an action that hold a shared value, and the places of that value in the state before the action; `nil` when
  /// there are none. Asked for when `SharedWrites` has counted while the action was written.
  func sharedPlaces<Action, State>(of action: Action, in state: State) -> JSON?
}

extension RecordedModel {
  /// Nothing of the model's own.
  public var environment: JSON.Object { [:] }
  /// The root feature.
  public var scope: [JSON] { [] }
  /// There are no stacks.
  public var nextStackElement: Int? { nil }
  /// Nothing is shared.
  public func sharedPlaces<State>(in state: State) -> JSON? { nil }
  /// Nothing is shared.
  public func sharedPlaces<Action, State>(of action: Action, in state: State) -> JSON? { nil }
}

/// The sender of an action.
///
/// ```swift
/// let step = recording.willReduce(action, from: ActionSender(.view, number: 1), state: state)
/// ```
public struct ActionSender: Sendable {
  /// The origin of an action.
  ///
  /// ```swift
  /// ActionSender(.effect(EffectID(seq: 1, index: 0), via: "dismiss"), number: 2)
  /// ```
  public enum Origin: Sendable {
    /// Something outside of the store.
    case view
    /// An effect of a reducer around the feature.
    case parent
    /// The reducer or an observer, while the store was busy with an action.
    case reentrant
    /// An effect that the session knows, `via` the part of the library that is named, such as `dismiss`.
    case effect(EffectID, via: String?)
  }

  /// The origin of the action.
  public var origin: Origin
  /// The action's place among all actions of the store, from 1.
  public var number: Int

  /// A sender.
  public init(_ origin: Origin, number: Int) {
    self.origin = origin
    self.number = number
  }
}

/// An event in the life of an effect.
///
/// ```swift
/// session.effect(EffectID(seq: 1, index: 0), did: .finished(sent: 2))
/// ```
public enum EffectEvent: Sendable {
  /// It started later than its action, as a part of a concatenation.
  case started
  /// Its operation returned; `sent` of its actions were delivered.
  case finished(sent: Int)
  /// Its operation threw an error.
  case failed(any Error)
  /// It was cancelled; of `dropping` concatenations around it nothing more starts.
  case cancelled(by: Canceller, dropping: Int)

  /// The cause of a cancellation.
  ///
  /// ```swift
  /// session.effect(EffectID(seq: 1, index: 0), did: .cancelled(by: .action(number: 3), dropping: 0))
  /// ```
  public enum Canceller: Sendable {
    /// An action, by its number in the store.
    case action(number: Int)
    /// Another effect.
    case effect(EffectID)
    /// The task that started it.
    case task
    /// The store, which went away.
    case store
  }
}
