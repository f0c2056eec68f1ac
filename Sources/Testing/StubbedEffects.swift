import TCACore

/// The running effects of a feature under test.
///
/// The test performs their work.
///
/// The feature starts and cancels its effects as in the app, but their closures don't run. The test decides what the
/// effects send and when they end. It needs no clients and no clocks, and never waits.
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
/// `.send` effects have no work to stub, and send their actions as usual. `tca-replay test --style store` generates
/// such tests.
@MainActor
public final class StubbedEffects<Action> {
  /// An effect that has started, and has neither ended nor been canceled.
  private struct RunningEffect {
    let number: Int
    let name: String?
    let send: Send<Action>
    let end: AsyncStream<Never>.Continuation
  }

  private var running: [RunningEffect] = []
  private var lastNumber = 0

  /// Creates the effects of one test store.
  nonisolated public init() {}

  deinit {
    for effect in running { effect.end.finish() }
  }

  /// Sends an action from a running effect.
  ///
  /// The effect continues.
  ///
  /// Reports an issue if no such effect is running.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - name: The name of the effect, as in `.run(name:)`; `nil` for an effect without a name.
  ///   - position: The index among the running effects with that name, in the order of their start; `nil` if exactly
  ///     one is expected.
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

  /// Ends a running effect.
  ///
  /// Reports an issue if no such effect is running.
  ///
  /// - Parameters:
  ///   - name: The name of the effect, as in `.run(name:)`; `nil` for an effect without a name.
  ///   - action: The action that the effect sends before it ends; `nil` to send none.
  ///   - position: The index among the running effects with that name, in the order of their start; `nil` if exactly
  ///     one is expected.
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
    // Removed here, because the next call may look up the running effects before this effect's task has resumed.
    running.removeAll { $0.number == effect.number }
    await Task.megaYield()
  }

  /// Waits until the test or a cancellation ends the effect.
  fileprivate func run(_ name: String?, _ send: Send<Action>) async {
    let (ends, end) = AsyncStream<Never>.makeStream()
    lastNumber += 1
    let number = lastNumber
    running.append(RunningEffect(number: number, name: name, send: send, end: end))
    for await _ in ends {}
    running.removeAll { $0.number == number }
  }

  private func effect(
    _ name: String?,
    at position: Int?,
    _ location: IssueLocation
  ) -> RunningEffect? {
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
  /// Leaves the work of this reducer's effects to a test.
  ///
  /// ```swift
  /// let effects = StubbedEffects<Search.Action>()
  /// let store = TestStore(initialState: Search.State()) {
  ///   Search().stubbingEffects(by: effects)
  /// }
  /// ```
  ///
  /// - Parameter effects: The object that registers the effects that the reducer starts.
  /// - Returns: A reducer with the same effects. Their closures don't run.
  public func stubbingEffects(by effects: StubbedEffects<Action>) -> some Reducer<State, Action> {
    EffectStubbingReducer(base: self, effects: effects)
  }
}

private struct EffectStubbingReducer<Base: Reducer>: Reducer {
  let base: Base
  let effects: StubbedEffects<Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    base._reduce(into: &state, action: action).mapRuns { run in
      // Effects of the library itself are not work of the feature.
      guard !run.leaf.isInternal else { return }
      let name = run.leaf.name
      run.operation = { [effects] send in await effects.run(name, send) }
    }
  }
}
