public import TCACore
import Testing

@Reducer
struct Ticker {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 0
    var count = 0
  }
  enum Action: Equatable { case tick, start, changeID }
  var step = 1
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tick: state.count += step
      case .changeID: state.id += 1
      case .start:
        return .run { _ in try await Task.never() }
      }
      return .none
    }
  }
}

@Reducer
enum Inner {
  case ticker(Ticker)
}

@Reducer
enum Destination {
  case counter(Counter)
  case ticker(Ticker = Ticker(step: 5))
  case inner(Inner.Body = Inner.body)
  case nothing
  case pair(Int, name: String)
  @ReducerCaseIgnored case plain(Int)
  #if DEBUG
  case debug(Counter)
  #else
  case release(Counter)
  #endif
}
extension Destination.State: Equatable {}
extension Inner.State: Equatable {}

/// An enum of features with arguments.
@Reducer(state: .equatable, .sendable, action: .equatable)
public enum Old {
  case counter(Second)
}
/// A feature without anything.
@Reducer public struct Second {}

@Reducer enum NoFeatures {
  case a
  case b(Int, Int)
}

@MainActor
@Suite struct ReducerEnumTests {
  @Test func reducesTheCaseThatIsThere() {
    let store = Store(initialState: Destination.State.ticker(.init())) { Destination.body }
    store.send(.ticker(.tick))
    #expect(store.withState(\.ticker)?.count == 5)
    guard case .ticker(let child) = store.case else {
      Issue.record("another case")
      return
    }
    child.send(.tick)
    #expect(child.withState(\.count) == 10)
    guard case .ticker(let same) = store.case else { return }
    #expect(child === same)
  }

  @Test func reportsActionsOfOtherCases() {
    let store = Store(initialState: Destination.State.nothing) { Destination.body }
    withKnownIssue { _ = store.send(.ticker(.tick)) }
    guard case .nothing = store.case else {
      Issue.record("another case")
      return
    }
  }

  @Test func nestsEnums() {
    let state = Destination.State.inner(.ticker(.init()))
    let store = Store(initialState: state) { Destination.body }
    store.send(.inner(.ticker(.tick)))
    #expect(store.withState(\.inner?.ticker)?.count == 1)
    #expect(store.case.inner?.case.ticker?.withState(\.count) == 1)
    #expect(Destination.State.pair(1, name: "a").pair?.name == "a")
  }

  @Test func cancelsWhenTheChildBecomesAnother() async {
    let store = Store(initialState: Destination.State.ticker(.init())) { Destination.body }
    let task = store.send(.ticker(.start))
    #expect(!store.isIdle)
    store.send(.ticker(.tick))
    #expect(!store.isIdle)
    store.send(.ticker(.changeID))
    await task.finish()
    #expect(store.isIdle)
  }

  @Test func conforms() {
    #expect(Old.State.counter(.init()) == Old.State.counter(.init()))
    #expect(Array(NoFeatures.State.allCasePaths).count == 2)
    #expect(
      JSON(logging: Destination.State.ticker(.init())) == ["ticker": ["_0": ["id": 0, "count": 0]]]
    )
  }
}
