extension LogEvent {
  /// A value that the reducer asked its dependencies for while it handled an action.
  public struct Read: Sendable, Equatable {
    /// The action that was being handled.
    public var seq: Int
    /// What was asked: `uuid`, `date`, `random`, ...
    public var key: String
    /// The answer.
    public var value: JSON
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// A read.
    public init(seq: Int, key: String, value: JSON) {
      self.seq = seq
      self.key = key
      self.value = value
    }

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      key = try members.required("key", "a string") { $0.string }
      value = try members.required("value", "a value") { $0 }
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("read")
      encoder.field("seq", seq)
      encoder.field("key", key)
      encoder.field("value", value)
      encoder.endEvent(rest)
    }
  }
}
