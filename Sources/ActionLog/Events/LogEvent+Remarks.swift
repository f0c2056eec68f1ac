extension LogEvent {
  /// Events that are missing because they could not be written.
  ///
  /// A checkpoint follows the gap, and a replay continues from that checkpoint.
  ///
  /// ```json
  /// {"kind":"gap","seq":12,"at":5203,"dropped":40,"reason":"No space left on device"}
  /// ```
  public struct Gap: Sendable, Equatable {
    /// The number of the last action when the event was written.
    ///
    /// Usually, events of this action are missing.
    public var seq: Int
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The number of events that are missing.
    public var dropped: Int
    /// The reason for the gap, as text for people.
    public var reason: String
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// Creates the event of a gap.
    public init(seq: Int, at: Int, dropped: Int, reason: String) {
      self.seq = seq
      self.at = at
      self.dropped = dropped
      self.reason = reason
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.number("at") ?? 0
      dropped = try members.required("dropped", "a whole number") { $0.int }
      reason = try members.optional("reason", "a string") { $0.string } ?? ""
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("gap")
      encoder.field("seq", seq)
      encoder.field("at", at)
      encoder.field("dropped", dropped)
      encoder.field("reason", reason)
      encoder.endEvent(rest)
    }
  }

  /// An action whose event is written later, because the action might contain a value to mask.
  ///
  /// The action's own event follows together with its change. If both are missing, the process ended while the reducer
  /// handled the action.
  ///
  /// ```json
  /// {"kind":"withheld","seq":4,"at":27135,"origin":"view","cases":["login","binding"]}
  /// ```
  public struct Withheld: Sendable, Equatable {
    /// The action's number, counted from 1.
    public var seq: Int
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The sender of the action.
    public var origin: Origin
    /// The names of the action's nested enum cases, outermost first, such as `["path", "element", "settings",
    /// "binding"]`.
    public var cases: [String]
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// Creates the event of a withheld action.
    public init(seq: Int, at: Int, origin: Origin, cases: [String]) {
      self.seq = seq
      self.at = at
      self.origin = origin
      self.cases = cases
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.number("at") ?? 0
      origin = try members.required("origin", Origin.expected) { Origin($0) }
      cases = try members.required("cases", "an array of strings") {
        $0.json.array.flatMap { names in
          let texts = names.compactMap(\.string)
          return texts.count == names.count ? texts : nil
        }
      }
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("withheld")
      encoder.field("seq", seq)
      encoder.field("at", at)
      encoder.field("origin", origin.json)
      encoder.field("cases", cases)
      encoder.endEvent(rest)
    }
  }

  /// A note that the app added to its recording.
  ///
  /// Informational: replays and comparisons ignore it.
  ///
  /// ```json
  /// {"kind":"note","seq":12,"at":5203,"text":"the user asked for help"}
  /// ```
  public struct Note: Sendable, Equatable {
    /// The number of the last action before the note.
    public var seq: Int
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The text that the app passed.
    public var text: String
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// Creates the event of a note.
    public init(seq: Int, at: Int, text: String) {
      self.seq = seq
      self.at = at
      self.text = text
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.number("at") ?? 0
      text = try members.required("text", "a string") { $0.string }
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("note")
      encoder.field("seq", seq)
      encoder.field("at", at)
      encoder.field("text", text)
      encoder.endEvent(rest)
    }
  }

  /// A replay's finding about an action, in addition to the action's result.
  ///
  /// Only replayed logs contain findings. Recorders write none.
  ///
  /// ```json
  /// {"kind":"finding","seq":3,"code":"schemaDrift","subject":"/isDone","message":"the log lacks it; it has its initial value"}
  /// ```
  public struct Finding: Sendable, Hashable {
    /// The number of the action to which the finding belongs.
    public var seq: Int
    /// The kind of finding, on which tools base decisions.
    public var code: Code
    /// The subject of the finding: a path in the state or action, a read's key, an effect's id, or a line of source.
    public var subject: String
    /// The value in the recording, or `nil` if there is none.
    public var expected: JSON?
    /// The value in the replay, or `nil` if there is none.
    public var actual: JSON?
    /// An explanation for people, if the other members aren't enough.
    public var message: String?
    /// The kind of issue, in a finding with the code `runtimeIssue`.
    ///
    /// `nil` for other findings, and for issues that tools don't handle specially.
    public var issue: Issue?
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// The kinds of issues that tools handle specially.
    public enum Issue: String, Hashable, Sendable, CaseIterable {
      /// An action, a dismissal, or a pop was sent to a feature, an element, or a case that doesn't exist.
      case missingFeature
    }

    /// The kinds of findings.
    ///
    /// ```swift
    /// let issues = result.notes.filter { $0.code == .runtimeIssue }
    /// ```
    public enum Code: String, Hashable, Sendable, CaseIterable {
      /// The reducer read a value that is missing from the recording.
      case unrecordedRead
      /// The recording contains a value that the reducer didn't read.
      case unusedRead
      /// An action was sent by an effect that was not alive.
      case deadEffect
      /// The code can't decode a value in the log.
      case undecodable
      /// The recording lacks a value that the replay needs.
      case notReplayable
      /// A member exists only in the log, or only in the code.
      case schemaDrift
      /// A member of an action that the reducer itself sends exists only in the log, or only in the code.
      case actionDrift
      /// The log contains only a value's type, so the value was not compared.
      case opaque
      /// The replay adopted the recorded state after this action, because its own state differed.
      case resynced
      /// The host has no feature with the log's feature name or state type.
      case unknownFeature
      /// The recorded events contradict each other.
      case brokenLog
      /// The reducer, or code that it calls, reported an issue.
      ///
      /// An issue is no difference, because logs don't record issues.
      case runtimeIssue
      /// The log was migrated, or a migration found no value to change.
      case migration
    }

    /// Creates the event of a finding.
    public init(
      seq: Int,
      code: Code,
      subject: String,
      expected: JSON? = nil,
      actual: JSON? = nil,
      message: String? = nil,
      issue: Issue? = nil
    ) {
      self.seq = seq
      self.code = code
      self.subject = subject
      self.expected = expected
      self.actual = actual
      self.message = message
      self.issue = issue
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      code = try members.required("code", "the code of a finding") {
        $0.string.flatMap(Code.init(rawValue:))
      }
      subject = try members.required("subject", "a string") { $0.string }
      expected = members.json("expected")
      actual = members.json("actual")
      message = try members.optional("message", "a string") { $0.string }
      // A newer version may write other kinds of issues, which this version ignores.
      issue = try members.optional("issue", "a string") { $0.string }
        .flatMap(Issue.init(rawValue:))
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("finding")
      encoder.field("seq", seq)
      encoder.field("code", code.rawValue)
      encoder.field("subject", subject)
      encoder.field("expected", ifPresent: expected)
      encoder.field("actual", ifPresent: actual)
      encoder.field("message", ifPresent: message)
      encoder.field("issue", ifPresent: issue?.rawValue)
      encoder.endEvent(rest)
    }
  }
}

extension LogEvent.Finding.Code {
  /// Whether the finding reports a member that exists only in the log, or only in the code.
  ///
  /// Such findings are differences only in strict comparisons.
  package var isDrift: Bool { self == .schemaDrift || self == .actionDrift }
}
