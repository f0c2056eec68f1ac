import Foundation

/// A store in which a test asserts each change of the state and each action of an effect.
///
/// It reports what a test leaves out or states wrongly.
@MainActor
public final class TestStore<State: Equatable, Action> {
  private let record: TestStepRecord<State, Action>
  private let store: Store<State, TestAction<Action>>
  private var asserted: State

  /// The dependencies of later actions.
  public var dependencies: DependencyValues {
    get { record.dependencies }
    set { record.dependencies = newValue }
  }

  /// Creates a store of a feature.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepare: (inout DependencyValues) -> Void = { _ in }
  ) {
    var values = DependencyValues._current
    values.context = .test
    values.stackElementID = .liveValue
    values.navigationPath.append(.unique())
    prepare(&values)
    let (state, base) = DependencyValues.$_current.withValue(values) { (initialState(), reducer()) }
    let record = TestStepRecord<State, Action>(values, state)
    asserted = state
    self.record = record
    store = Store(initialState: state) {
      Reduce<State, TestAction<Action>> { state, action in
        let effect = DependencyValues.$_current.withValue(record.dependencies) {
          base._reduce(into: &state, action: action.action)
        }
        record.note(action, state)
        return record.follow(effect).map { TestAction(action: $0, isReceived: true) }
      }
    }
  }

  /// The state after the last asserted action.
  public var state: State { asserted }

  /// Sends an action as a view would, and asserts its changes.
  @discardableResult
  public func send(
    _ action: Action,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) async -> StoreTask {
    if !record.received.isEmpty {
      let actions = record.received.map { "\($0.action)" }.joined(separator: ", ")
      reportIssue("Must handle received actions before: \(actions)", fileID: fileID, line: line)
    }
    let task = SharedChanges.$followed.withValue([record.shared]) {
      store.send(TestAction(action: action, isReceived: false))
    }
    check(record.sent, update, fileID, line)
    return task
  }

  /// Asserts the next action of an effect and its changes.
  public func receive<Value>(
    _ path: CaseKeyPath<Action, Value>,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) async {
    let path = AnyCasePath(path)
    await receive({ path.extract(from: $0) != nil }, update, fileID, line)
  }

  /// Asserts the next action of an effect, its payload and its changes.
  public func receive<Value: Equatable>(
    _ path: CaseKeyPath<Action, Value>,
    _ value: Value,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) async {
    let path = AnyCasePath(path)
    await receive({ path.extract(from: $0) == value }, update, fileID, line)
  }

  /// Forgets the received actions.
  public func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) async {
    if strict { await wait { !record.received.isEmpty } }
    if strict, record.received.isEmpty {
      reportIssue("There were no received actions to skip.", fileID: fileID, line: line)
    }
    asserted = record.current
    record.received = []
    _ = record.shared.takeDifferences()
  }

  /// Forgets the effects that run.
  public func skipInFlightEffects(
    strict: Bool = true,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) async {
    if strict, record.inFlight.isEmpty {
      reportIssue("There were no effects to skip.", fileID: fileID, line: line)
    }
    record.inFlight = [:]
  }

  /// Reports effects that still run.
  public func finish(fileID: StaticString = #fileID, line: UInt = #line) async {
    await wait { record.inFlight.isEmpty }
    for effect in record.inFlight.values {
      reportIssue("An effect of \(effect) is still running.", fileID: fileID, line: line)
    }
    record.inFlight = [:]
  }

  /// Lets other tasks run until a condition holds, or until no task is expected to run any more.
  private func wait(until isDone: () -> Bool) async {
    for _ in 0..<1000 where !isDone() {
      await Task<Void, Never>.detached(priority: .background) { await Task<Never, Never>.yield() }
        .value
    }
  }

  private func receive(
    _ isExpected: (Action) -> Bool,
    _ update: ((inout State) throws -> Void)?,
    _ fileID: StaticString,
    _ line: UInt
  ) async {
    await wait { !record.received.isEmpty }
    guard !record.received.isEmpty else {
      return reportIssue("Expected to receive an action.", fileID: fileID, line: line)
    }
    let next = record.received.removeFirst()
    if !isExpected(next.action) {
      reportIssue("Received an unexpected action: \(next.action)", fileID: fileID, line: line)
    }
    check(next.state, update, fileID, line)
  }

  private func check(
    _ current: State,
    _ update: ((inout State) throws -> Void)?,
    _ fileID: StaticString,
    _ line: UInt
  ) {
    var expected = asserted
    do {
      try DependencyValues.$_current.withValue(record.dependencies) {
        try SharedChanges.$asserted.withValue(record.shared) { try update?(&expected) }
      }
    } catch {
      reportIssue("Threw \(error)", fileID: fileID, line: line)
    }
    if expected != current {
      reportIssue("Expected \(expected), found \(current).", fileID: fileID, line: line)
    }
    for difference in record.shared.takeDifferences() {
      reportIssue(difference, fileID: fileID, line: line)
    }
    asserted = current
  }

  isolated deinit {
    for received in record.received {
      reportIssue("The test has not received \(received.action).")
    }
    for effect in record.inFlight.values {
      reportIssue("An effect of \(effect) is still running.")
    }
  }
}

/// The test store of a feature.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable

/// An action, and whether an effect has sent it.
private struct TestAction<Action> {
  let action: Action
  let isReceived: Bool
}

/// The events in a test store that a test has not asserted.
///
/// Only the main actor uses it. The compiler can't verify this, because reducers are not bound to an actor.
private final class TestStepRecord<State, Action>: @unchecked Sendable {
  var dependencies: DependencyValues
  /// The state after the last action.
  private(set) var current: State
  /// The state after the last action of the test.
  private(set) var sent: State
  var received: [(action: Action, state: State)] = []
  /// The running effects, with the names of the actions that started them.
  var inFlight: [UUID: String] = [:]
  let shared = SharedChanges()
  private var name = ""

  init(_ dependencies: DependencyValues, _ state: State) {
    self.dependencies = dependencies
    current = state
    sent = state
  }

  func note(_ action: TestAction<Action>, _ state: State) {
    current = state
    if action.isReceived { received.append((action.action, state)) } else { sent = state }
    name = "\(action.action)"
  }

  /// Returns an effect whose end is noticed.
  func follow(_ effect: Effect<Action>) -> Effect<Action> {
    if case .none = effect.operation { return effect }
    let id = UUID()
    inFlight[id] = name
    let end: @Sendable () -> Void = { [weak self] in
      MainQueue.run { self?.inFlight[id] = nil }
    }
    return .publisher {
      _EffectPublisher(effect)
        .handleEvents(receiveCompletion: { _ in end() }, receiveCancel: end)
    }
  }
}
