extension LogEvent {
  /// Events that are missing, because they could not be written; a checkpoint follows, from which a replay goes on.
  public struct Gap: Sendable, Equatable {
    /// The last action of which something is missing.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// How many events are missing.
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

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.optional("at", "a whole number") { $0.int } ?? 0
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
}
