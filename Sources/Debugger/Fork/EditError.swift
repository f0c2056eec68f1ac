import ActionLog
import ReplayCommands
import ReplayEngine

/// The reason why an edit can't be applied to its log.
package enum EditError: StatusError, Equatable, CustomStringConvertible {
  /// The log doesn't have an action with this number. Its last action has the number `last`.
  case noSuchAction(TimelineEdit, Int, last: Int)
  /// The reducer itself sends the action, through the effect with this id.
  case sentByReducer(TimelineEdit, Int, EffectID)
  /// A filter has excluded the action from the log, so that only the action's result is known.
  case excluded(TimelineEdit, Int)
  /// Another edit concerns the same action.
  case twice(TimelineEdit, TimelineEdit)
  /// The typed action or value is not exact enough.
  case inexact(TimelineEdit, InexactNotationError)
  /// The text is neither in the notation nor JSON.
  case unreadable(TimelineEdit, String)
  /// The action or the state has no value at the path.
  case nothing(TimelineEdit, ValuePath, UnresolvedPath?)
  /// The path matches several values.
  case ambiguous(TimelineEdit, ValuePath, [String])
  /// The action did not read this key; it read the keys in `known`.
  case noRead(TimelineEdit, known: [String])
  /// The log doesn't have an effect with this id.
  case noEffect(TimelineEdit, EffectID)
  /// The effect is a `.send`, which delivers its action immediately.
  case sendsAtOnce(TimelineEdit, EffectID)
  /// The effect sent more than one action.
  case sentMore(TimelineEdit, EffectID, [Int])
  /// The action would come before its cause.
  case beforeCause(TimelineEdit, cause: Int)
  /// An action would be moved next to itself.
  case toItself(TimelineEdit)
  /// The log has a gap after the edited action, without a checkpoint in between.
  case noState(TimelineEdit)
  /// The host can't decode an action, a value for it, or, if `action` is `nil`, the initial state.
  ///
  /// The replay ends at this point.
  ///
  /// - Parameter meant: The most similar action of the feature, if the action doesn't exist.
  case undecodable(seq: Int, action: JSON?, edit: TimelineEdit?, String, meant: String? = nil)

  package var description: String { Wording.describe(self) }

  package var status: ExitStatus {
    switch self {
    case .noSuchAction, .noRead, .noEffect, .nothing: .different
    // Without an edit, the log itself contains the value that can't be decoded.
    case .undecodable(_, _, let edit, _, _): edit == nil ? .unreadable : .usage
    default: .usage
    }
  }
}
