import ActionLog
import ReplayEngine
internal import TCACore

/// Draws the state of a log as the app's code draws it.
package enum StateDrawing {
  /// Reads a state with dependencies of its own, so that nothing that the drawing does reaches a replay, and draws it.
  ///
  /// - Parameters:
  ///   - checkpoint: The state.
  ///   - header: The header of the log, with the environment in which it was recorded.
  ///   - initialState: Makes a state that has what the log cannot hold.
  ///   - draw: Draws.
  /// - Returns: The picture.
  /// - Throws: `LogDecodingError`, and what the drawing throws.
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
    // Shared values come from the log: no key loads any.
    dependencies.sharedReferences = SharedReferences(isReplay: true)
    return try DependencyValues.$_current.withValue(dependencies) {
      let state = try ObservationStateRegistrar.$isObservable.withValue(false) {
        try RestoredState(checkpoint, in: context, over: initialState).state
      }
      return try draw(state)
    }
  }
}
