public import ActionLog

/// A source of information about the app's model that a recording session can't derive from states and actions.
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
/// Each requirement has a default. The defaults describe a root feature without stacks and shared values.
public protocol RecordedModel: Sendable {
  /// The members that the model adds to `environment` in the header, such as the locale.
  ///
  /// The session reads this property when the log begins. The member `remedies` maps type names to the lines of code
  /// that make these types loggable, for types that can't use `@LogValue`. The key is the last component of the type's
  /// name. In the code, `{type}` stands for that component and `{owner}` for the components before it.
  var environment: JSON.Object { get }
  /// The path from the root feature to the recorded feature, or an empty array for the root feature.
  ///
  /// The session reads this property when the log begins, and writes it as `scope` in the header.
  var scope: [JSON] { get }
  /// The number of the next stack element, which checkpoints contain, or `nil` if the model has no stacks.
  var nextStackElement: Int? { get }
  /// Returns the paths in a state that refer to the same shared value, which checkpoints contain.
  ///
  /// - Returns: The paths, or `nil` if the state contains no shared values.
  func sharedPlaces<State>(in state: State) -> JSON?
  /// Returns the paths in an action that contain shared values, with the paths of these values in the state before the
  /// action.
  ///
  /// The session calls this method only if `SharedWriteCounter.count` has grown while the action was written.
  ///
  /// - Returns: The paths, or `nil` if the action contains no shared values.
  func sharedPlaces<Action, State>(of action: Action, in state: State) -> JSON?
}

extension RecordedModel {
  /// An empty object, for a model that adds no members to the header.
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

/// The sender of an action, and the action's number in the store.
///
/// ```swift
/// let step = recording.willReduce(action, from: ActionSender(.view, number: 1), state: state)
/// ```
public struct ActionSender: Sendable {
  /// The code that sent an action.
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
    /// An effect of the recorded feature.
    ///
    /// - Parameter via: The part of the library that sent the action, such as `dismiss`, or `nil` if the effect sent it
    ///   directly.
    case effect(EffectID, via: String?)
  }

  /// The code that sent the action.
  public var origin: Origin
  /// The number of the action among all actions that the store has handled, from 1.
  public var number: Int

  /// Creates a sender for an action with a number.
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
  /// The effect started after its action, as a later part of a concatenation.
  case started
  /// The effect's operation returned.
  ///
  /// - Parameter sent: The number of actions that the effect delivered.
  case finished(sent: Int)
  /// The effect's operation threw an error.
  case failed(any Error)
  /// The effect was canceled.
  ///
  /// - Parameters:
  ///   - by: The cause of the cancellation.
  ///   - dropping: The number of enclosing concatenations whose remaining parts don't start.
  case cancelled(by: Canceller, dropping: Int)

  /// The cause of an effect's cancellation.
  ///
  /// ```swift
  /// session.effect(EffectID(seq: 1, index: 0), did: .cancelled(by: .action(number: 3), dropping: 0))
  /// ```
  public enum Canceller: Sendable {
    /// An action, identified by the number that the store gave it.
    case action(number: Int)
    /// Another effect of the recorded feature.
    case effect(EffectID)
    /// The task that started the effect, because this task was canceled.
    case task
    /// The store, because it was deallocated.
    case store
  }
}
