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
/// A feature without members.
@Reducer public struct Second {}

@Reducer enum NoFeatures {
  case a
  case b(Int, Int)
}

/// Cases with the names of members of their state.
@Reducer(state: .hashable, .codable)
enum NamedAsMembers {
  case encode(Second)
  case hash(Second)
  case `is`(Second)
  case modify(Second)
  case description(Second)
  case hashValue(Second)
  @ReducerCaseIgnored case decode(Int)
}
extension NamedAsMembers.State: CustomStringConvertible {
  var description: String { "state" }
}

/// The same in the state of a feature.
///
/// `@Reducer` adds dynamic members to it.
@Reducer
struct EncodingScreen {
  @ObservableState
  enum State: Equatable {
    case encode(Ticker.State)
    case none
  }
  enum Action { case encode(Ticker.Action) }
  var body: some ReducerOf<Self> {
    EmptyReducer().ifCaseLet(\.encode, action: \.encode) { Ticker() }
  }
}

/// Types with the names of those in generated code.
@Reducer
enum NamedAsTypes {
  case ticker(Ticker)

  struct Bool {}
  struct EmptyReducer {}
  struct MainActor {}
  struct Never {}
  struct Optional {}
  struct Reduce {}
  struct Store {}
  struct Void {}
}

@MainActor
@Suite struct ReducerEnumTests {
  @Test func `an enum of features reduces the current case and reuses the store of that case`() {
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

  @Test func `an action for a case that is not current reports an issue`() {
    let store = Store(initialState: Destination.State.nothing) { Destination.body }
    withKnownIssue { _ = store.send(.ticker(.tick)) }
    guard case .nothing = store.case else {
      Issue.record("another case")
      return
    }
  }

  @Test func `an enum of features may contain another enum of features`() {
    let state = Destination.State.inner(.ticker(.init()))
    let store = Store(initialState: state) { Destination.body }
    store.send(.inner(.ticker(.tick)))
    #expect(store.withState(\.inner?.ticker)?.count == 1)
    #expect(store.case.inner?.case.ticker?.withState(\.count) == 1)
    #expect(Destination.State.pair(1, name: "a").pair?.name == "a")
  }

  @Test func `a change of the id of a case's state cancels the effects of that case`() async {
    let store = Store(initialState: Destination.State.ticker(.init())) { Destination.body }
    let task = store.send(.ticker(.start))
    #expect(!store.isIdle)
    store.send(.ticker(.tick))
    #expect(!store.isIdle)
    store.send(.ticker(.changeID))
    await task.finish()
    #expect(store.isIdle)
  }

  @Test func `cases of an enum of features may be named like members`() {
    typealias State = NamedAsMembers.State
    let state = State.encode(Second.State())
    let store = Store(initialState: state) { NamedAsMembers.body }
    #expect(store.case.encode != nil)
    #expect(store.scope(\.encode, action: \.encode) != nil)
    #expect(store.scope(\.modify, action: \.modify) == nil)
    #expect(state.encode == Second.State())
    #expect(state.hash == nil && state.is == nil && state.modify == nil && state.decode == nil)
    #expect(State.hash(Second.State()).hash != nil)
    #expect(State.is(Second.State()).is != nil)
    #expect(State.modify(Second.State()).modify != nil)
    #expect(state.is(\.encode) && state.hashValue == State.encode(Second.State()).hashValue)
    for state in [State.description(Second.State()), .hashValue(Second.State())] {
      // The case is found in addition to the property of the state.
      let store = Store(initialState: state) { NamedAsMembers.body }
      #expect(store.case.description != nil || store.case.hashValue != nil)
    }
    #expect(JSON(logging: state) == ["encode": ["_0": [:]]])

    let screen = Store(initialState: .encode(.init())) { EncodingScreen() }
    screen.scope(\.encode, action: \.encode)?.send(.tick)
    #expect(screen.withState(\.encode)?.count == 1)
  }

  @Test func `types nested in an enum of features may be named like types in generated code`() {
    let store = Store(initialState: .ticker(.init())) { NamedAsTypes.body }
    store.case.ticker?.send(.tick)
    #expect(store.withState(\.ticker)?.count == 1)
  }

  @Test func `the state of an enum of features is equatable, has case paths and is logged`() {
    #expect(Old.State.counter(.init()) == Old.State.counter(.init()))
    #expect(Array(NoFeatures.State.allCasePaths).count == 2)
    #expect(
      JSON(logging: Destination.State.ticker(.init())) == ["ticker": ["_0": ["id": 0, "count": 0]]]
    )
  }
}
