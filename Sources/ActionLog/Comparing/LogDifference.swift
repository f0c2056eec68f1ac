/// A difference between a log and the log that it is compared with.
///
/// For a replay, `expected` is the recorded value and `actual` that of the replay.
///
/// ```swift
/// let difference = LogDifference(seq: 3, cause: .state, subject: "/count", expected: 1, actual: 2)
/// difference.path  // /count
/// difference.json  // {"seq":3,"cause":"state","subject":"/count","expected":1,"actual":2}
/// ```
public struct LogDifference: Sendable, Hashable {
  /// The action at which the logs differ.
  public var seq: Int
  /// The kind of difference.
  public var cause: Cause
  /// The place: a path in the state or the action, the name of an effect, the key of a read, an event.
  public var subject: String
  /// The member of an effect that differs; `nil` when the whole effect is missing or new.
  public var member: String?
  /// The value in the first log; `nil` when there is none.
  public var expected: JSON?
  /// The value in the second log; `nil` when there is none.
  public var actual: JSON?
  /// The new place of an array element that has moved, as a path in the state; `nil` for any other difference.
  ///
  /// ```swift
  /// for move in differences where move.movedTo != nil {
  ///   print("\(move.subject) is now at \(move.movedTo ?? "")")  // /todos/2 is now at /todos/0
  /// }
  /// ```
  public var movedTo: String?
  /// More, in words.
  public var message: String?
  /// The place as people read it, where the value that it lies in was at hand.
  package var places = ReadablePlaces()

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
    places = difference.places
  }

  /// The kinds of differences between two logs.
  ///
  /// ```swift
  /// let states = result.differences.filter { $0.cause == .state }
  /// ```
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The state after an action.
    case state
    /// The effects that the reducer returned, or which effects they cancelled.
    case effects
    /// The values that the reducer read from its dependencies.
    case reads
    /// An action that the reducer sent itself.
    case producedAction
    /// An action from outside; a replay feeds the recorded one, so that only `diff` finds this.
    case action
    /// The sender of an action.
    case origin
    /// An action came from an effect that was not alive.
    case deadEffect
    /// The events are not in an order that a store writes.
    case sequence
    /// The log and the code do not have the same members; a difference for strict comparisons alone.
    case schemaDrift
    /// A value in the log could not be read by the code.
    case undecodable
    /// A value that was needed was not recorded.
    case notReplayable
    /// The renderings of a value of which a log holds the type alone; of low confidence.
    case opaque
  }

  /// The place in the state or the action, when the subject is one.
  package var location: JSON.Location? {
    (try? JSON.Pointer(parsing: subject)).map { places.location($0) }
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

  /// Reads a difference from its JSON form; `nil` if it is not one.
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
