import TCACore

/// The running effects of a feature under test, whose work the test does.
///
/// The feature starts and cancels its effects as in the app, but they do nothing: what they send, and when they end, is up to the
/// test. So the test needs no clients and no clocks, and waits for nothing.
///
/// ```swift
/// let effects = StubbedEffects<Search.Action>()
/// let store = TestStore(initialState: Search.State()) {
///   Search().stubbingEffects(by: effects)
/// }
/// await store.send(.queryChanged("Oslo")) { $0.query = "Oslo" }
/// await effects.finish("search", sending: .answered(["Oslo"]))
/// await store.receive(\.answered) { $0.results = ["Oslo"] }
/// ```
///
/// Effects of `.send` are no work: they send as ever. `tca-replay test --style store` writes such tests.
@MainActor
public final class StubbedEffects<Action> {
  /// An effect that was started, and has neither ended nor been cancelled.
  private struct Running {
    let number: Int
    let name: String?
    let send: Send<Action>
    let end: AsyncStream<Never>.Continuation
  }

  private var running: [Running] = []
  private var lastNumber = 0

  /// Makes the effects of one test store.
  nonisolated public init() {}

  deinit {
    for effect in running { effect.end.finish() }
  }

  /// Sends an action in the name of an effect, which goes on.
  ///
  /// It is an issue when no such effect runs.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - name: The name of the effect, as in `.run(name:)`; `nil` for one without a name.
  ///   - position: Which of several running effects with that name, by the order in which they were started; `nil` when there
  ///     is to be only one.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func send(
    _ action: Action,
    from name: String? = nil,
    at position: Int? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let effect = effect(name, at: position, location) else { return }
    effect.send(action)
    await Task.megaYield()
  }

  /// Ends an effect.
  ///
  /// It is an issue when no such effect runs.
  ///
  /// - Parameters:
  ///   - name: The name of the effect, as in `.run(name:)`; `nil` for one without a name.
  ///   - action: What it sends before it ends; `nil` when that is nothing.
  ///   - position: Which of several running effects with that name, by the order in which they were started; `nil` when there
  ///     is to be only one.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func finish(
    _ name: String? = nil,
    sending action: Action? = nil,
    at position: Int? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let effect = effect(name, at: position, location) else { return }
    if let action { effect.send(action) }
    effect.end.finish()
    // The effect need not have had its turn before the next call asks which ones run.
    running.removeAll { $0.number == effect.number }
    await Task.megaYield()
  }

  /// Waits for the end of an effect, which the test or a cancellation brings.
  fileprivate func run(_ name: String?, _ send: Send<Action>) async {
    let (ends, end) = AsyncStream<Never>.makeStream()
    lastNumber += 1
    let number = lastNumber
    running.append(Running(number: number, name: name, send: send, end: end))
    for await _ in ends {}
    running.removeAll { $0.number == number }
  }

  private func effect(
    _ name: String?,
    at position: Int?,
    _ location: IssueLocation
  ) -> Running? {
    let named = running.filter { $0.name == name }
    let index = position ?? 0
    if named.indices.contains(index), position != nil || named.count == 1 { return named[index] }
    let subject = name.map { "The effect \"\($0)\"" } ?? "An effect without a name"
    let problem =
      named.isEmpty || position != nil
      ? "\(subject)\(position.map { " at position \($0)" } ?? "") was to go on, but it does not run."
      : "\(subject) was to go on, but \(named.count) of them run. Say which one with 'at:'."
    let all = running.map { $0.name.map { "\"\($0)\"" } ?? "one without a name" }
    reportIssue(
      """
      \(problem)

      Running effects: \(all.isEmpty ? "none" : all.joined(separator: ", "))
      """,
      at: location
    )
    return nil
  }
}

extension Reducer {
  /// Leaves the work of effects to a test.
  ///
  /// ```swift
  /// let effects = StubbedEffects<Search.Action>()
  /// let store = TestStore(initialState: Search.State()) {
  ///   Search().stubbingEffects(by: effects)
  /// }
  /// ```
  ///
  /// - Parameter effects: Takes the effects that the reducer starts.
  /// - Returns: The reducer, whose effects run as before and do nothing.
  public func stubbingEffects(by effects: StubbedEffects<Action>) -> some Reducer<State, Action> {
    StubbingReducer(base: self, effects: effects)
  }
}

private struct StubbingReducer<Base: Reducer>: Reducer {
  let base: Base
  let effects: StubbedEffects<Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    base._reduce(into: &state, action: action).mapRuns { run in
      // What the library starts for itself is no work of the feature.
      guard !run.leaf.isInternal else { return }
      let name = run.leaf.name
      run.operation = { [effects] send in await effects.run(name, send) }
    }
  }
}
