/// A store for tests, which runs a feature step by step and checks the test's assertions about each step.
///
/// ```swift
/// let store = TestStore(initialState: Counter.State()) { Counter() }
/// await store.send(.incrementButtonTapped) { $0.count = 1 }
/// await store.send(.factButtonTapped)
/// await store.receive(\.factResponse) { $0.fact = "1 is the loneliest number" }
/// ```
///
/// Actions of effects change the feature immediately. The test's view of the state, `state`, changes when the test
/// receives them. When the store is released, a received action that the test has not asserted is an issue, and so is a
/// running effect. `exhaustivity` relaxes these checks.
@MainActor
public final class TestStore<State: Equatable, Action> {
  let core: StoreCore<State, Action>
  let registry: EffectRegistry
  let record: TestRecord<State, Action>
  private let location: IssueLocation
  /// The environment of a feature in the oldest, environment-based style.
  var legacyEnvironment: AnyObject?
  private var executor: MainSerialExecutorClaim?

  /// The changes that the test must assert; all by default.
  public var exhaustivity = Exhaustivity.on

  /// The maximum time that `receive` and `finish` wait for effects; one second by default.
  public var timeout: Duration = .seconds(1)

  /// Creates a test store.
  ///
  /// The reducer determines the types: `TestStore(initialState: .init()) { Counter() }`. Wrap several reducers in
  /// `CombineReducers`.
  ///
  /// - Parameters:
  ///   - initialState: The initial state. Evaluated with the store's dependencies.
  ///   - reducer: Makes the reducer. Runs with the store's dependencies.
  ///   - prepareDependencies: Sets dependencies for this store. Called once.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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
      let record = TestRecord<State, Action>(
        TestRecord.Position(state: state, stackElementIDs: context.stackElementIDs.copy()),
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
    TestStoreEnd(exhaustivity: exhaustivity, record: record, registry: registry)
      .check(at: location)
  }

  /// The last state that the test has asserted.
  ///
  /// Within an assertion's closure, this is the state before the step.
  public var state: State { record.asserted.state }

  /// The dependencies of the feature and of the closures of assertions.
  ///
  /// A change applies to the actions that follow it.
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

  /// Whether all tasks of the process run on the main actor's executor, one after the other.
  ///
  /// ```swift
  /// store.useMainSerialExecutor = false  // effects of this test run in parallel, as they do in the app
  /// ```
  ///
  /// A test store claims the executor for its lifetime. The process uses that executor while any store claims it.
  public var useMainSerialExecutor: Bool {
    get { executor != nil }
    set { executor = newValue ? executor ?? MainSerialExecutorClaim() : nil }
  }
}

/// The test store type of a feature: `TestStoreOf<Feature>`.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable

/// The changes that a test must assert.
///
/// ```swift
/// store.exhaustivity = .off(showSkippedAssertions: true)
/// ```
public enum Exhaustivity: Hashable, Sendable {
  /// All changes: each change of the state, each received action, the end of each effect.
  case on
  /// The changes that the test chooses to assert.
  ///
  /// Other changes are not failures. With `showSkippedAssertions`, they are shown next to the issues.
  case off(showSkippedAssertions: Bool)

  /// The changes that the test chooses to assert, without output about the others.
  public static let off = Exhaustivity.off(showSkippedAssertions: false)
}

extension TestStore {
  /// Asserts the current state, without a step.
  ///
  /// ```swift
  /// store.assert { $0.count = 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - update: Sets the expected values in the state.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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
  ///   store.assert { $0.isLoading = false }  // whatever else has changed
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - exhaustivity: The changes that the operation must assert.
  ///   - operation: The code to run.
  /// - Returns: The result of the operation.
  /// - Throws: The errors of the operation.
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
  ///   - operation: The code to run.
  /// - Returns: The result of the operation.
  /// - Throws: The errors of the operation.
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

  /// Runs an operation with other dependencies for the store.
  ///
  /// - Parameters:
  ///   - update: Sets dependencies.
  ///   - operation: The code to run.
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

  /// Runs an asynchronous operation with other dependencies for the store.
  ///
  /// - Parameters:
  ///   - update: Sets dependencies.
  ///   - operation: The code to run.
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
