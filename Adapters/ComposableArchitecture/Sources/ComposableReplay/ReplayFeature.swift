public import ComposableArchitecture
@_exported public import ComposableRecorder
public import ReplayEngine

@_exported public import struct ReplayEngine.Migration

/// A feature that a host can replay.
///
/// ```swift
/// ReplayFeature("App") { AppFeature() } initialState: { AppFeature.State() }
/// ```
public struct ReplayFeature: Sendable {
  /// The entry of the feature on the command line.
  public let entry: FeatureEntry

  /// Creates a feature.
  ///
  /// - Parameters:
  ///   - name: The name in the header of its logs.
  ///   - migrations: The migrations of older logs, in the order of their versions.
  ///   - reducer: Creates the reducer.
  ///   - initialState: Creates the initial state. It provides the values of members that a log lacks.
  public init<R: Reducer & SendableMetatype>(
    _ name: String,
    migrations: [Migration] = [],
    reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> R.State
  ) where R.State: SendableMetatype, R.Action: SendableMetatype {
    func entry(_ record: FeatureEntry.Recording?) -> FeatureEntry {
      FeatureEntry(
        name: name,
        stateType: LogTypeName.of(R.State.self),
        migrations: migrations,
        types: FeatureEntry.Types(state: R.State.self, action: R.Action.self),
        makeEngine: { ComposableEngine(reducer: reducer, initialState: initialState) },
        record: record
      )
    }
    // A recording that continues a log replays it first.
    let replayed = entry(nil)
    self.entry = entry { request in
      try await LiveRecording(request)
        .run(of: replayed, reducer: reducer, initialState: initialState)
    }
  }
}
