/// A store for tests that runs a feature step by step and checks the test's assertions about each step.
///
/// ```swift
/// let store = TestStore(initialState: Counter.State()) { Counter() }
/// await store.send(.incrementButtonTapped) { $0.count = 1 }
/// await store.send(.factButtonTapped)
/// await store.receive(\.factResponse) { $0.fact = "1 is the loneliest number" }
/// ```
///
/// Actions that effects send change the feature immediately. The property `state` changes when the test receives these
/// actions. When the store is released, received actions that the test hasn't asserted are an issue, and so are running
/// effects. `exhaustivity` relaxes these checks.
@MainActor
public final class TestStore<State: Equatable, Action> {
  let core: StoreCore<State, Action>
  let registry: EffectRegistry
  let record: TestStepRecord<State, Action>
  private let location: IssueLocation
  /// The environment of an `AnyReducer`; `nil` for other reducers.
  var legacyEnvironment: AnyObject?
  private var executor: MainSerialExecutorClaim?

  /// The changes that the test must assert, which are all changes by default.
  public var exhaustivity = Exhaustivity.on

  /// The maximum time to wait for effects, which is one second by default.
  ///
  /// `receive` and `finish` accept another maximum for a single call.
  public var timeout: Duration = .seconds(1)

  /// Creates a test store that runs a feature.
  ///
  /// The reducer determines the types: `TestStore(initialState: .init()) { Counter() }`. Wrap several reducers in
  /// `CombineReducers`.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first action, evaluated with the store's dependencies.
  ///   - reducer: A closure that returns the reducer, called with the store's dependencies.
  ///   - prepareDependencies: A closure that changes the dependencies of the store, called once.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  public init(
    initialState: @autoclosure () -> State,
    reducer: () -> some Reducer<State, Action>,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let context = StoreContext()
    let dependencies = DependencyValues.forStore(context, prepareDependencies)
    let (root, record) = DependencyValues.$_current.withValue(dependencies) {
      let state = initialState()
      let record = TestStepRecord<State, Action>(
        TestStepRecord.StateSnapshot(state: state, stackElementIDs: context.stackElementIDs.copy()),
        dependencies: dependencies
      )
      let reducer = TestReducer(base: reducer(), record: record)
      let root = RootCore(
        state: state,
        reducer: reducer,
        dependencies: dependencies,
        context: context,
        location: location
      )
      return (root, record)
    }
    if dependencies[key: DismissEffect.self] == nil {
      record.dependencies.dismiss = DismissEffect { [weak record] in record?.dismiss() }
    }
    core = root
    registry = root.effects.registry
    self.record = record
    self.location = location
    executor = MainSerialExecutorClaim()
  }

  deinit {
    TestStoreFinalCheck(exhaustivity: exhaustivity, record: record, registry: registry)
      .check(at: location)
  }

  /// The last state that the test has asserted.
  ///
  /// Inside the closure of an assertion, the property is the state before the step.
  public var state: State { record.asserted.state }

  /// The dependencies of the feature and of the closures in assertions.
  ///
  /// Changed dependencies apply to the actions that follow.
  public var dependencies: DependencyValues {
    get { record.dependencies }
    set { record.dependencies = newValue }
  }

  /// Whether the feature has dismissed itself.
  ///
  /// ```swift
  /// await store.send(.closeButtonTapped)
  /// #expect(store.isDismissed)
  /// ```
  public var isDismissed: Bool { record.isDismissed }

  /// Whether this test store claims the main actor's executor for all tasks of the process.
  ///
  /// ```swift
  /// store.useMainSerialExecutor = false  // effects of this test run in parallel, as in the app
  /// ```
  ///
  /// By default, a test store claims this executor for its lifetime. While any store claims the executor, the tasks of
  /// the process run on it, one after the other.
  public var useMainSerialExecutor: Bool {
    get { executor != nil }
    set { executor = newValue ? executor ?? MainSerialExecutorClaim() : nil }
  }
}

/// The test store type for a feature: `TestStoreOf<Feature>`.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable

/// A value that specifies the changes that a test must assert.
///
/// ```swift
/// store.exhaustivity = .off(showSkippedAssertions: true)
/// ```
public enum Exhaustivity: Hashable, Sendable {
  /// The test must assert all changes: each change to the state, each received action, and the end of each effect.
  case on
  /// The test asserts just the changes that it chooses.
  ///
  /// Other changes are not failures. With `showSkippedAssertions`, they are shown as notes.
  case off(showSkippedAssertions: Bool)

  /// The test asserts just the changes that it chooses, and other changes aren't shown.
  public static let off = Exhaustivity.off(showSkippedAssertions: false)
}

extension TestStore {
  /// Asserts values of the current state without sending or receiving an action.
  ///
  /// ```swift
  /// store.assert { $0.count = 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - update: A closure that sets the expected values in a copy of the state.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  public func assert(
    _ update: (_ state: inout State) throws -> Void,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let now = record.asserted
    withoutActuallyEscaping(update) {
      check(from: now, to: now, $0, mustChange: false, at: location)
    }
  }

  /// Runs an operation with another exhaustivity.
  ///
  /// ```swift
  /// store.withExhaustivity(.off) {
  ///   store.assert { $0.isLoading = false }  // regardless of other changes
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - exhaustivity: The changes that the operation must assert.
  ///   - operation: The operation to run.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  @discardableResult
  public func withExhaustivity<R>(
    _ exhaustivity: Exhaustivity,
    operation: () throws -> R
  ) rethrows -> R {
    let before = self.exhaustivity
    defer { self.exhaustivity = before }
    self.exhaustivity = exhaustivity
    return try operation()
  }

  /// Runs an asynchronous operation with another exhaustivity.
  ///
  /// ```swift
  /// await store.withExhaustivity(.off) {
  ///   await store.send(.refresh)
  ///   await store.receive(\.refreshed)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - exhaustivity: The changes that the operation must assert.
  ///   - operation: The operation to run.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  @discardableResult
  public func withExhaustivity<R>(
    _ exhaustivity: Exhaustivity,
    operation: () async throws -> R
  ) async rethrows -> R {
    let before = self.exhaustivity
    defer { self.exhaustivity = before }
    self.exhaustivity = exhaustivity
    return try await operation()
  }

  /// Runs an operation while the store has changed dependencies.
  ///
  /// - Parameters:
  ///   - update: A closure that changes the dependencies of the store.
  ///   - operation: The operation to run.
  /// - Returns: The result of the operation.
  @discardableResult
  public func withDependencies<R>(
    _ update: (_ dependencies: inout DependencyValues) throws -> Void,
    operation: () throws -> R
  ) rethrows -> R {
    let before = dependencies
    defer { dependencies = before }
    var changed = before
    try DependencyDefaults.$isSetting.withValue(true) { try update(&changed) }
    dependencies = changed
    return try operation()
  }

  /// Runs an asynchronous operation while the store has changed dependencies.
  ///
  /// - Parameters:
  ///   - update: A closure that changes the dependencies of the store.
  ///   - operation: The operation to run.
  /// - Returns: The result of the operation.
  @discardableResult
  public func withDependencies<R>(
    _ update: (_ dependencies: inout DependencyValues) throws -> Void,
    operation: () async throws -> R
  ) async rethrows -> R {
    let before = dependencies
    defer { dependencies = before }
    var changed = before
    try DependencyDefaults.$isSetting.withValue(true) { try update(&changed) }
    dependencies = changed
    return try await operation()
  }
}
