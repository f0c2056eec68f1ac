import ActionLog
import ReplayEngine
internal import TCACore

/// Functions that draw states of a log with the app's code.
package enum StateDrawing {
  /// Decodes a state and draws it.
  ///
  /// The function decodes the state with separate dependencies, so that side effects of the drawing don't reach a
  /// replay.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint with the state to draw.
  ///   - header: The header of the log, which contains the environment of the recording.
  ///   - initialState: A closure that makes a state with the values that the log can't represent.
  ///   - draw: A closure that draws the state.
  /// - Returns: The picture of the state.
  /// - Throws: `LogDecodingError` if the state can't be decoded, and the errors of `draw`.
  @MainActor
  package static func picture<State>(
    _ checkpoint: LogEvent.Checkpoint,
    _ header: LogEvent.Header,
    over initialState: () -> State?,
    _ draw: (State) throws -> ReplayPicture
  ) throws -> ReplayPicture {
    let context = StoreContext()
    var dependencies = DependencyValues.ofProcess
    dependencies.context = .replay
    dependencies.storeContext = context
    dependencies.setEnvironment(from: header.environment)
    // Shared values come from the log, so keys must not load values.
    dependencies.sharedReferences = SharedReferences(isReplay: true)
    return try DependencyValues.$_current.withValue(dependencies) {
      let state = try ObservationStateRegistrar.$isObservable.withValue(false) {
        try RestoredState(checkpoint, in: context, over: initialState).state
      }
      return try draw(state)
    }
  }
}
