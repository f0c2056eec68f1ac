import ActionLog
internal import TCACore

/// A state that was decoded from a checkpoint, for a replay or for a store that resumes from a log.
struct RestoredState<State> {
  let state: State
  /// The members that only the log or only the code has.
  let drift: [SchemaDrift]
  /// Whether the decoded state has exactly the members of the recorded state.
  let isRecorded: Bool

  /// Decodes a checkpoint with the current dependencies, which own the shared values of the state.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint to decode.
  ///   - context: The store context, whose next stack element is set to that of the checkpoint.
  ///   - template: A closure that makes a state with the values that the log can't represent. It is called for each
  ///     pass over the checkpoint.
  /// - Throws: `LogDecodingError` if the state can't be decoded.
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
    if let places = SharedValuePaths(checkpoint.shared) {
      state = try places.decode(checkpoint.state, read)
    } else {
      state = try read(checkpoint.state)
    }
    (self.drift, self.isRecorded) = (drift, isRecorded)
    if let next = checkpoint.nextStackElement { context.stackElementIDs.set(next: next) }
  }
}
