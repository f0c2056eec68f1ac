import Foundation
import Synchronization

/// The runtime of a feature.
@MainActor
public final class Store<State, Action> {
  private let read: () -> State
  private let perform: (Action) -> Task<Void, Never>?

  /// Creates a store of a feature.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepare: ((inout DependencyValues) -> Void)? = nil
  ) {
    var values = DependencyValues._current
    prepare?(&values)
    values.navigationPath.append(.unique())
    let core = DependencyValues.$_current.withValue(values) {
      StoreCore(initialState(), reducer(), values)
    }
    read = { core.state }
    perform = { core.send($0) }
  }

  private init(read: @escaping () -> State, perform: @escaping (Action) -> Task<Void, Never>?) {
    self.read = read
    self.perform = perform
  }

  /// The state.
  public var state: State { read() }

  /// The state, independent of its observation.
  @_spi(Internals) public var currentState: State { read() }

  /// Sends an action.
  @discardableResult
  public func send(_ action: Action) -> StoreTask { StoreTask(task: perform(action)) }

  /// Returns the store of an optional part.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<Child, ChildAction>? {
    guard let initial = self.state[keyPath: state] else { return nil }
    let path = AnyCasePath(action)
    return Store<Child, ChildAction>(
      read: { self.state[keyPath: state] ?? initial },
      perform: { self.perform(path.embed($0)) }
    )
  }
}

/// The store of a feature.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

/// The effects that an action has started.
public struct StoreTask: Sendable {
  let task: Task<Void, Never>?

  /// Cancels the effects.
  public func cancel() { task?.cancel() }

  /// Waits for the end of the effects.
  public func finish() async { await task?.value }
}

/// The state and the effects of a store.
@MainActor
private final class StoreCore<State, Action> {
  private(set) var state: State
  private let reducer: any Reducer<State, Action>
  private let dependencies: DependencyValues
  private var buffer: [Action] = []
  private var isSending = false
  private var running: [UUID: AnyCancellable] = [:]

  init(_ state: State, _ reducer: any Reducer<State, Action>, _ dependencies: DependencyValues) {
    self.state = state
    self.reducer = reducer
    self.dependencies = dependencies
  }

  deinit { for cancellable in running.values { cancellable.cancel() } }

  func send(_ action: Action) -> Task<Void, Never>? {
    buffer.append(action)
    guard !isSending else { return nil }
    isSending = true
    defer { isSending = false }
    var tasks: [Task<Void, Never>] = []
    // Buffered actions are handled in the same call.
    var next = 0
    while next < buffer.count {
      let action = buffer[next]
      next += 1
      let effect = DependencyValues.$_current.withValue(dependencies) {
        reducer._reduce(into: &state, action: action)
      }
      if let task = start(effect) { tasks.append(task) }
    }
    buffer = []
    guard !tasks.isEmpty else { return nil }
    let all = tasks
    return Task {
      await withTaskCancellationHandler {
        for task in all { await task.value }
      } onCancel: {
        for task in all { task.cancel() }
      }
    }
  }

  private func start(_ effect: Effect<Action>) -> Task<Void, Never>? {
    let id = UUID()
    switch effect.operation {
    case .none: return nil
    case .run(_, let priority, let operation):
      let task = Task(priority: priority) { @MainActor [weak self] in
        await operation(Send { _ = self?.send($0) })
        self?.running[id] = nil
      }
      running[id] = AnyCancellable { task.cancel() }
      return task
    case .publisher(let publisher):
      let isDone = Flag()
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      let cancellable = publisher.subscribe(
        Observer { [weak self] action in
          nonisolated(unsafe) let action = action
          MainQueue.run { _ = self?.send(action) }
        } complete: { [weak self] in
          MainQueue.run {
            guard isDone.raise() else { return }
            self?.running[id] = nil
            end.finish()
          }
        }
      )
      guard !isDone.value else { return nil }
      running[id] = cancellable
      return Task { @MainActor [weak self] in
        await withTaskCancellationHandler {
          for await _ in ended {}
        } onCancel: {
          end.finish()
        }
        if isDone.raise() { self?.running[id] = nil }
      }
    }
  }
}

/// Runs store accesses on the main queue.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Runs a function immediately on the main queue, or otherwise in its next turn.
  static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if DispatchQueue.getSpecific(key: key) == true {
      MainActor.assumeIsolated(body)
    } else {
      DispatchQueue.main.async { MainActor.assumeIsolated(body) }
    }
  }
}
