import ActionLog
internal import TCACore

/// The state of a feature, read from a checkpoint: in a replay, and in a store that goes on from a log.
struct RestoredState<State> {
  let state: State
  /// The members that only the log or only the code has.
  let drift: [SchemaDrift]
  /// Whether it is the recorded state, member for member.
  let isRecorded: Bool

  /// Reads a checkpoint with the dependencies of now, to which the shared values of the state belong.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint.
  ///   - context: The store, whose next stack element is the one of the checkpoint.
  ///   - template: Makes a state that has what the log cannot hold; called for each pass over the checkpoint.
  /// - Throws: `LogDecodingError`.
  init(
    _ checkpoint: LogEvent.Checkpoint,
    in context: StoreContext,
    over template: () -> State?
  ) throws {
    var drift: [SchemaDrift] = []
    var isRecorded = true
    func read(_ json: JSON) throws -> State {
      let decoder = LogDecoder(json)
      defer { (drift, isRecorded) = (decoder.drift, decoder.drift.isEmpty && !decoder.hasStandIns) }
      return try decoder.value(State.self, over: template())
    }
    if let places = SharedPlaces(checkpoint.shared) {
      state = try places.decode(checkpoint.state, read)
    } else {
      state = try read(checkpoint.state)
    }
    (self.drift, self.isRecorded) = (drift, isRecorded)
    if let next = checkpoint.nextStackElement { context.stackElementIDs.set(next: next) }
  }
}
