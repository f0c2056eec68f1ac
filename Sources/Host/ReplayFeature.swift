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
  public init<R: Reducer>(
    _ name: String,
    @ReducerBuilder<R.State, R.Action> reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> R.State
  ) where R.State: SendableMetatype, R.Action: SendableMetatype, R: SendableMetatype {
    entry = FeatureEntry(
      name: name,
      stateType: LogTypeName.of(R.State.self),
      makeEngine: { ReducerEngine(reducer: reducer, initialState: initialState) },
      record: { request in
        try await LiveRecording(request).run(reducer: reducer, initialState: initialState)
      })
  }
}
