import ActionLog
import ReplayCommands
import ReplayEngine

/// An edit that does not fit the log it is made for.
package enum EditError: StatusError, Equatable, CustomStringConvertible {
  /// The log does not have this action; it has actions up to `last`.
  case noSuchAction(TimelineEdit, Int, last: Int)
  /// The reducer itself sends the action, by an effect of this name.
  case sentByReducer(TimelineEdit, Int, EffectID)
  /// A filter has left the action out of the log, so only its outcome is known.
  case excluded(TimelineEdit, Int)
  /// Another edit is about the same action.
  case twice(TimelineEdit, TimelineEdit)
  /// The action or value that was typed does not say exactly what is meant.
  case inexact(TimelineEdit, InexactNotation)
  /// The text is not in the notation, or not JSON.
  case unreadable(TimelineEdit, String)
  /// The action, or the state, has nothing at the place.
  case nothing(TimelineEdit, ValuePath, UnresolvedPath?)
  /// The place stands for several, of which there may be more than one.
  case ambiguous(TimelineEdit, ValuePath, [String])
  /// The action did not read this; it read the keys in `known`.
  case noRead(TimelineEdit, known: [String])
  /// The log does not have this effect.
  case noEffect(TimelineEdit, EffectID)
  /// The effect is a part of what the reducer returned that sends its action at once.
  case sendsAtOnce(TimelineEdit, EffectID)
  /// The effect sent more than one action.
  case sentMore(TimelineEdit, EffectID, [Int])
  /// The action would come before the one that led to it.
  case beforeCause(TimelineEdit, cause: Int)
  /// An action is to come next to itself.
  case toItself(TimelineEdit)
  /// The log has a gap after the edited action, and no checkpoint between.
  case noState(TimelineEdit)
  /// The host cannot read an action, or a value that it needs, or, without an action, the state; nothing follows from there.
  ///
  /// `meant` is the action of the feature that was most likely meant by one that the feature does not have.
  case undecodable(seq: Int, action: JSON?, edit: TimelineEdit?, String, meant: String? = nil)

  package var description: String { Wording.describe(self) }

  package var status: ExitStatus {
    switch self {
    case .noSuchAction, .noRead, .noEffect, .nothing: .different
    // What was typed is wrong, or what the log has.
    case .undecodable(_, _, let edit, _, _): edit == nil ? .unreadable : .usage
    default: .usage
    }
  }
}
