import TCACore
import Testing

/// Code without explicit types that the compiler must infer.
@MainActor
@Suite struct InferenceTests {
  @Test func `TestStore infers its types from the reducer`() async {
    let store = TestStore(initialState: .init()) { Ticker() }
    await store.send(.tap) { $0.count = 1 }
    await store.receive(\.tapped) { $0.count = 2 }
  }

  @Test func `TestStore takes dependencies in a closure after the reducer`() async {
    let store = TestStore(initialState: .init(count: 4)) {
      Ticker()
    } withDependencies: {
      $0.ticker = 3
    }
    await store.send(.tap) { $0.count = 7 }
    await store.receive(\.tapped) { $0.count = 10 }
  }

  /// Returns a store as tests create it, with a nonescaping closure.
  private func store(
    _ prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<Ticker> {
    TestStore(initialState: .init()) {
      Ticker()
    } withDependencies: {
      $0.ticker = 5
      prepare(&$0)
    }
  }

  @Test func `a method can make a test store from a closure that sets dependencies`() async {
    var count = 0
    let store = store {
      $0.ticker += 1
      count += 1
    }
    #expect(count == 1)
    await store.send(.tap) { $0.count = 6 }
    await store.receive(\.tapped) { $0.count = 12 }
    #expect(self.store().state.count == 0)
  }

  @Test func `a reducer closure may have several statements`() async {
    let store = TestStore(initialState: Ticker.State()) {
      let ticker = Ticker()
      return ticker.dependency(\.ticker, 2)
    }
    await store.send(.tap) { $0.count = 2 }
    await store.receive(\.tapped) { $0.count = 4 }
  }

  @Test func `CombineReducers runs several reducers in order`() async {
    let store = TestStore(initialState: Ticker.State()) {
      CombineReducers {
        Ticker()
        Ticker()
      }
    }
    store.exhaustivity = .off
    await store.send(.tap) { $0.count = 2 }
    await store.finish()
  }

  @Test func `an effect can pass its Send to a method as SendOf`() async {
    let store = TestStore(initialState: .init()) { Ticker() }
    await store.send(.tapThrice) { $0.count = 1 }
    for count in 2...4 {
      await store.receive(\.tapped) { $0.count = count }
    }
  }
}

private enum TickerKey: DependencyKey {
  static let liveValue = 1
  static let testValue = 1
}

extension DependencyValues {
  fileprivate var ticker: Int {
    get { self[TickerKey.self] }
    set { self[TickerKey.self] = newValue }
  }
}

@Reducer
private struct Ticker {
  @ObservableState
  struct State: Equatable { var count = 0 }

  enum Action {
    case tap
    case tapThrice
    case tapped
  }

  @Dependency(\.ticker) var step

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.count += step
      switch action {
      case .tap: return .run { send in await tap(times: 1, send: send) }
      case .tapThrice: return .run { send in await tap(times: 3, send: send) }
      case .tapped: return .none
      }
    }
  }

  private func tap(times: Int, send: SendOf<Self>) async {
    for _ in 0..<times { await send(.tapped) }
  }
}
