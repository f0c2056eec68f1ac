public import ComposableArchitecture
import ComposableRecorder
import Synchronization

/// The running tasks of a feature under test, whose work the test performs.
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
/// The closure of a single `.run` effect doesn't run, so it needs no clients and no clocks. Actions of `.send` arrive as
/// in the app. A publisher, or a combination of `.send` and tasks, is canceled when it has sent these actions: the test
/// sends its later ones. The tasks of a combination run until they first suspend, so they can call clients. The library doesn't show which effect a cancellation reaches, so the test also ends canceled
/// effects.
///
/// `test LOG --style store` generates such tests.
public final class StubbedEffects<Action>: Sendable {
  /// The tasks that have not ended, in the order in which their actions were reduced.
  private let running = Mutex<[StubbedTask<Action>]>([])

  /// Creates the effects of one test store.
  public init() {}

  deinit {
    for task in running.withLock({ $0 }) { task.end() }
  }

  /// Sends an action from a running effect, which continues.
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
  @MainActor
  public func send(
    _ action: Action,
    from name: String? = nil,
    at position: Int? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let task = task(name, at: position, fileID, filePath, line, column)
    if let send = await task?.started { send(action) }
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
  @MainActor
  public func finish(
    _ name: String? = nil,
    sending action: Action? = nil,
    at position: Int? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    guard let task = task(name, at: position, fileID, filePath, line, column) else { return }
    if let send = await task.started, let action { send(action) }
    task.end()
    remove(task)
  }

  /// Registers a task whose action has been reduced.
  fileprivate func add(_ name: String?) -> StubbedTask<Action> {
    let task = StubbedTask<Action>(name)
    running.withLock { $0.append(task) }
    return task
  }

  fileprivate func remove(_ task: StubbedTask<Action>) {
    running.withLock { $0.removeAll { $0 === task } }
  }

  private func task(
    _ name: String?,
    at position: Int?,
    _ fileID: StaticString,
    _ filePath: StaticString,
    _ line: UInt,
    _ column: UInt
  ) -> StubbedTask<Action>? {
    let running = running.withLock { $0 }
    let named = running.filter { $0.name == name }
    let index = position ?? 0
    if named.indices.contains(index), position != nil || named.count == 1 { return named[index] }
    let subject = name.map { "the effect \"\($0)\"" } ?? "an effect without a name"
    let place = position.map { " at position \($0)" } ?? ""
    let all = running.map { $0.name.map { "\"\($0)\"" } ?? "one without a name" }
    let found = all.isEmpty ? "none" : all.joined(separator: ", ")
    let remedy = named.count > 1 && position == nil ? "; say which one with 'at:'" : ""
    reportIssue(
      "expected \(subject)\(place) to be running, found \(found)\(remedy)",
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    return nil
  }
}

/// A task that waits until a test ends it.
private final class StubbedTask<Action>: Sendable {
  let name: String?
  private let starts = AsyncStream<Send<Action>>.makeStream()
  private let ends = AsyncStream<Never>.makeStream()
  private let send = Mutex<Send<Action>?>(nil)

  init(_ name: String?) { self.name = name }

  /// The function that sends actions, once the store has started the task; `nil` if the task has ended before.
  @MainActor var started: Send<Action>? {
    get async {
      if let send = send.withLock({ $0 }) { return send }
      for await send in starts.stream { return send }
      return nil
    }
  }

  /// Waits until the test ends the task, or the store cancels it.
  @MainActor
  func run(_ send: Send<Action>) async {
    self.send.withLock { $0 = send }
    starts.continuation.yield(send)
    for await _ in ends.stream {}
    end()
  }

  func end() {
    starts.continuation.finish()
    ends.continuation.finish()
  }
}

extension Reducer {
  /// Leaves the work of this reducer's tasks to a test.
  ///
  /// - Parameter effects: The object that registers the tasks that the reducer starts.
  /// - Returns: A reducer with the same effects. The closures of single `.run` effects don't run.
  public func stubbingEffects(by effects: StubbedEffects<Action>) -> some Reducer<State, Action> {
    StubbingReducer(base: self, effects: effects)
  }
}

private struct StubbingReducer<Base: Reducer>: Reducer {
  let base: Base
  let effects: StubbedEffects<Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let effect = base._reduce(into: &state, action: action)
    switch EffectOutline(effect) {
    case .none: return .none
    case .run where AnswerRehearsal.isRunning: return .none
    case .run(let name, let priority):
      let task = effects.add(name)
      return .run(priority: priority, name: name) { [effects] send in
        await task.run(send)
        effects.remove(task)
      }
    case .publisher: return .concatenate(effect.actionsSentAtOnce.map { .send($0) })
    }
  }
}
