import ActionLog
import Foundation
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// Drives a reducer from a log: it reduces and describes, and never runs an effect.
struct ReducerEngine<R: Reducer>: FeatureEngine {
  private let makeReducer: @Sendable () -> R
  private let makeInitialState: (@Sendable () -> R.State)?
  private var dependencies = DependencyValues()
  private let context = StoreContext()
  private var describer = EffectDescriber()
  private var leaves = EffectDescriber.Leaves<R.Action>()
  private let states = LogCoding<R.State>()
  private let actions = LogCoding<R.Action>()
  private var run: Run?

  /// What there is once a checkpoint has been loaded.
  private struct Run {
    let reducer: R
    var state: R.State
    /// Writes what changes in the state, as the recorder does: nobody else changes it.
    var tracker = StateTracker(isOnlyWriter: true)
  }

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
  mutating func load(
    _ checkpoint: LogEvent.Checkpoint,
    header: LogEvent.Header
  ) throws -> LoadedState {
    dependencies.setSurroundings(from: header.environment)
    // What is shared comes from the log: no key is asked for anything.
    if run == nil { dependencies.sharedReferences = SharedReferences(isReplay: true) }
    let template = run?.state
    var drift: [SchemaDrift] = []
    func read(_ json: JSON) throws -> R.State {
      let decoder = LogDecoder(json)
      defer { drift = decoder.drift }
      // What the log cannot hold is still there when the state is changed from outside.
      return try decoder.value(R.State.self, over: template ?? makeInitialState?())
    }
    // Reading makes values too, whose shared parts are to be found among those of the replay.
    let (reducer, state) = try DependencyValues.$_current.withValue(dependencies) {
      let reducer = makeReducer()
      guard let places = SharedPlaces(checkpoint.shared) else {
        return (reducer, try read(checkpoint.state))
      }
      return (reducer, try places.decode(checkpoint.state, read))
    }
    if let next = checkpoint.nextStackElement { context.stackElementIDs.set(next: next) }
    var run = Run(reducer: reducer, state: state)
    var loaded: JSON?
    if drift.isEmpty { run.tracker.follow(state) } else { loaded = run.tracker.begin(state) }
    self.run = run
    return LoadedState(state: loaded, drift: drift)
  }

  func rewritten(_ state: JSON) throws -> JSON {
    var dependencies = dependencies
    // What is read here belongs to nobody.
    dependencies.sharedReferences = SharedReferences(isReplay: true)
    return try DependencyValues.$_current.withValue(dependencies) {
      JSON(logging: try LogDecoder(state).value(R.State.self, over: makeInitialState?()))
    }
  }

  func rewritten(action: JSON) throws -> JSON {
    try DependencyValues.$_current.withValue(dependencies) {
      JSON(logging: try LogDecoder(action).value(R.Action.self))
    }
  }

  var sharedPlaces: JSON? { run.flatMap { SharedPlaces.json(of: $0.state) } }

  mutating func step(_ input: StepInput) throws -> StepOutcome {
    // One owner, so that the state is changed where it is once the copy for the comparison has what differs.
    guard var run = run.take() else { return StepOutcome() }
    do {
      let outcome = try step(input, in: &run)
      self.run = consume run
      return outcome
    } catch {
      self.run = consume run
      throw error
    }
  }

  private mutating func step(_ input: StepInput, in run: inout Run) throws -> StepOutcome {
    let reads = ReadReplayer(input)
    let issues = IssueCollector()
    defer { context.current = nil }
    let old = run.state
    let effect = try DependencyValues.$_current.withValue(dependencies) {
      let action = try self.action(input.logged)
      context.current = ActionStamp(number: input.seq, origin: .view)
      let scope = ReadScope(interceptor: reads, parent: nil)
      defer { scope.close() }
      return ReadScope.$current.withValue(scope) {
        withIssueReporters([issues]) {
          run.reducer._reduce(into: &run.state, action: action)
        }
      }
    }
    var outcome = StepOutcome()
    var patch = LogEncoder(appendingTo: Self.room)
    patch.beginArray()
    run.tracker.write(from: old, to: run.state, by: states.compare, into: &patch)
    patch.endArray()
    outcome.logged = .text(patch.take())
    (outcome.effects, _) = describer.describe(
      effect,
      seq: input.seq,
      observer: nil,
      leaves: &leaves
    )
    (outcome.reads, outcome.findings) = reads.result()
    outcome.findings += issues.findings(of: input.seq)
    return outcome
  }

  /// Room for a patch, enough for most.
  private static var room: [UInt8] {
    var room: [UInt8] = []
    room.reserveCapacity(160)
    return room
  }

  private mutating func action(_ action: StepInput.Logged) throws -> R.Action {
    switch action {
    case .recorded(let value): return try LogDecoder.value(of: value, by: actions.decode)
    case .produced(let id):
      guard let sent = leaves.sent.removeValue(forKey: id) else {
        throw LogDecoder(.string(id.description)).error(.missing, type: R.Action.self)
      }
      return sent.action
    }
  }
}

extension DependencyValues {
  /// Takes over what a recorded reducer could see of its surroundings without asking.
  fileprivate mutating func setSurroundings(from environment: JSON) {
    if let name = environment["locale"]?.string { locale = Locale(identifier: name) }
    if let name = environment["timeZone"]?.string, let zone = TimeZone(identifier: name) {
      timeZone = zone
    }
    if let name = environment["calendar"]?.string,
      let identifier = Calendar.Identifier(logName: name)
    {
      var calendar = Calendar(identifier: identifier)
      calendar.locale = locale
      calendar.timeZone = timeZone
      self.calendar = calendar
    }
  }
}

extension Calendar.Identifier {
  fileprivate init?(logName: String) {
    let known: [Calendar.Identifier] = [
      .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew,
      .iso8601, .indian, .islamic, .islamicCivil, .japanese, .persian, .republicOfChina,
      .islamicTabular, .islamicUmmAlQura,
    ]
    guard let found = known.first(where: { "\($0)" == logName }) else { return nil }
    self = found
  }
}
