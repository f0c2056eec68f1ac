extension LogEvent {
  /// A change of the state that no recorded action made: by a reducer around the recorded one, or through a shared value.
  ///
  /// To a replay it is an input: it is applied before the next action.
  public struct External: Sendable, Equatable {
    /// The last action before the change was noticed.
    public var seq: Int
    /// Microseconds since the start of the recording.
    public var at: Int
    /// What turns the state after that action into the state before the next one.
    public var patch: JSON.Patch
    /// Which places of the state behind it hold one and the same shared value, or parts of it; nil when none do.
    public var shared: JSON?
    /// Members that this version does not know.
    public var rest = JSON.Object()

    /// A change from outside.
    public init(seq: Int, at: Int, patch: JSON.Patch, shared: JSON? = nil) {
      self.seq = seq
      self.at = at
      self.patch = patch
      self.shared = shared
    }

    init(_ members: EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.optional("at", "a whole number") { $0.int } ?? 0
      patch = try members.required("patch", "a JSON Patch (RFC 6902)") { try? JSON.Patch(json: $0) }
      shared = try members.shared()
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("external")
      encoder.field("seq", seq)
      encoder.field("at", at)
      encoder.field("patch", patch.json)
      encoder.field("shared", ifPresent: shared)
      encoder.endEvent(rest)
    }
  }
}
