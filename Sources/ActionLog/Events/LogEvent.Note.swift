extension LogEvent {
  /// A mark that the app has made; informational.
  public struct Note: Sendable, Equatable {
    /// The last action before it.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// The app's words.
    public var text: String
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// A note.
    public init(seq: Int, at: Int, text: String) {
      self.seq = seq
      self.at = at
      self.text = text
    }

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.optional("at", "a whole number") { $0.int } ?? 0
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
}
