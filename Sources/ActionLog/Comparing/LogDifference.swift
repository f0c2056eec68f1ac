/// A difference between two logs.
///
/// In the comparison of a recording with its replay, `expected` is the recorded value and `actual` the replayed one.
/// If the logs have different events at the same position, `expected` names the event in the replay, and `actual` names
/// the event that was found in the recording instead.
///
/// ```swift
/// let difference = LogDifference(seq: 3, cause: .state, subject: "/count", expected: 1, actual: 2)
/// difference.path  // /count
/// difference.json  // {"seq":3,"cause":"state","subject":"/count","expected":1,"actual":2}
/// ```
public struct LogDifference: Sendable, Hashable {
  /// The number of the action at which the logs differ.
  public var seq: Int
  /// The kind of difference.
  public var cause: Cause
  /// The subject of the difference: a path in the state or the action, an effect's id, a read's key, or an event.
  public var subject: String
  /// The member of an effect description or effect event that differs.
  ///
  /// `nil` if only one log has the effect, or if the difference isn't in an effect.
  public var member: String?
  /// The value in the first log, or `nil` if that log has none.
  public var expected: JSON?
  /// The value in the second log, or `nil` if that log has none.
  public var actual: JSON?
  /// The new path of an array element that has moved.
  ///
  /// `nil` for other differences.
  ///
  /// ```swift
  /// for move in differences where move.movedTo != nil {
  ///   print("\(move.subject) is now at \(move.movedTo ?? "")")  // /todos/2 is now at /todos/0
  /// }
  /// ```
  public var movedTo: String?
  /// An explanation for people, if `expected` and `actual` aren't enough.
  public var message: String?
  /// The paths in Swift notation, if the value that contains them was available.
  package var places = DifferencePathNotation()

  /// Creates a difference between two logs.
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

  /// Creates a difference between logs from a difference between two values.
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
    places = difference.places
  }

  /// The kinds of differences between two logs.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The states after an action differ.
    case state
    /// The effects that the reducer returned differ, or the effects that the action canceled.
    case effects
    /// The values that the reducer read from its dependencies differ.
    case reads
    /// The reducer sent different actions itself.
    case producedAction
    /// The actions that were sent from outside the reducer differ.
    ///
    /// Only `diff` finds this difference, because a replay feeds the recorded actions.
    case action
    /// The senders of an action differ.
    case origin
    /// An action was sent by an effect that was not alive.
    case deadEffect
    /// The logs have different events at the same position, or a log contradicts itself.
    case sequence
    /// A member exists only in the log, or only in the code.
    ///
    /// Counts as a difference only in strict comparisons.
    case schemaDrift
    /// The code can't decode a value in the log.
    case undecodable
    /// The recording lacks a value that the replay needs.
    case notReplayable
    /// The descriptions of a value differ, and the log contains only the value's type and description.
    ///
    /// Such a difference is less certain than others.
    case opaque
  }

  /// The subject as a location, or `nil` if it isn't a path in the state or the action.
  package var location: JSON.ValueLocation? {
    (try? JSON.Pointer(parsing: subject)).map { places.location($0) }
  }

  /// The subject, followed by the member of an effect: `/count`, `1.0/name`.
  public var path: String {
    member.map { "\(subject)/\($0)" } ?? subject
  }
}

extension LogDifference {
  /// The difference as a JSON object, as reports contain it.
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

  /// Creates a difference from the object that `json` returns, or returns `nil` for other JSON.
  public init?(json: JSON) {
    guard
      let seq = json["seq"]?.int, LogEvent.seqs.contains(seq),
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
