extension LogEvent {
  /// The last line of a log that was closed.
  public struct End: Sendable, Equatable {
    /// The last action.
    public var seq: Int
    /// Why the log ends: `closed` when the store went away, `segment` when it goes on in another one.
    public var reason: String
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// The reason of a segment that another one follows.
    public static let segment = "segment"

    /// An end.
    public init(seq: Int, reason: String) {
      self.seq = seq
      self.reason = reason
    }

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      reason = try members.required("reason", "a string") { $0.string }
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("end")
      encoder.field("seq", seq)
      encoder.field("reason", reason)
      encoder.endEvent(rest)
    }
  }
}
