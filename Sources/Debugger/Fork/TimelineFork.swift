import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// A timeline that edits have made from another one, with its log and its differences.
package struct TimelineFork {
  package let edits: [TimelineEdit]
  /// The fork's log, in a temporary file that exists as long as the fork.
  package let log: LogSlice
  /// The log to which the edits were applied.
  package let base: LogSlice
  /// The number of the last action that is the same in both logs.
  package let after: Int
  /// The actions of the edited log that no longer occur, except for edited actions.
  package internal(set) var leftOut: [OmittedAction] = []
  /// The actions that the edited log doesn't have.
  package internal(set) var added: [ForkOnlyAction] = []
  /// The reads that were added or dropped.
  package internal(set) var reads: [AddedOrDroppedRead] = []
  /// The number of the first action at which the two logs differ, or `nil` if they are equal.
  package internal(set) var firstDifference: Int?
  /// The actions that correspond in the two logs, starting at the checkpoint from which the fork is replayed.
  package internal(set) var aligned: AlignedComparisonResult?
  /// The differences between the final states.
  package internal(set) var differences: [LogDifference] = []
  /// The numbers of the last actions in the edited log and in the fork.
  package internal(set) var last = (base: 0, fork: 0)
  /// The signal that ended the host during the last action, or `nil` if the host didn't trap.
  package internal(set) var trap: String?
  /// The number of the action before a gap that ends the fork, or `nil` if there is none.
  package internal(set) var gap: Int?
  /// The new numbers of the remaining actions, keyed by their numbers in the edited log.
  package internal(set) var numbers: [Int: Int] = [:]

  let folder: TemporaryDirectory
}

extension TimelineFork {
  /// An action of the edited log that no longer occurs.
  package struct OmittedAction: Sendable, Equatable {
    /// The action's number in the edited log.
    package let seq: Int
    /// The action's value, or `nil` for an external change or an action that a filter has excluded from the log.
    package internal(set) var action: JSON?
    package internal(set) var reason: OmissionReason
  }

  /// The reason why an action no longer occurs.
  package enum OmissionReason: Sendable, Equatable {
    /// The action that started the sending effect doesn't occur.
    case effectNeverStarts(EffectID)
    /// The action that started the sending effect no longer starts it.
    case effectNotReturned(EffectID)
    /// The sending effect is canceled earlier.
    case effectCancelled(EffectID)
    /// The sending effect waits for another effect that hasn't ended.
    case effectNotStarted(EffectID)
    /// The sending effect isn't running at this point.
    case effectNotRunning(EffectID)
    /// The reducer no longer sends the action.
    case notSent(EffectID)
    /// The action was sent during another action, which no longer occurs.
    case senderMissing
    /// The external change can't be applied, because the value at the path has changed.
    case changeDoesNotFit(String)
    /// The fork ends before the action.
    case afterEnd
  }

  /// An action that the edited log doesn't have.
  package struct ForkOnlyAction: Sendable, Equatable {
    /// The action's number in the fork.
    package let seq: Int
    package let action: JSON
    package let origin: LogEvent.Origin
    /// Whether an edit has inserted the action.
    ///
    /// If `false`, the reducer has sent it.
    package let isInserted: Bool
  }

  /// A read that the fork has added or dropped.
  package struct AddedOrDroppedRead: Sendable, Equatable {
    /// The number of the action in the fork.
    package let seq: Int
    package let key: String
    /// The stand-in that answered an added read, or `nil` for a dropped read.
    package internal(set) var standIn: JSON?
  }
}
