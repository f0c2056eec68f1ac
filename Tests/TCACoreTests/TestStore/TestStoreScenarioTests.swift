import TCACore
import Testing

/// Clocks, dependencies, bindings and executors in a test store.
@MainActor
@Suite struct TestStoreScenarioTests {
  @Test func `effects that sleep on a test clock send in the order of their deadlines`() async {
    let clock = TestClock()
    let store = TestStoreOf<Lab>.lab(clock: clock)
    await store.send(.sendAfter(.seconds(2), [.note("second")]))
    await store.send(.sendAfter(.seconds(1), [.note("first")]))
    await store.send(.sendAfter(.zero, [.note("at once")]))
    await clock.advance()
    await store.receive(.note("at once")) { $0.notes = ["at once"] }
    await clock.advance(by: .seconds(5))
    await store.receive(.note("first")) { $0.notes.append("first") }
    await store.receive(.note("second")) { $0.notes.append("second") }
  }

  @Test func `a test store receives a timer's ticks until the timer is canceled`() async {
    let clock = TestClock()
    let store = TestStore(initialState: 0) {
      Reduce<Int, Bool> { state, starts in
        guard starts else {
          state += 1
          return .none
        }
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(false) }
        }
      }
    }
    let task = await store.send(true)
    await clock.advance(by: .seconds(3))
    await store.receive(false) { $0 = 1 }
    await store.receive(false) { $0 = 2 }
    await store.receive(false) { $0 = 3 }
    await task.cancel()
    await clock.advance(by: .seconds(3))
  }

  @Test func `a canceled effect does not count as running`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.sendAfter(.seconds(1), [.add(1)]))
    await store.send(.cancel)
    await store.finish(timeout: .zero)
  }

  @Test func `a canceled effect that ignores its cancellation does not count as running`() async {
    let gate = Gate()
    let store = TestStore(initialState: 0) {
      Reduce<Int, Bool> { _, starts in
        starts
          ? .run { _ in await gate.waitUncancellably() }.cancellable(id: 1)
          : .cancel(id: 1)
      }
    }
    await store.send(true)
    await store.send(false)
    await store.finish(timeout: .zero)
    gate.open()
  }

  @Test func `a concatenation counts as running until its last part`() async {
    enum Action: Equatable { case start, cancel, next }
    let gate = Gate()
    let store = TestStore(initialState: 0) {
      Reduce<Int, Action> { state, action in
        switch action {
        case .start:
          return .concatenate(
            .run { _ in await gate.waitUncancellably() }.cancellable(id: 1),
            .send(.next)
          )
        case .cancel: return .cancel(id: 1)
        case .next:
          state += 1
          return .none
        }
      }
    }
    await store.send(.start)
    await store.send(.cancel)
    let issues = await StoreIssues.of {
      await store.finish(timeout: .zero)
    }
    #expect(issues.messages.map { $0.prefix(26) } == ["Expected effects to finish"])
    gate.open()
    await store.receive(.next) { $0 = 1 }
  }

  @Test func `dependencies set around an effect in a test store apply to it only`() async {
    let store = TestStore(initialState: [Int]()) {
      Chain()
    } withDependencies: {
      $0[Level.self] = 0
    }
    await store.send(.start)
    await store.receive(\.level, 1) { $0 = [1] }
    await store.receive(\.level, 1) { $0 = [1, 1] }
    await store.receive(\.level, 1) { $0 = [1, 1, 1] }
  }

  @Test func `a test store sends and receives bindings by their properties`() async {
    let store = TestStore(initialState: Switch.State()) { Switch() }
    await store.send(\.binding.isOn, true) { $0.isOn = true }
    await store.receive(\.isOn)
    await store.receive(\.binding.isOn) { $0.isOn = false }
    await store.send(.set(\.isOn, true)) { $0.isOn = true }
    await store.receive(\.isOn)
    await store.receive(\.binding.isOn, false) { $0.isOn = false }
  }

  @Test func `a test store receives an action that is not Equatable by its case`() async {
    struct Opaque { let number: Int }
    let store = TestStore(initialState: 0) {
      Reduce<Int, Opaque> { state, action in
        state += action.number
        return action.number == 1 ? .run { send in await send(Opaque(number: 2)) } : .none
      }
    }
    await store.send(Opaque(number: 1)) { $0 = 1 }
    await store.receive(\.self) { $0 = 3 }
  }

  @Test func `the main serial executor is used as long as a test store requests it`() {
    let first = TestStore(initialState: 0) { Reduce<Int, Void> { _, _ in .none } }
    var second: TestStore<Int, Void>? = TestStore(initialState: 0) { Reduce { _, _ in .none } }
    #expect(first.useMainSerialExecutor)
    #expect(uncheckedUseMainSerialExecutor)
    second = nil
    #expect(uncheckedUseMainSerialExecutor)
    first.useMainSerialExecutor = false
    #expect(!first.useMainSerialExecutor)
    _ = second
  }

  nonisolated func letGo() async {
    let store = await TestStoreOf<Lab>.lab()
    await store.send(.sendAfter(.seconds(1), []))
    await store.send(.send([.add(1)]))
  }

  @Test func `a test store released outside the main actor reports its remaining problems`() async {
    let issues = await StoreIssues.of { await letGo() }
    #expect(issues.messages.count == 2)
  }
}

/// A level that is one higher in each effect than in the store.
private enum Level: TestDependencyKey {
  static let testValue = 0
}

@Reducer
private struct Chain {
  typealias State = [Int]
  @CasePathable
  enum Action {
    case start
    case level(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .level(let level) = action { state.append(level) }
      guard state.count < 3 else { return .none }
      @Dependency(Level.self) var level
      return withDependencies {
        $0[Level.self] = level + 1
      } operation: {
        .run { send in
          @Dependency(Level.self) var level
          await send(.level(level))
        }
      }
    }
  }
}

/// A switch that turns itself off, with a case that has the name of a property.
@Reducer
private struct Switch {
  @ObservableState
  struct State: Equatable {
    var isOn = false
  }

  @CasePathable
  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case isOn
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      if case .binding(\.isOn) = action, state.isOn {
        return .run { send in
          await send(.isOn)
          await send(.binding(.set(\.isOn, false)))
        }
      }
      return .none
    }
  }
}
