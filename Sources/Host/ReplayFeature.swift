public import ReplayEngine
public import TCACore
internal import TCARecorder

/// A feature that a host can replay and record.
///
/// ```swift
/// ReplayFeature("App") { AppFeature() } initialState: { AppFeature.State() }
/// ```
public struct ReplayFeature: Sendable {
  /// What the command line knows of the feature.
  public let entry: FeatureEntry

  /// A feature.
  ///
  /// - Parameters:
  ///   - name: The name in the header of its logs.
  ///   - reducer: Makes the reducer.
  ///   - initialState: Makes the state that a fresh run begins with; it fills in what a log lacks.
  public init<State: SendableMetatype, Action: SendableMetatype, R>(
    _ name: String,
    @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> State
  ) where R: Reducer<State, Action> & SendableMetatype {
    entry = FeatureEntry(
      name: name,
      stateType: LogTypeName.of(State.self),
      makeEngine: { ReducerEngine(reducer: reducer, initialState: initialState) },
      record: { request in
        try await LiveRecording(request).run(reducer: reducer, initialState: initialState)
      }
    )
  }
}
