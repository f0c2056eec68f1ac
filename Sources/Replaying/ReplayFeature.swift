public import ReplayEngine
public import TCACore
@_exported public import TCARecorder

// Exported, because hosts and tests use this type and import neither the recorder nor the core.
@_exported public import struct ReplayEngine.Migration
@_exported public import struct ReplayEngine.RecordedLog
@_exported public import struct ReplayEngine.ReplayPicture
@_exported public import enum ReplayEngine.ResumeError

/// A feature that a host can replay and record.
///
/// ```swift
/// ReplayFeature("App") { AppFeature() } initialState: { AppFeature.State() }
/// ```
///
/// If the schema has changed since logs were recorded, give the state a version (`SchemaVersioned`), and add migrations
/// that convert older logs to this version:
///
/// ```swift
/// ReplayFeature(
///   "App",
///   migrations: [Migration(from: 1) { state in try state.move(from: "/name", to: "/title") }]
/// ) {
///   AppFeature()
/// } initialState: {
///   AppFeature.State()
/// }
/// ```
///
/// If the feature has a function that draws its states, `pictures` and `view --pictures` show what the user saw at each
/// action:
///
/// ```swift
/// ReplayFeature("App") { AppFeature() } initialState: { AppFeature.State() } picture: { state in
///   try .view(of: state, width: 390, height: 844) { store in AppView(store: store) }
/// }
/// ```
public struct ReplayFeature: Sendable {
  /// The entry of the feature for the command line.
  public let entry: FeatureEntry

  /// Creates a feature from a reducer and its initial state.
  ///
  /// ```swift
  /// ReplayFeature("App") { AppFeature() } initialState: { AppFeature.State() }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the headers of its logs.
  ///   - migrations: The migrations of older logs, in the order of their versions. If they do not lead to the current
  ///     version step by step, the host reports an error at launch and ends.
  ///   - reducer: A closure that makes the reducer.
  ///   - initialState: A closure that makes the initial state, which supplies the members that a log lacks.
  ///   - restart: A closure that returns the replacement for an effect that was alive where `record --from` resumes.
  ///   - picture: A closure that draws a state. Reducers and effects don't run while it draws.
  public init<State: SendableMetatype, Action: SendableMetatype, R>(
    _ name: String,
    migrations: [Migration] = [],
    @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> R,
    initialState: @escaping @Sendable () -> State,
    restarting restart: (@MainActor @Sendable (RestoredEffect) -> EffectRestart<Action>?)? = nil,
    picture: (@MainActor @Sendable (State) throws -> ReplayPicture)? = nil
  ) where R: Reducer<State, Action> & SendableMetatype {
    var drawing: FeatureEntry.Drawing?
    if let picture {
      drawing = { checkpoint, header in
        try StateDrawing.picture(checkpoint, header, over: initialState, picture)
      }
    }
    entry = FeatureEntry(
      name: name,
      stateType: LogTypeName.of(State.self),
      migrations: migrations,
      types: FeatureEntry.Types(state: State.self, action: Action.self),
      makeEngine: { ReducerEngine(reducer: reducer, initialState: initialState) },
      record: { request in
        let feature = FeatureEntry(
          reducer: reducer,
          initialState: initialState,
          migrations: migrations
        )
        return try await LiveRecording(request).run(
          reducer: reducer,
          initialState: initialState,
          restarting: restart,
          plan: MigrationPlan(feature)
        )
      },
      picture: drawing
    )
  }
}
