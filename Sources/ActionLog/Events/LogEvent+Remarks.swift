extension LogEvent {
  /// Events that are missing because they could not be written.
  ///
  /// A checkpoint follows, from which a replay continues.
  ///
  /// ```json
  /// {"kind":"gap","seq":12,"at":5203,"dropped":40,"reason":"No space left on device"}
  /// ```
  public struct Gap: Sendable, Equatable {
    /// The number of the last action with missing events.
    public var seq: Int
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The number of missing events.
    public var dropped: Int
    /// The reason for the gap, for people.
    public var reason: String
    /// The members that this version doesn't know.
    public var rest = JSON.Object()

    /// Creates a gap.
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

  /// An action that is being reduced and is written later, because it might hold a value to mask.
  ///
  /// The action itself follows together with its change. If it doesn't follow, the process ended while it reduced the
  /// action.
  ///
  /// ```json
  /// {"kind":"withheld","seq":4,"at":27135,"origin":"view","cases":["login","binding"]}
  /// ```
  public struct Withheld: Sendable, Equatable {
    /// The action's number.
    public var seq: Int
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The sender of the action.
    public var origin: Origin
    /// The names of the action's nested cases, such as `["path", "element", "settings", "binding"]`.
    public var cases: [String]
    /// The members that this version doesn't know.
    public var rest = JSON.Object()

    /// Creates a withheld action.
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

  /// A note of the app.
  ///
  /// Informational.
  ///
  /// ```json
  /// {"kind":"note","seq":12,"at":5203,"text":"the user asked for help"}
  /// ```
  public struct Note: Sendable, Equatable {
    /// The number of the last action before the note.
    public var seq: Int
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The text of the note.
    public var text: String
    /// The members that this version doesn't know.
    public var rest = JSON.Object()

    /// Creates a note.
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

  /// A finding of a replay about an action, in addition to the action's result.
  ///
  /// Only replayed logs hold findings. Recorders write none.
  ///
  /// ```json
  /// {"kind":"finding","seq":3,"code":"schemaDrift","subject":"/isDone","message":"the log lacks it; it has its initial value"}
  /// ```
  public struct Finding: Sendable, Hashable {
    /// The number of the action.
    public var seq: Int
    /// The kind of the finding.
    public var code: Code
    /// The subject: a path in the state or action, the key of a read, the id of an effect, or a line of source.
    public var subject: String
    /// The recorded value, or `nil` if there is none.
    public var expected: JSON?
    /// The value in the replay, or `nil` if there is none.
    public var actual: JSON?
    /// A further explanation for people.
    public var message: String?
    /// The kind of the issue, for a finding with the code `runtimeIssue`.
    ///
    /// `nil` if the kind is unknown.
    public var issue: Issue?
    /// The members that this version doesn't know.
    public var rest = JSON.Object()

    /// The kinds of issues that tools handle specially.
    public enum Issue: String, Hashable, Sendable, CaseIterable {
      /// An action, a dismissal or a pop was sent to a feature, an element or a case that doesn't exist.
      case missingFeature
    }

    /// The kinds of findings.
    ///
    /// ```swift
    /// let issues = result.notes.filter { $0.code == .runtimeIssue }
    /// ```
    public enum Code: String, Hashable, Sendable, CaseIterable {
      /// The reducer read a value that the recording doesn't have.
      case unrecordedRead
      /// The reducer did not read a value that the recording has.
      case unusedRead
      /// The effect that sent an action was not alive.
      case deadEffect
      /// The code can't decode a value in the log.
      case undecodable
      /// The log lacks a value that the replay needs.
      case notReplayable
      /// A member exists only in the log or only in the code.
      case schemaDrift
      /// A member of an action that the reducer sends itself exists only in the log or only in the code.
      case actionDrift
      /// The log holds only the type of a value, so the value was not compared.
      case opaque
      /// The replay continued from the recorded state after this action, because its own state differed.
      case resynced
      /// The host has no feature with the log's feature name or state type.
      case unknownFeature
      /// The recorded events contradict each other.
      case brokenLog
      /// The reducer, or code that it calls, reported an issue.
      ///
      /// This is not a difference, because a log doesn't record issues.
      case runtimeIssue
      /// The log was migrated, or a migration found nothing to change.
      case migration
    }

    /// Creates a finding.
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
      // A newer version may write other kinds, which are ignored.
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
  /// Whether the finding reports members that the log and the code don't share.
  ///
  /// Such findings are differences only in strict comparisons.
  package var isDrift: Bool { self == .schemaDrift || self == .actionDrift }
}
