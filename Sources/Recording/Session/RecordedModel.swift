public import ActionLog

/// The facts that a recording session can't derive from states and actions, supplied by the implementation of the
/// model.
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
/// Each requirement has a default: the root feature, no stacks, no shared values.
public protocol RecordedModel: Sendable {
  /// The model's members of `environment` in the header, such as the locale.
  ///
  /// The session reads them when the log begins. The member `remedies` maps type names to the lines of code that make
  /// these types loggable, for types that can't use `@LogValue`. The key is the last component of the type's name. In
  /// the code, `{type}` stands for that component and `{owner}` for the components before it.
  var environment: JSON.Object { get }
  /// The path from the root feature to the recorded one, which is `scope` in the header; empty for the root.
  ///
  /// The session reads it when the log begins.
  var scope: [JSON] { get }
  /// The number of the next stack element, for checkpoints; `nil` without stacks.
  var nextStackElement: Int? { get }
  /// Returns the paths of a state that refer to the same shared value, for checkpoints; `nil` if there are none.
  func sharedPlaces<State>(in state: State) -> JSON?
  /// Returns the paths of an action that hold shared values, with the paths of these values in the state before the
  /// action.
  ///
  /// The session calls it only if `SharedWrites.count` has grown while the action was written.
  ///
  /// - Returns: The paths; `nil` if there are none.
  func sharedPlaces<Action, State>(of action: Action, in state: State) -> JSON?
}

extension RecordedModel {
  /// An empty object.
  public var environment: JSON.Object { [:] }
  /// An empty path, which stands for the root feature.
  public var scope: [JSON] { [] }
  /// `nil`, for a model without stacks.
  public var nextStackElement: Int? { nil }
  /// Returns `nil`, for a model without shared values.
  public func sharedPlaces<State>(in state: State) -> JSON? { nil }
  /// Returns `nil`, for a model without shared values.
  public func sharedPlaces<Action, State>(of action: Action, in state: State) -> JSON? { nil }
}

/// The sender of an action and the action's number in the store.
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
    /// Code outside the store, such as a view.
    case view
    /// An effect of a reducer outside the recorded feature.
    case parent
    /// The reducer or an observer, while the store was handling another action.
    case reentrant
    /// An effect of the recorded feature; `via` names the part of the library that sent the action, such as `dismiss`.
    case effect(EffectID, via: String?)
  }

  /// The origin of the action.
  public var origin: Origin
  /// The number of the action among all actions of the store, from 1.
  public var number: Int

  /// Creates a sender.
  public init(_ origin: Origin, number: Int) {
    self.origin = origin
    self.number = number
  }
}

/// A change in the lifecycle of an effect.
///
/// ```swift
/// session.effect(EffectID(seq: 1, index: 0), did: .finished(sent: 2))
/// ```
public enum EffectEvent: Sendable {
  /// It started after its action, as a later part of a concatenation.
  case started
  /// Its operation returned.
  ///
  /// `sent` counts its delivered actions.
  case finished(sent: Int)
  /// Its operation threw an error.
  case failed(any Error)
  /// It was cancelled.
  ///
  /// `dropping` counts the enclosing concatenations whose remaining parts don't start.
  case cancelled(by: Canceller, dropping: Int)

  /// The cause of a cancellation.
  ///
  /// ```swift
  /// session.effect(EffectID(seq: 1, index: 0), did: .cancelled(by: .action(number: 3), dropping: 0))
  /// ```
  public enum Canceller: Sendable {
    /// An action, identified by its number in the store.
    case action(number: Int)
    /// Another effect of the recorded feature.
    case effect(EffectID)
    /// The task that started the effect.
    case task
    /// The store, which was deallocated.
    case store
  }
}
