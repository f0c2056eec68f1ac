import ActionLog
import ComposableArchitecture
import ComposableRecorder
import ReplayEngine

/// Runs a reducer of the library from a log.
///
/// It reduces actions, and never runs an effect.
///
/// The actions of effects are inputs. The log contains the actions that a reducer sends immediately as its effects,
/// because the library reveals them only when it runs them.
final class ComposableEngine<R: Reducer>: FeatureEngine {
  private let makeReducer: @Sendable () -> R
  private let makeInitialState: (@Sendable () -> R.State)?
  private var dependencies = DependencyValues()
  private var header: LogEvent.Header?
  private var reducer: R?
  private var state: R.State?
  /// The actions that the reducer sent immediately and that have not been handled yet.
  private var sends: [EffectID: JSON] = [:]
  private let issues = ReportedIssues()
  private var tracker = StateTracker()
  private var nextElement = 0
  /// The parts of the state that the library will treat as new.
  private var unpresented = UnpresentedParts()
  private var hasNamedUnseen = false
  private var sharedKeyValues = SharedKeyValues()

  /// Creates an engine without a state.
  ///
  /// - Parameters:
  ///   - reducer: Creates the reducer.
  ///   - initialState: Creates the initial state.
  ///   - isLive: Whether a store continues from the loaded state. Shared values are then those of the process.
  init(
    reducer: @escaping @Sendable () -> R,
    initialState: (@Sendable () -> R.State)?,
    isLive: Bool = false
  ) {
    makeReducer = reducer
    makeInitialState = initialState
    guard !isLive else {
      dependencies = DependencyValues._current
      return
    }
    dependencies.keepSharedValuesInMemory()
    // The library reports a client without a value for tests once, and then returns the live one.
    dependencies.context = .test
  }
}

extension ComposableEngine {
  func load(
    _ checkpoint: LogEvent.Checkpoint,
    header: LogEvent.Header
  ) throws -> LoadedState {
    try header.rendering {
      self.header = header
      dependencies.setEnvironment(from: header.environment)
      var drift: [SchemaDrift] = []
      var parts = PresentedParts()
      func read(_ json: JSON) throws -> R.State {
        let decoder = LogDecoder(json)
        parts = PresentedParts()
        defer { drift = decoder.drift }
        return try parts.counting {
          try decoder.value(R.State.self, over: self.state ?? makeInitialState?())
        }
      }
      let (reducer, state) = try inReplay {
        let reducer = self.reducer ?? makeReducer()
        guard let places = SharedValuePaths(checkpoint.shared) else {
          return (reducer, try read(checkpoint.state))
        }
        return (reducer, try places.decode(checkpoint.state, read))
      }
      // A store that continues from a log presents the features again, too.
      let isContinued = header.continues != nil && header.segment == 1
      if self.state == nil, checkpoint.seq > 0, !isContinued {
        unpresented = UnpresentedParts(parts)
      }
      self.reducer = reducer
      self.state = state
      if let next = checkpoint.nextStackElement { nextElement = next }
      // Actions that wait at a checkpoint are passed as recorded ones.
      sends = [:]
      tracker = StateTracker(
        ownsState: true,
        splices: header.requires.contains("splice")
      )
      let written = tracker.begin(state)
      return LoadedState(state: written == checkpoint.state ? nil : written, drift: drift)
    }
  }

  var loggedState: JSONText {
    guard let state, let header else { return JSONText(.null) }
    return header.rendering { JSONText(logging: state) }
  }

  func rewritten(_ state: JSON) throws -> JSON {
    // Decoding is not part of the replay.
    try inReplay {
      try withDependencies {
        $0.keepSharedValuesInMemory()
      } operation: {
        JSON(logging: try LogDecoder(state).value(R.State.self, over: makeInitialState?()))
      }
    }
  }

  func rewritten(action: JSON) throws -> JSON {
    try inReplay { JSON(logging: try LogDecoder(action).value(R.Action.self)) }
  }

  var sharedPlaces: JSON? { state.flatMap { SharedValuePaths.json(of: $0) } }

  var nextStackElement: Int? { nextElement > 0 ? nextElement : nil }

  /// The loaded or reached state.
  var currentState: R.State? { state }

  var snapshotObstacle: SnapshotObstacle? {
    state.flatMap { HeldObject.first(in: $0) }.map { .object(type: $0) }
  }

  func snapshot() -> EngineSnapshot {
    ComposableSnapshot<R>(
      state: state,
      sends: sends,
      nextElement: nextElement,
      unpresented: unpresented,
      hasNamedUnseen: hasNamedUnseen,
      sharedKeyValues: sharedKeyValues.snapshot
    )
  }

  func restore(_ snapshot: EngineSnapshot) {
    guard let snapshot = snapshot as? ComposableSnapshot<R>, let state = snapshot.state else {
      return
    }
    self.state = state
    sends = snapshot.sends
    nextElement = snapshot.nextElement
    unpresented = snapshot.unpresented
    hasNamedUnseen = snapshot.hasNamedUnseen
    inReplay { sharedKeyValues.restore(snapshot.sharedKeyValues) }
    tracker = StateTracker(
      ownsState: true,
      splices: header?.requires.contains("splice") == true
    )
    _ = tracker.begin(state)
  }

  func forgetActions(of sends: [EffectID]) {
    for id in sends { self.sends[id] = nil }
  }

  var announcesReducer: Bool { true }

  func step(_ input: StepInput) throws -> StepOutcome {
    guard let reducer, let header, state != nil else { return StepOutcome() }
    return try header.rendering {
      try inReplay { try step(input, reducer) }
    }
  }

  private func step(_ input: StepInput, _ reducer: R) throws -> StepOutcome {
    let json: JSON
    switch input.action {
    case .recorded(let recorded): json = recorded
    case .produced(let id):
      guard let sent = sends.removeValue(forKey: id) else {
        throw LogDecoder(.null).error(.missing, type: R.Action.self)
      }
      json = sent
    }
    guard let old = state else { return StepOutcome() }
    let action: R.Action
    if let places = SharedValuePaths(input.shared) {
      action = try places.decode(action: json, in: old) {
        try LogDecoder($0).value(R.Action.self)
      }
    } else {
      action = try LogDecoder(json).value(R.Action.self)
    }
    // Reads of keys are rare, and only a sequence of new actions has others than the log.
    let keys = input.keepsStandIns || input.readsSharedKeys ? SharedKeys(of: old) : nil
    let changes = keys == nil ? nil : SharedValueChanges()
    // In a sequence of other actions, the state can have a key already.
    let unknown = input.reads.filter { keys?.contains($0.key) != true }
    let unfit = sharedKeyValues.prepare(unknown) { rehearse(action, old, input, reducer) }
    var new = old
    // The state has a single owner, so that its contents change in place.
    state = nil
    let answers = ReadAnswers(input)
    let first = answers.firstStackElement ?? nextElement
    let (effect, next) = StackElements.counting(from: first) {
      ReducerReadScope.run(answers, tracking: changes) {
        input.willReduce()
        return reduce(&new, action, by: reducer)
      }
    }
    if next != first { answers.noteStackElement(first) }
    if let keys, let changes {
      var after = keys
      let made = after.update(to: new, before: changes)
      answers.note(made, besides: keys)
      sharedKeyValues.hold(made.map(\.read))
    }
    nextElement = max(nextElement, next)
    state = new
    var outcome = StepOutcome(patch: tracker.patch(from: old, to: new))
    let effects = EffectOutline(effect).descriptions(seq: input.seq, like: input.recordedEffects)
    if unpresented.hides(effects, input.recordedEffects) {
      outcome.effects = input.recordedEffects.map { $0.numbered(input.seq) }
      outcome.findings.append(UnseenParts.effects(ofAction: input.seq))
    } else {
      outcome.effects = effects
    }
    for effect in outcome.effects where effect.operation == .send {
      if let id = effect.id, let action = effect.action { sends[id] = action }
    }
    let result = answers.result(of: input.seq)
    outcome.reads = result.reads
    outcome.findings += unfit + result.findings + issues.takeFindings(of: input.seq)
    if !hasNamedUnseen {
      hasNamedUnseen = true
      outcome.findings += UnseenParts.all(at: input.seq)
    }
    return outcome
  }

  /// Reduces an action on a copy of the state, without consequences.
  ///
  /// - Returns: The result, and whether the reducer read all that the log has, except for keys.
  private func rehearse(
    _ action: R.Action,
    _ old: R.State,
    _ input: StepInput,
    _ reducer: R
  ) -> (kept: Any, isComplete: Bool) {
    var state = old
    let answers = ReadAnswers(input)
    let first = answers.firstStackElement ?? nextElement
    let (effect, _) = withIssueReporters([]) {
      AnswerRehearsal.run {
        StackElements.counting(from: first) {
          SharedValueChanges().discard {
            ReducerReadScope.run(answers) { reduce(&state, action, by: reducer) }
          }
        }
      }
    }
    return ((state, effect), answers.isComplete)
  }

  /// Changes the state without the effect of `_printChanges()`, which recordings omit.
  private func reduce(
    _ state: inout R.State,
    _ action: R.Action,
    by reducer: R
  ) -> Effect<R.Action> {
    guard let printing = reducer as? any ChangePrinting<R.State, R.Action> else {
      return reducer._reduce(into: &state, action: action)
    }
    return printing.reduceUnprinted(into: &state, action: action)
  }

  private func inReplay<T>(_ operation: () throws -> T) rethrows -> T {
    try withIssueReporters([issues]) {
      try DependencyValues.$_current.withValue(dependencies, operation: operation)
    }
  }
}

/// A copy of all data that affects later steps of an engine.
private final class ComposableSnapshot<R: Reducer>: EngineSnapshot {
  let state: R.State?
  let sends: [EffectID: JSON]
  let nextElement: Int
  let unpresented: UnpresentedParts
  let hasNamedUnseen: Bool
  let sharedKeyValues: [String: @Sendable () -> Void]

  init(
    state: R.State?,
    sends: [EffectID: JSON],
    nextElement: Int,
    unpresented: UnpresentedParts,
    hasNamedUnseen: Bool,
    sharedKeyValues: [String: @Sendable () -> Void]
  ) {
    self.state = state
    self.sends = sends
    self.nextElement = nextElement
    self.unpresented = unpresented
    self.hasNamedUnseen = hasNamedUnseen
    self.sharedKeyValues = sharedKeyValues
  }
}

extension StepInput {
  /// Whether the reducer made shared values with keys.
  fileprivate var readsSharedKeys: Bool {
    reads.contains { $0.key.hasPrefix(SharedKeys.readPrefix) }
  }
}

extension EffectDescription {
  /// Returns the description for an effect of another action.
  fileprivate func numbered(_ seq: Int) -> EffectDescription {
    var result = self
    result.id = id.map { EffectID(seq: seq, index: $0.index) }
    return result
  }
}
