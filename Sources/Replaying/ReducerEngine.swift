import ActionLog
import Foundation
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// An engine that replays a log with a reducer.
///
/// The engine reduces actions and describes effects, but never runs an effect. It is a class, because a replay would
/// otherwise copy large values.
final class ReducerEngine<R: Reducer>: FeatureEngine {
  private let makeReducer: @Sendable () -> R
  private let makeInitialState: (@Sendable () -> R.State)?
  private var dependencies = DependencyValues.ofProcess
  private let context = StoreContext()
  /// Whether the log contains texts for opaque values, which are compared with the texts of the replay.
  private var isRendering = false
  /// The collector for issues that reducers report.
  private let issues = IssueCollector()
  private var isInContext = false
  private var run: ReducerRun<R>?

  init(
    reducer: @escaping @Sendable () -> R,
    initialState: (@Sendable () -> R.State)?
  ) {
    makeReducer = reducer
    makeInitialState = initialState
    dependencies.context = .replay
    dependencies.storeContext = context
  }
}

extension ReducerEngine {
  func load(
    _ checkpoint: LogEvent.Checkpoint,
    header: LogEvent.Header
  ) throws -> LoadedState {
    isRendering = header.rendersOpaqueValues
    return try OpaqueRendering.run(isRendering) { try loadRendered(checkpoint, header: header) }
  }

  private func loadRendered(
    _ checkpoint: LogEvent.Checkpoint,
    header: LogEvent.Header
  ) throws -> LoadedState {
    dependencies.setEnvironment(from: header.environment)
    // Shared values come from the log, so keys must not load values.
    if run == nil { dependencies.sharedReferences = SharedReferences(isReplay: true) }
    // Decoding creates shared values, which must belong to the replay.
    let (reducer, restored) = try DependencyValues.$_current.withValue(dependencies) {
      let reducer = makeReducer()
      // A change from outside keeps the values that the log can't represent.
      let template = run?.state
      return (
        reducer,
        try RestoredState(checkpoint, in: context) { template ?? makeInitialState?() }
      )
    }
    if let run {
      run.resume(reducer, from: restored.state)
    } else {
      let splices = header.requires.contains(LogEvent.splices)
      run = ReducerRun(reducer, state: restored.state, splices: splices)
    }
    return LoadedState(
      state: restored.isRecorded ? nil : JSON(logging: restored.state),
      drift: restored.drift
    )
  }

  func rewritten(_ state: JSON) throws -> JSON {
    var dependencies = dependencies
    // The decoded values must not affect the replay, so they have their own shared references.
    dependencies.sharedReferences = SharedReferences(isReplay: true)
    return try inReplay(dependencies) {
      JSON(logging: try LogDecoder(state).value(R.State.self, over: makeInitialState?()))
    }
  }

  func rewritten(action: JSON) throws -> JSON {
    try inReplay(dependencies) { JSON(logging: try LogDecoder(action).value(R.Action.self)) }
  }

  var nextStackElement: Int? { context.stackElementIDs.peek().number }

  var sharedPlaces: JSON? { run.flatMap { SharedValuePaths.json(of: $0.state) } }

  /// Decodes the checkpoint as a replay that starts there would, and returns whether the states are equivalent.
  ///
  /// A state with references is never equivalent, because other holders of a reference would see its changes.
  func isEquivalent(to checkpoint: LogEvent.Checkpoint) -> Bool {
    guard let run, run.holdsStateAlone else { return false }
    var dependencies = dependencies
    let context = StoreContext()
    dependencies.storeContext = context
    dependencies.sharedReferences = SharedReferences(isReplay: true)
    let restored = DependencyValues.$_current.withValue(dependencies) {
      try? RestoredState(checkpoint, in: context) { makeInitialState?() }
    }
    guard let restored, restored.isRecorded,
      context.stackElementIDs.peek() == self.context.stackElementIDs.peek()
    else { return false }
    return run.hasState(equalTo: restored.state)
  }

  func withContext(_ body: () throws -> Void) rethrows {
    isInContext = true
    defer { isInContext = false }
    try inReplay(dependencies) { try withIssueReporters([issues], operation: body) }
  }

  var announcesReducer: Bool { true }

  func step(_ input: StepInput) throws -> StepOutcome {
    guard let run else { return StepOutcome() }
    if isInContext { return try run.step(input, issues) }
    var outcome = StepOutcome()
    try withContext { outcome = try run.step(input, issues) }
    return outcome
  }

  var loggedState: JSONText {
    guard let run else { return JSONText(.null) }
    let references = dependencies.sharedReferences
    if isInContext { return run.loggedState(references) }
    return OpaqueRendering.run(isRendering) { run.loggedState(references) }
  }

  var snapshotObstacle: SnapshotObstacle? {
    guard let run else { return nil }
    return ReferenceTypeDetector.first(in: run.state).map { .object(type: $0) }
  }

  func snapshot() -> EngineSnapshot {
    ReducerSnapshot<R>(
      run: run?.save(dependencies.sharedReferences),
      context: context.snapshot,
      shared: dependencies.sharedReferences.snapshot
    )
  }

  func restore(_ snapshot: EngineSnapshot) {
    guard let snapshot = snapshot as? ReducerSnapshot<R> else { return }
    context.restore(snapshot.context)
    dependencies.sharedReferences.restore(snapshot.shared)
    if let saved = snapshot.run { run?.restore(saved) }
  }

  func forgetActions(of sends: [EffectID]) { run?.forgetActions(of: sends) }

  func isEquivalent(to snapshot: EngineSnapshot) -> Bool {
    guard let snapshot = snapshot as? ReducerSnapshot<R>, let run, let saved = snapshot.run,
      !snapshot.hasObjects
    else { return false }
    return context.isEquivalent(to: snapshot.context)
      && dependencies.sharedReferences.isEquivalent(to: snapshot.shared)
      && run.isEquivalent(to: saved, dependencies.sharedReferences)
  }

  private func inReplay<T>(_ values: DependencyValues, _ operation: () throws -> T) rethrows -> T {
    try OpaqueRendering.run(isRendering) {
      try DependencyValues.$_current.withValue(values) {
        try ObservationStateRegistrar.$isObservable.withValue(false) { try operation() }
      }
    }
  }
}

extension DependencyValues {
  /// Sets the locale, time zone, and calendar of the recording.
  mutating func setEnvironment(from environment: JSON) {
    let recorded = RecordedEnvironment(environment)
    if let locale = recorded.locale { self.locale = locale }
    if let timeZone = recorded.timeZone { self.timeZone = timeZone }
    if let calendar = recorded.calendar(in: locale, timeZone) { self.calendar = calendar }
  }
}

/// A snapshot of a `ReducerEngine`: the state, the shared values, the presented children, and the counters that name
/// new values.
private final class ReducerSnapshot<R: Reducer>: EngineSnapshot {
  let run: ReducerRun<R>.RunSnapshot?
  let context: StoreContext.Snapshot
  let shared: SharedReferences.Snapshot
  /// Whether the state contains objects, which copies of the state share.
  ///
  /// The result is the same for each state that is equal to this one.
  private(set) lazy var hasObjects = run?.hasObjects ?? false

  init(
    run: ReducerRun<R>.RunSnapshot?,
    context: StoreContext.Snapshot,
    shared: SharedReferences.Snapshot
  ) {
    self.run = run
    self.context = context
    self.shared = shared
  }
}
