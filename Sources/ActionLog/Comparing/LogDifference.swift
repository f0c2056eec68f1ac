/// A difference between two logs.
///
/// In the comparison of a recording with its replay, `expected` is the recorded value and `actual` the replayed one.
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
  /// The subject: a path in the state or the action, the name of an effect, the key of a read, or an event.
  public var subject: String
  /// The member of an effect that differs.
  ///
  /// `nil` if only one log has the effect.
  public var member: String?
  /// The value in the first log, or `nil` if it has none.
  public var expected: JSON?
  /// The value in the second log, or `nil` if it has none.
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
  /// A further explanation for people.
  public var message: String?
  /// The paths in Swift notation, if the value that contains them was available.
  package var places = ReadablePaths()

  /// Creates a difference.
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
  ///
  /// ```swift
  /// let states = result.differences.filter { $0.cause == .state }
  /// ```
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The state after an action differs.
    case state
    /// The effects that the reducer returned differ, or the effects that they cancelled.
    case effects
    /// The values that the reducer read from its dependencies differ.
    case reads
    /// An action that the reducer sent itself differs.
    case producedAction
    /// An action from outside differs.
    ///
    /// Only `diff` finds this, because a replay feeds the recorded action.
    case action
    /// The sender of an action differs.
    case origin
    /// The effect that sent an action was not alive.
    case deadEffect
    /// The order of the events is not one that a store writes.
    case sequence
    /// A member exists only in the log or only in the code.
    ///
    /// A difference only in strict comparisons.
    case schemaDrift
    /// The code can't decode a value in the log.
    case undecodable
    /// The recording lacks a value that the replay needs.
    case notReplayable
    /// The renderings of a value differ, and a log holds no more than the value's type.
    ///
    /// A low-confidence difference.
    case opaque
  }

  /// The path as a location, if the subject is a path in the state or the action.
  package var location: JSON.Location? {
    (try? JSON.Pointer(parsing: subject)).map { places.location($0) }
  }

  /// The subject, followed by the member of an effect: `/count`, `1.0/name`.
  public var path: String {
    member.map { "\(subject)/\($0)" } ?? subject
  }
}

extension LogDifference {
  /// The difference as a JSON object, in the form of reports.
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

  /// Creates a difference from its JSON form, or returns `nil` for other JSON.
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
