import ActionLog
import Foundation
import ReplayEngine
internal import TCACore
internal import TCARecorder

/// Drives a reducer from a log: it reduces and describes, and never runs an effect.
struct ReducerEngine<R: Reducer>: FeatureEngine {
  private let makeReducer: @Sendable () -> R
  private let makeInitialState: (@Sendable () -> R.State)?
  private var dependencies = DependencyValues.ofProcess
  private let context = StoreContext()
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
    if let run {
      run.goOn(reducer, from: state)
    } else {
      let splices = header.requires.contains(LogEvent.splices)
      run = ReducerRun(reducer, state: state, splices: splices)
    }
    return LoadedState(state: drift.isEmpty ? nil : JSON(logging: state), drift: drift)
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

  var nextStackElement: Int? {
    let next = context.stackElementIDs.peek().number
    return next > 0 ? next : nil
  }

  var sharedPlaces: JSON? { run.flatMap { SharedPlaces.json(of: $0.state) } }

  mutating func step(_ input: StepInput) throws -> StepOutcome {
    guard let run else { return StepOutcome() }
    return try surrounded { try run.step(input, $0) }
  }

  mutating func advance(_ steps: inout PlainSteps) throws -> StepOutcome? {
    guard let run else { return nil }
    return try surrounded { try run.advance(&steps, $0) }
  }

  /// Lets reducers have the dependencies of a replay, and keeps the issues that they report.
  private func surrounded<T>(_ operation: (IssueCollector) throws -> T) rethrows -> T {
    let issues = IssueCollector()
    return try DependencyValues.$_current.withValue(dependencies) {
      try withIssueReporters([issues]) { try operation(issues) }
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
