import TCACore
import Testing

/// What the compiler has to find out by itself, as it does for code that is written without the types.
@MainActor
@Suite struct InferenceTests {
  @Test func theReducerTellsATestStoreItsTypes() async {
    let store = TestStore(initialState: .init()) { Ticker() }
    await store.send(.tap) { $0.count = 1 }
    await store.receive(\.tapped) { $0.count = 2 }
  }

  @Test func dependenciesStandBesideTheReducer() async {
    let store = TestStore(initialState: .init(count: 4)) {
      Ticker()
    } withDependencies: {
      $0.ticker = 3
    }
    await store.send(.tap) { $0.count = 7 }
    await store.receive(\.tapped) { $0.count = 10 }
  }

  /// A store as tests make it for themselves, with a closure that does not escape.
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

  @Test func aMethodThatMakesStoresTakesDependencies() async {
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

  @Test func aReducerMayBeMadeInSteps() async {
    let store = TestStore(initialState: Ticker.State()) {
      let ticker = Ticker()
      return ticker.dependency(\.ticker, 2)
    }
    await store.send(.tap) { $0.count = 2 }
    await store.receive(\.tapped) { $0.count = 4 }
  }

  @Test func severalReducersAreCombined() async {
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

  @Test func aMethodTakesWhatSends() async {
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
