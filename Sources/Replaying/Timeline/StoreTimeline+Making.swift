import ActionLog
import ActionRecording
public import ReplayEngine
public import TCACore
internal import TCARecorder

extension StoreTimeline where State: SendableMetatype, Action: SendableMetatype {
  /// Creates a timeline that shows the first state of a log.
  ///
  /// ```swift
  /// let timeline = try StoreTimeline(replaying: .file("bug.jsonl")) {
  ///   AppFeature()
  /// } initialState: {
  ///   AppFeature.State()
  /// }
  /// ```
  ///
  /// States come from the log, so no reducer runs. Shared values are held in memory with the values of the log, and
  /// their keys save none of them.
  ///
  /// - Parameters:
  ///   - log: The log to show.
  ///   - name: The name of the feature in the recording of a branch. By default, it is the name in the log.
  ///   - migrations: The migrations of older logs, in the order of their versions.
  ///   - configuration: The settings for the recording that starts with `continueFromHere()`.
  ///   - clock: The clock that determines the pace of playing.
  ///   - reducer: A closure that makes the reducer.
  ///   - initialState: A closure that makes the initial state, which supplies the values that the log lacks or can't
  ///     represent.
  ///   - prepareDependencies: A closure that sets dependencies for the store.
  ///   - restart: A closure that returns the replacement for an effect that was alive where the timeline continues.
  ///   - fileID: The ID of the file that contains the call, which reported issues name.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: `ResumeError` if the log can't be read, has no state, or has another state type.
  public convenience init<R>(
    replaying log: RecordedLog,
    as name: String? = nil,
    migrations: [Migration] = [],
    configuration: TimelineConfiguration = TimelineConfiguration(),
    clock: any Clock<Duration> = ContinuousClock(),
    @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> R,
    initialState: (@Sendable () -> State)? = nil,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    restarting restart: (@MainActor (RestoredEffect) -> EffectRestart<Action>?)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws(ResumeError) where R: Reducer<State, Action> & SendableMetatype {
    let entry = FeatureEntry(reducer: reducer, initialState: initialState, migrations: migrations)
    let plan: MigrationPlan?
    do { plan = try MigrationPlan(entry) } catch { throw ResumeError(error) }
    let history = try StateHistory(log, plan: plan, stateType: entry.stateType)
    let checkpoint = try history.firstCheckpoint()
    let root = RecordedRootReducer<State>(recorder: configuration.recorder)
    let store: Store<State, Action>
    do {
      store = try Store(
        past: { context in
          try RestoredState<State>(checkpoint, in: context) { initialState?() }.state
        },
        reducer: { root.reducer(reducer(), as: name ?? history.header.feature) },
        withDependencies: prepareDependencies,
        at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
      )
    } catch let error as LogDecodingError {
      let text = error.description(OpaqueTypeRemedies(history.header.environment))
      throw .undecodable(seq: checkpoint.seq, error, text)
    } catch { throw ResumeError(error) }
    let branches = TimelineBranches(plan: plan)
    branches.reset(with: log, history)
    self.init(
      store: store,
      branches: branches,
      recorder: root.recorder,
      feature: TimelineFeature(
        plan: plan,
        makeEngine: entry.makeEngine,
        startRecording: { root.start?($0) }
      ),
      log: log,
      configuration: configuration,
      clock: clock,
      restart: restart
    )
    showCheckpoint(checkpoint)
  }

  /// Creates a live store whose session is recorded in memory, and the timeline of this session.
  ///
  /// ```swift
  /// let timeline = StoreTimeline(initialState: AppFeature.State()) { AppFeature() }
  /// timeline.store.send(.addButtonTapped)
  /// timeline.position = 0  // before the action
  /// timeline.returnToPresent()
  /// ```
  ///
  /// - Parameters:
  ///   - initialState: The initial state, which is evaluated with the store's dependencies.
  ///   - name: The name of the feature in the recording. By default, it is the name of the reducer's type.
  ///   - configuration: The limits of the recording, and the values that are masked or omitted.
  ///   - clock: The clock that determines the pace of playing.
  ///   - reducer: A closure that makes the reducer.
  ///   - prepareDependencies: A closure that sets dependencies for the store.
  ///   - restart: A closure that returns the replacement for an effect that was alive where the timeline continues.
  ///   - fileID: The ID of the file that contains the call, which reported issues name.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public convenience init<R>(
    initialState: @autoclosure () -> State,
    as name: String? = nil,
    configuration: TimelineConfiguration = TimelineConfiguration(),
    clock: any Clock<Duration> = ContinuousClock(),
    @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    restarting restart: (@MainActor (RestoredEffect) -> EffectRestart<Action>?)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where R: Reducer<State, Action> & SendableMetatype {
    let root = RecordedRootReducer<State>(recorder: configuration.recorder)
    let store = Store(
      state: { _ in initialState() },
      reducer: { root.reducer(reducer(), as: name) },
      withDependencies: prepareDependencies,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
    self.init(
      store: store,
      branches: TimelineBranches(plan: nil),
      recorder: root.recorder,
      feature: TimelineFeature(
        plan: nil,
        makeEngine: { ReducerEngine(reducer: reducer, initialState: nil) },
        startRecording: { root.start?($0) }
      ),
      log: nil,
      configuration: configuration,
      clock: clock,
      restart: restart
    )
    record(from: Int.min)
  }
}

/// The recorded reducer of a timeline's store, which can start a recording.
@MainActor
private final class RecordedRootReducer<State> {
  let recorder: Recorder
  /// A closure that starts a recording with a state.
  ///
  /// The closure is set after the reducer has been created.
  private(set) var start: ((State) -> Void)?

  init(recorder: Recorder) { self.recorder = recorder }

  func reducer<R: Reducer>(
    _ base: R,
    as name: String?
  ) -> some Reducer<R.State, R.Action> where R.State == State {
    let root = base.recorded(as: name, to: recorder)
    let dependencies = DependencyValues._current
    start = { state in
      DependencyValues.$_current.withValue(dependencies) { root.startRecording(with: state) }
    }
    return root
  }
}
