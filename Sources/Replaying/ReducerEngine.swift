import ActionLog
import Foundation
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// Drives a reducer from a log: it reduces and describes, and never runs an effect.
///
/// A class, because a copy of a large value would be made wherever a replay asks for it.
final class ReducerEngine<R: Reducer>: FeatureEngine {
  private let makeReducer: @Sendable () -> R
  private let makeInitialState: (@Sendable () -> R.State)?
  private var dependencies = DependencyValues.ofProcess
  private let context = StoreContext()
  /// Whether the log has renderings of opaque values, with which those of the replay are compared.
  private var isRendering = false
  /// The issues that reducers report.
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
    // Shared values come from the log: no key loads any.
    if run == nil { dependencies.sharedReferences = SharedReferences(isReplay: true) }
    // Decoding makes values too, whose shared parts are those of the replay.
    let (reducer, restored) = try DependencyValues.$_current.withValue(dependencies) {
      let reducer = makeReducer()
      // Values that the log cannot hold stay when the state is changed from outside.
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
    // The decoded values are not part of the replay.
    dependencies.sharedReferences = SharedReferences(isReplay: true)
    return try inReplay(dependencies) {
      JSON(logging: try LogDecoder(state).value(R.State.self, over: makeInitialState?()))
    }
  }

  func rewritten(action: JSON) throws -> JSON {
    try inReplay(dependencies) { JSON(logging: try LogDecoder(action).value(R.Action.self)) }
  }

  var nextStackElement: Int? { context.stackElementIDs.peek().number }

  var sharedPlaces: JSON? { run.flatMap { SharedPlaces.json(of: $0.state) } }

  /// Reads the checkpoint as a replay does that begins there, and compares the two states.
  ///
  /// A state with references is more than its text: whoever has one of them sees the changes.
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
    return LiveObject.first(in: run.state).map { .object(type: $0) }
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
  /// Sets the locale, time zone and calendar of the recording.
  mutating func setEnvironment(from environment: JSON) {
    let recorded = RecordedEnvironment(environment)
    if let locale = recorded.locale { self.locale = locale }
    if let timeZone = recorded.timeZone { self.timeZone = timeZone }
    if let calendar = recorded.calendar(in: locale, timeZone) { self.calendar = calendar }
  }
}

/// Where a `ReducerEngine` was: state, shared values, children in place, and what names new things.
private final class ReducerSnapshot<R: Reducer>: EngineSnapshot {
  let run: ReducerRun<R>.Saved?
  let context: StoreContext.Snapshot
  let shared: SharedReferences.Snapshot
  /// Whether the state holds what a copy of it does not; a state that is equal to it does, too.
  private(set) lazy var hasObjects = run?.hasObjects ?? false

  init(
    run: ReducerRun<R>.Saved?,
    context: StoreContext.Snapshot,
    shared: SharedReferences.Snapshot
  ) {
    self.run = run
    self.context = context
    self.shared = shared
  }
}
