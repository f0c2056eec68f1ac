import ActionLog
public import ReplayEngine
public import TCACore

extension Store where State: SendableMetatype, Action: SendableMetatype {
  /// Makes a live store in the state that a log has after an action.
  ///
  /// ```swift
  /// let store = try Store(replaying: .file("bug.jsonl"), through: 12) {
  ///   AppFeature()
  /// }
  /// store.send(.saveButtonTapped)
  /// ```
  ///
  /// For previews, tests and a debug menu: the app stands where the bug report stands, and goes on from there. Reads and effects are
  /// those of the dependencies. Presented features, stacks, and the ids of their elements are as they were. A shared value is
  /// one value again for all features that held it. One with a key is set to the recorded value, which the key saves: for an app
  /// that is in use, set storages in memory with `withDependencies:`.
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
  /// Effects that were alive do not run unless `restarting:` says how; `restoredPosition` lists them. A recorder of the reducer begins a
  /// log that names the log and the action from which it goes on.
  ///
  /// The actions since the nearest checkpoint are reduced once more, as in a replay: without effects, and with the recorded
  /// reads. A reducer that traps on one of them ends the process. An action at which the recording ended is not among them.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - seq: The action; `nil` for the last one that was finished, 0 for the state before the first one.
  ///   - migrations: The migrations of older logs, in the order of their versions.
  ///   - reducer: Makes the reducer.
  ///   - initialState: Makes the initial state, which has the values that the log lacks or cannot hold.
  ///   - prepareDependencies: Sets dependencies for this store.
  ///   - restart: Says how an effect that was alive starts again; `nil` for one that does not.
  ///   - fileID: The file of the call, which issues name.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: `ResumeError`.
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
  /// The place in a log from which the store goes on; `nil` for a store that has begun anew, and for parts of a store.
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
      let text = error.description(LogRemedies(point.header.environment))
      throw .undecodable(seq: point.checkpoint.seq, error, text)
    } catch {
      throw ResumeError(error)
    }
    resumeEffects(effect, of: restarter)
  }

  /// Starts the effects of a log again, and sends the actions that stand for others.
  ///
  /// - Parameters:
  ///   - effect: What runs.
  ///   - restarter: What has made it.
  func resumeEffects(_ effect: Effect<Action>, of restarter: EffectRestarter<Action>) {
    if !effect.isNone {
      let (resumed, ids) = (restarter.resumed, restarter.cancelIDs)
      start(effect) { resumed.isEmpty ? nil : ids.described($0) }
    }
    for action in restarter.actions { send(action) }
  }
}

extension ResumePoint {
  /// The log and the action.
  var place: LogEvent.Header.Continuation {
    LogEvent.Header.Continuation(log: header.id, seq: checkpoint.seq)
  }
}
