/// Runs a feature step by step, and checks that the test foresees all that happens.
///
/// ```swift
/// let store = TestStore(initialState: Counter.State()) { Counter() }
/// await store.send(.incrementButtonTapped) { $0.count = 1 }
/// await store.send(.factButtonTapped)
/// await store.receive(\.factResponse) { $0.fact = "1 is the loneliest number" }
/// ```
///
/// Actions from effects change the feature at once. The test's view of the state, `state`, follows
/// when the test receives them. When the store goes away, nothing may be left that the test has not
/// asserted: no received action, no running effect. `exhaustivity` says how strict all that is.
@MainActor
public final class TestStore<State: Equatable, Action> {
  let core: StoreCore<State, Action>
  let registry: EffectRegistry
  let record: TestRecord<State, Action>
  private let location: IssueLocation
  /// The environment of a feature of the oldest style.
  var legacyEnvironment: AnyObject?
  private var executor: MainSerialExecutorClaim?

  /// The extent of what the test has to assert; by default everything.
  public var exhaustivity = Exhaustivity.on

  /// The time for which `receive` and `finish` wait for effects; by default a second.
  public var timeout: Duration = .seconds(1)

  /// Makes a test store.
  ///
  /// The reducer alone says what the types are: `TestStore(initialState: .init()) { Counter() }`. Put several reducers into a
  /// `CombineReducers`.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with, made with the dependencies set.
  ///   - reducer: Makes the reducer, with the dependencies set.
  ///   - prepareDependencies: Sets dependencies for this store; called once.
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

  /// The state as far as the test has asserted it.
  ///
  /// Inside of an assertion's closure it is the state before the step.
  public var state: State { record.asserted.state }

  /// The dependencies of the feature and of the closures of assertions.
  ///
  /// A change holds for the actions that come after it.
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
  /// A test store asks for it from its beginning to its end. It holds as long as any store asks.
  public var useMainSerialExecutor: Bool {
    get { executor != nil }
    set { executor = newValue ? executor ?? MainSerialExecutorClaim() : nil }
  }
}

/// The test store of a feature: `TestStoreOf<Feature>`.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable

/// The extent of what a test has to assert.
///
/// ```swift
/// store.exhaustivity = .off(showSkippedAssertions: true)
/// ```
public enum Exhaustivity: Hashable, Sendable {
  /// Everything: each change of the state, each received action, the end of each effect.
  case on
  /// Only what the test chooses to assert.
  ///
  /// Other changes fail nothing; with `showSkippedAssertions` they are shown beside the issues.
  case off(showSkippedAssertions: Bool)

  /// Only what the test chooses to assert, and nothing is shown of the rest.
  public static let off = Exhaustivity.off(showSkippedAssertions: false)
}

extension TestStore {
  /// Asserts what the state is, without a step.
  ///
  /// ```swift
  /// store.assert { $0.count = 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - update: Sets what is expected of the state.
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

  /// Runs an operation in which another exhaustivity holds.
  ///
  /// ```swift
  /// store.withExhaustivity(.off) {
  ///   store.assert { $0.isLoading = false }  // whatever else has changed
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - exhaustivity: How much of the operation has to be asserted.
  ///   - operation: What is run.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
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

  /// Runs an asynchronous operation in which another exhaustivity holds.
  ///
  /// ```swift
  /// await store.withExhaustivity(.off) {
  ///   await store.send(.refresh)
  ///   await store.receive(\.refreshed)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - exhaustivity: How much of the operation has to be asserted.
  ///   - operation: What is run.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
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

  /// Runs an operation in which other dependencies hold for the store.
  ///
  /// - Parameters:
  ///   - update: Sets dependencies.
  ///   - operation: What is run.
  /// - Returns: What the operation returns.
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

  /// Runs an asynchronous operation in which other dependencies hold for the store.
  ///
  /// - Parameters:
  ///   - update: Sets dependencies.
  ///   - operation: What is run.
  /// - Returns: What the operation returns.
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
