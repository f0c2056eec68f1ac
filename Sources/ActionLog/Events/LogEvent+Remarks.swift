extension LogEvent {
  /// Events that are missing because they could not be written; a checkpoint follows, from which a replay continues.
  ///
  /// ```json
  /// {"kind":"gap","seq":12,"at":5203,"dropped":40,"reason":"No space left on device"}
  /// ```
  public struct Gap: Sendable, Equatable {
    /// The last action of which something is missing.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// The number of missing events.
    public var dropped: Int
    /// Why they are missing, in words.
    public var reason: String
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// A gap.
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

  /// An action that is being reduced and is written afterwards, because it might hold what is to be masked.
  ///
  /// The action itself follows with its change. Where it does not, the process has ended while the action was reduced.
  ///
  /// ```json
  /// {"kind":"withheld","seq":4,"at":27135,"origin":"view","cases":["login","binding"]}
  /// ```
  public struct Withheld: Sendable, Equatable {
    /// The action's number.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// The sender of the action.
    public var origin: Origin
    /// The names of the cases that lead to what the action does: `["path", "element", "settings", "binding"]`.
    public var cases: [String]
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// An action that is withheld.
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

  /// A note of the app; informational.
  ///
  /// ```json
  /// {"kind":"note","seq":12,"at":5203,"text":"the user asked for help"}
  /// ```
  public struct Note: Sendable, Equatable {
    /// The last action before it.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// The app's text.
    public var text: String
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// A note.
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

  /// A finding of a replay about an action, beside its outcome.
  ///
  /// Only replayed logs hold findings; a recorder writes none.
  ///
  /// ```json
  /// {"kind":"finding","seq":3,"code":"schemaDrift","subject":"/isDone","message":"the log lacks it; it has its initial value"}
  /// ```
  public struct Finding: Sendable, Hashable {
    /// The action.
    public var seq: Int
    /// The kind of the finding.
    public var code: Code
    /// The subject: a path in the state or action, the key of a read, the id of an effect, a line of source.
    public var subject: String
    /// The recorded value, if there is one.
    public var expected: JSON?
    /// The value of the replay, if there is one.
    public var actual: JSON?
    /// More, in words.
    public var message: String?
    /// The kind of the issue, for a finding with the code `runtimeIssue` whose kind is known.
    public var issue: Issue?
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// The kinds of issues that tools treat differently from others.
    public enum Issue: String, Hashable, Sendable, CaseIterable {
      /// An action, a dismissal or a pop was for a feature, an element or a case that is not there.
      case missingFeature
    }

    /// The kinds of findings.
    ///
    /// ```swift
    /// let issues = result.notes.filter { $0.code == .runtimeIssue }
    /// ```
    public enum Code: String, Hashable, Sendable, CaseIterable {
      /// The reducer read a value that it did not read when it was recorded.
      case unrecordedRead
      /// The reducer did not read a value that it read when it was recorded.
      case unusedRead
      /// An action came from an effect that is not alive.
      case deadEffect
      /// A value in the log cannot be read by the code.
      case undecodable
      /// A value that the replay needs is not in the log.
      case notReplayable
      /// The log and the code do not have the same members.
      case schemaDrift
      /// The log and the code do not have the same members in an action that the reducer sends itself.
      case actionDrift
      /// The log holds the type of a value alone, so that nothing was compared at its place.
      case opaque
      /// The replay continued from the recorded state after this action, because its own state differed.
      case resynced
      /// The host has no feature of the log's name or state type.
      case unknownFeature
      /// The recorded events contradict each other.
      case brokenLog
      /// The reducer, or code that it calls, reported an issue: not a difference, because the log does not say whether it did
      /// so when it was recorded.
      case runtimeIssue
      /// The log was migrated, or a migration found nothing to change.
      case migration
    }

    /// A finding.
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
      // A newer version may know more kinds.
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
  /// Whether it reports members that log and code do not share, which is a difference for strict comparisons alone.
  package var isDrift: Bool { self == .schemaDrift || self == .actionDrift }
}
