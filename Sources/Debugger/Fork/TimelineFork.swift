import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// A timeline that goes another way than the one that it was made from: a log of its own, and what is different in it.
package struct TimelineFork {
  /// The edits.
  package let edits: [TimelineEdit]
  /// The log, in a temporary file that stays as long as this value.
  package let log: LogSlice
  /// The log that was edited.
  package let base: LogSlice
  /// The last action that both have, in the same place and unchanged.
  package let after: Int
  /// The actions of the edited log that do not come, although no edit says so.
  package internal(set) var leftOut: [LeftOut] = []
  /// Actions that the edited log does not have.
  package internal(set) var added: [Added] = []
  /// What the reducer asked its dependencies for otherwise than recorded.
  package internal(set) var reads: [ChangedRead] = []
  /// The first action at which the two logs differ; `nil` when they do not.
  package internal(set) var firstDifference: Int?
  /// Which actions of the two logs correspond, from the checkpoint on from which this one was made.
  package internal(set) var aligned: AlignedLogs?
  /// The differences of the states at the end.
  package internal(set) var differences: [LogDifference] = []
  /// The last actions of the edited log and of this one.
  package internal(set) var last = (base: 0, fork: 0)
  /// The signal that ended the host within the last action.
  package internal(set) var trap: String?
  /// The action after which the edited log has a gap, so that nothing follows.
  package internal(set) var gap: Int?
  /// The number in this log of each action that comes again, by its number in the edited one.
  package internal(set) var numbers: [Int: Int] = [:]

  let folder: TemporaryDirectory
}

extension TimelineFork {
  /// An action of the edited log that does not come any more.
  package struct LeftOut: Sendable, Equatable {
    /// Its number in the edited log.
    package let seq: Int
    /// The action; `nil` for a change from outside, and for one that a filter has left out of the log.
    package internal(set) var action: JSON?
    package internal(set) var reason: OmissionReason
  }

  /// Why an action does not come.
  package enum OmissionReason: Sendable, Equatable {
    /// The action that started its effect does not come.
    case effectNeverStarts(EffectID)
    /// The action that started its effect does not start it any more.
    case effectNotReturned(EffectID)
    /// Its effect is cancelled before.
    case effectCancelled(EffectID)
    /// Its effect is to start after another one, which has not ended by then.
    case effectNotStarted(EffectID)
    /// Its effect does not run then.
    case effectNotRunning(EffectID)
    /// The reducer does not send it any more.
    case notSent(EffectID)
    /// The action during which it was sent does not come.
    case senderMissing
    /// The change of the state does not fit; the place has changed.
    case changeDoesNotFit(String)
    /// The timeline ends before it.
    case afterEnd
  }

  /// An action that the edited log does not have.
  package struct Added: Sendable, Equatable {
    /// Its number in this log.
    package let seq: Int
    package let action: JSON
    package let origin: LogEvent.Origin
    /// Whether an edit inserted it; the reducer has sent all others.
    package let isInserted: Bool
  }

  /// Something that the reducer asked a dependency for, or no longer did.
  package struct ChangedRead: Sendable, Equatable {
    /// The action in this log.
    package let seq: Int
    package let key: String
    /// The value that stands in; `nil` for a read that is not made any more.
    package internal(set) var standIn: JSON?
  }
}
