import ActionLog
public import ReplayEngine
public import TCACore

extension Store where State: SendableMetatype, Action: SendableMetatype {
  /// Creates a live store with the state that a log has after an action.
  ///
  /// ```swift
  /// let store = try Store(replaying: .file("bug.jsonl"), through: 12) {
  ///   AppFeature()
  /// }
  /// store.send(.saveButtonTapped)
  /// ```
  ///
  /// Use this initializer in previews, tests, and a debug menu. The app starts with the state of a bug report, and
  /// continues from there. Reads and effects use the live dependencies. The store restores presented features, stacks,
  /// and the IDs of their elements. Features that shared a value share it again. A shared value with a key is set to
  /// the recorded value, and the key saves it. In an app with real user data, set in-memory storages with
  /// `withDependencies:`.
  ///
  /// ```swift
  /// let store = try Store(replaying: .file("bug.jsonl"), through: 12) {
  ///   AppFeature()
  /// } initialState: {
  ///   AppFeature.State()
  /// } withDependencies: {
  ///   $0.defaultAppStorage = .inMemory
  /// } restarting: { effect in
  ///   effect.name == "timer" ? .action(.timer(.started)) : nil
  /// }
  /// ```
  ///
  /// Effects that were alive run only if `restarting:` returns a replacement. The property `restoredPosition` lists
  /// these effects. If the reducer has a recorder, the recorder starts a log that names the original log and the action
  /// from which the store continues.
  ///
  /// The actions since the nearest checkpoint are reduced again, as in a replay: without effects, and with the recorded
  /// reads. If the reducer traps on one of these actions, the process ends. An action in whose middle the recording
  /// ended is not reduced.
  ///
  /// - Parameters:
  ///   - log: The log that contains the state.
  ///   - seq: The number of the action. If `nil`, the last completed action is used. The number 0 stands for the state
  ///     before the first action.
  ///   - migrations: The migrations of older logs, in the order of their versions.
  ///   - reducer: A closure that makes the reducer.
  ///   - initialState: A closure that makes the initial state, which supplies the values that the log lacks or can't
  ///     represent.
  ///   - prepareDependencies: A closure that sets dependencies for this store.
  ///   - restart: A closure that returns the replacement for an effect that was alive, or `nil` to leave it stopped.
  ///   - fileID: The ID of the file that contains the call, which reported issues name.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: `ResumeError` if the log can't be read or has no state after the action.
  public convenience init<R>(
    replaying log: RecordedLog,
    through seq: Int? = nil,
    migrations: [Migration] = [],
    @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> R,
    initialState: (@Sendable () -> State)? = nil,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    restarting restart: (@MainActor (RestoredEffect) -> EffectRestart<Action>?)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws(ResumeError) where R: Reducer<State, Action> & SendableMetatype {
    let feature = FeatureEntry(
      reducer: reducer,
      initialState: initialState,
      migrations: migrations
    )
    try self.init(
      at: ResumePoint(log, through: seq, of: feature),
      reducer: reducer,
      initialState: initialState,
      withDependencies: prepareDependencies,
      restarting: restart,
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
}

extension Store {
  /// The position in a log from which the store has resumed, or `nil` for a store with a new state and for a scoped
  /// store.
  public var restoredPosition: RestoredPosition? { resumption?.report as? RestoredPosition }

  convenience init<R: Reducer<State, Action>>(
    at point: ResumePoint,
    reducer: () -> R,
    initialState: (() -> State)?,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    restarting restart: EffectRestarter<Action>.Restart?,
    location: IssueLocation
  ) throws(ResumeError) {
    var restarter = EffectRestarter<Action>(starters: point.starters, restart)
    var effect = Effect<Action>.none
    do {
      try self.init(
        state: { context in
          let restored = try RestoredState<R.State>(point.checkpoint, in: context) {
            initialState?()
          }
          effect = restarter.restart(point.checkpoint)
          context.resumption = StoreResumption(
            place: point.place,
            stateType: LogTypeName.of(R.State.self),
            effects: restarter.resumed,
            report: RestoredPosition(
              log: point.header.id,
              seq: point.checkpoint.seq,
              effects: restarter.effects,
              drift: restored.drift
            )
          )
          return restored.state
        },
        reducer: reducer,
        withDependencies: prepareDependencies,
        at: location
      )
    } catch let error as LogDecodingError {
      let text = error.description(OpaqueTypeRemedies(point.header.environment))
      throw .undecodable(seq: point.checkpoint.seq, error, text)
    } catch {
      throw ResumeError(error)
    }
    resumeEffects(effect, of: restarter)
  }

  /// Starts the replacements for effects of a log, and sends the replacement actions.
  ///
  /// - Parameters:
  ///   - effect: The effect that runs all replacements.
  ///   - restarter: The restarter that made the effect.
  func resumeEffects(_ effect: Effect<Action>, of restarter: EffectRestarter<Action>) {
    if !effect.isNone {
      let (resumed, ids) = (restarter.resumed, restarter.cancelIDs)
      start(effect) { resumed.isEmpty ? nil : ids.described($0) }
    }
    for action in restarter.actions { send(action) }
  }
}

extension ResumePoint {
  /// The log and the action from which the store has resumed.
  var place: LogEvent.Header.Continuation {
    LogEvent.Header.Continuation(log: header.id, seq: checkpoint.seq)
  }
}
