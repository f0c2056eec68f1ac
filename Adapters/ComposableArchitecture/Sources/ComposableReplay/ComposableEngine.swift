import ActionLog
import ComposableArchitecture
import ComposableRecorder
import ReplayEngine

/// Drives a reducer of the library from a log: it reduces, and never runs an effect.
///
/// The actions of effects are inputs, those that a reducer sends at once, too: the library does not show them before it runs them.
final class ComposableEngine<R: Reducer>: FeatureEngine {
  private let makeReducer: @Sendable () -> R
  private let makeInitialState: (@Sendable () -> R.State)?
  private var dependencies = DependencyValues()
  private var header: LogEvent.Header?
  private var reducer: R?
  private var state: R.State?
  private var tracker = StateTracker()
  private var nextElement = 0
  /// The parts of the state that the library will take for new.
  private var unpresented = UnpresentedParts()
  private var hasNamedUnseen = false

  init(
    reducer: @escaping @Sendable () -> R,
    initialState: (@Sendable () -> R.State)?
  ) {
    makeReducer = reducer
    makeInitialState = initialState
    dependencies.keepSharedValuesInMemory()
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
        guard let places = SharedPlaces(checkpoint.shared) else {
          return (reducer, try read(checkpoint.state))
        }
        return (reducer, try places.decode(checkpoint.state, read))
      }
      if self.state == nil, checkpoint.seq > 0 { unpresented = UnpresentedParts(parts) }
      self.reducer = reducer
      self.state = state
      if let next = checkpoint.nextStackElement { nextElement = next }
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
    // The decoded values are no part of the replay.
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

  var sharedPlaces: JSON? { state.flatMap { SharedPlaces.json(of: $0) } }

  var nextStackElement: Int? { nextElement > 0 ? nextElement : nil }

  var announcesReducer: Bool { true }

  func step(_ input: StepInput) throws -> StepOutcome {
    guard let reducer, let header, state != nil else { return StepOutcome() }
    return try header.rendering {
      try inReplay { try step(input, reducer) }
    }
  }

  private func step(_ input: StepInput, _ reducer: R) throws -> StepOutcome {
    guard case .recorded(let json) = input.action else {
      throw LogDecoder(.null).error(.missing, type: R.Action.self)
    }
    guard let old = state else { return StepOutcome() }
    let action: R.Action
    if let places = SharedPlaces(input.shared) {
      action = try places.decode(action: json, in: old) {
        try LogDecoder($0).value(R.Action.self)
      }
    } else {
      action = try LogDecoder(json).value(R.Action.self)
    }
    var new = old
    // It is in one place, so that what it holds is changed where it is.
    state = nil
    let answers = ReadAnswers(input)
    let first = answers.firstStackElement ?? nextElement
    let (effect, next) = StackElements.counting(from: first) {
      ReadScope.run(answers) {
        input.willReduce()
        return reducer._reduce(into: &new, action: action)
      }
    }
    if next != first { answers.noteStackElement(first) }
    nextElement = max(nextElement, next)
    state = new
    var outcome = StepOutcome(patch: tracker.patch(from: old, to: new))
    let effects = EffectOutline(effect).descriptions(seq: input.seq)
    if unpresented.hides(effects, input.recordedEffects) {
      outcome.effects = input.recordedEffects.map { $0.numbered(input.seq) }
      outcome.findings.append(UnseenParts.effects(ofAction: input.seq))
    } else {
      outcome.effects = effects
    }
    let result = answers.result(of: input.seq)
    outcome.reads = result.reads
    outcome.findings += result.findings
    if !hasNamedUnseen {
      hasNamedUnseen = true
      outcome.findings += UnseenParts.all(at: input.seq)
    }
    return outcome
  }

  private func inReplay<T>(_ operation: () throws -> T) rethrows -> T {
    try DependencyValues.$_current.withValue(dependencies, operation: operation)
  }
}

extension EffectDescription {
  /// The description as that of an effect of another action.
  fileprivate func numbered(_ seq: Int) -> EffectDescription {
    var result = self
    result.id = id.map { EffectID(seq: seq, index: $0.index) }
    return result
  }
}
