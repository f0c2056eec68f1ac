import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// A timeline that edits have made from another one, with its log and its differences.
package struct TimelineFork {
  package let edits: [TimelineEdit]
  /// The fork's log, in a temporary file that exists as long as this value.
  package let log: LogSlice
  /// The edited log.
  package let base: LogSlice
  /// The last action that is the same in both logs.
  package let after: Int
  /// The actions of the edited log that no longer occur, apart from edited ones.
  package internal(set) var leftOut: [LeftOut] = []
  /// The actions that the edited log doesn't have.
  package internal(set) var added: [Added] = []
  /// The reads that differ from the recording.
  package internal(set) var reads: [ChangedRead] = []
  /// The first action at which the two logs differ; `nil` if they are equal.
  package internal(set) var firstDifference: Int?
  /// The corresponding actions of the two logs, starting at the checkpoint of the fork.
  package internal(set) var aligned: AlignedLogs?
  /// The differences between the final states.
  package internal(set) var differences: [LogDifference] = []
  /// The numbers of the last actions in the edited log and in the fork.
  package internal(set) var last = (base: 0, fork: 0)
  /// The signal that ended the host during the last action.
  package internal(set) var trap: String?
  /// The action before a gap that ends the fork; `nil` if there is none.
  package internal(set) var gap: Int?
  /// The new number of each remaining action, by its number in the edited log.
  package internal(set) var numbers: [Int: Int] = [:]

  let folder: TemporaryDirectory
}

extension TimelineFork {
  /// An action of the edited log that no longer occurs.
  package struct LeftOut: Sendable, Equatable {
    /// The action's number in the edited log.
    package let seq: Int
    /// The action; `nil` for an external change, or if a filter has excluded it from the log.
    package internal(set) var action: JSON?
    package internal(set) var reason: OmissionReason
  }

  /// The reason why an action no longer occurs.
  package enum OmissionReason: Sendable, Equatable {
    /// The action that started its effect doesn't occur.
    case effectNeverStarts(EffectID)
    /// The action that started its effect no longer starts it.
    case effectNotReturned(EffectID)
    /// Its effect is cancelled earlier.
    case effectCancelled(EffectID)
    /// Its effect waits for another one that hasn't ended yet.
    case effectNotStarted(EffectID)
    /// Its effect isn't running at that point.
    case effectNotRunning(EffectID)
    /// The reducer no longer sends it.
    case notSent(EffectID)
    /// The action during which it was sent doesn't occur.
    case senderMissing
    /// The change of the state doesn't apply, because the value at the path has changed.
    case changeDoesNotFit(String)
    /// The fork ends before it.
    case afterEnd
  }

  /// An action that the edited log doesn't have.
  package struct Added: Sendable, Equatable {
    /// The action's number in the fork.
    package let seq: Int
    package let action: JSON
    package let origin: LogEvent.Origin
    /// Whether an edit has inserted the action; if not, the reducer has sent it.
    package let isInserted: Bool
  }

  /// A read that was added or dropped.
  package struct ChangedRead: Sendable, Equatable {
    /// The number of the action in the fork.
    package let seq: Int
    package let key: String
    /// The substituted value; `nil` for a dropped read.
    package internal(set) var standIn: JSON?
  }
}
