/// One thing in which a log differs from the log that it is compared with.
///
/// Of a replay, `expected` is what was recorded and `actual` what the replay did.
public struct LogDifference: Sendable, Hashable {
  /// The action at which it shows.
  public var seq: Int
  /// What differs.
  public var cause: Cause
  /// The place: a path in the state or the action, the name of an effect, the key of a read, an event.
  public var subject: String
  /// Of an effect, what of it differs; `nil` when the whole effect is missing or new.
  public var member: String?
  /// What the first log has there; `nil` when it has nothing.
  public var expected: JSON?
  /// What the second log has there; `nil` when it has nothing.
  public var actual: JSON?
  /// Where the second log has an element of an array that has changed places; `nil` of any other difference.
  public var movedTo: String?
  /// More, in words.
  public var message: String?

  /// A difference.
  public init(
    seq: Int,
    cause: Cause,
    subject: String,
    member: String? = nil,
    expected: JSON? = nil,
    actual: JSON? = nil,
    movedTo: String? = nil,
    message: String? = nil
  ) {
    self.seq = seq
    self.cause = cause
    self.subject = subject
    self.member = member
    self.expected = expected
    self.actual = actual
    self.movedTo = movedTo
    self.message = message
  }

  /// A difference of two values.
  package init(_ difference: JSON.Difference, seq: Int, cause: Cause, message: String? = nil) {
    self.init(
      seq: seq,
      cause: cause,
      subject: difference.path.description,
      expected: difference.expected,
      actual: difference.actual,
      movedTo: difference.movedTo?.description,
      message: message
    )
  }

  /// What can differ between two logs.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The state after an action.
    case state
    /// The effects that the reducer returned, or which effects they cancelled.
    case effects
    /// What the reducer asked its dependencies for.
    case reads
    /// An action that the reducer sent itself.
    case producedAction
    /// An action from outside; a replay feeds it as it is, so that only `diff` finds this.
    case action
    /// What sent an action.
    case origin
    /// An action came from an effect that was not alive.
    case deadEffect
    /// The events are not in an order in which a store writes them.
    case sequence
    /// The log and the code have not the same members; a difference for strict comparisons alone.
    case schemaDrift
    /// A value in the log could not be read by the code.
    case undecodable
    /// A value that was needed was not recorded.
    case notReplayable
  }

  /// The place and, of an effect, the part of it: `/count`, `1.0/name`.
  public var path: String {
    member.map { "\(subject)/\($0)" } ?? subject
  }
}

extension LogDifference {
  /// The difference as a JSON object.
  public var json: JSON {
    var object: JSON.Object = [
      "seq": .number(JSON.Number(seq)), "cause": .string(cause.rawValue),
      "subject": .string(subject),
    ]
    object["member"] = member.map(JSON.string)
    object["expected"] = expected
    object["actual"] = actual
    object["movedTo"] = movedTo.map(JSON.string)
    object["message"] = message.map(JSON.string)
    return .object(object)
  }

  /// Reads a difference from its JSON form; `nil` when it is none.
  public init?(json: JSON) {
    guard
      let seq = json["seq"]?.int,
      let cause = json["cause"]?.string.flatMap(Cause.init(rawValue:)),
      let subject = json["subject"]?.string
    else { return nil }
    self.init(
      seq: seq,
      cause: cause,
      subject: subject,
      member: json["member"]?.string,
      expected: json["expected"],
      actual: json["actual"],
      movedTo: json["movedTo"]?.string,
      message: json["message"]?.string
    )
  }
}
