public import TCACore
import Testing

@Reducer
struct Counter {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var filter = Filter.all
    var user = User(name: "Blob")
    enum Filter: String { case all, done }
    struct User: Equatable {
      var name: String
      let tags = ["a"]
      private enum Hidden { case x }
    }
  }
  enum Action: Equatable {
    case increment
    case set(Int)
    case delegate(Delegate)
    enum Delegate: Equatable { case finished(at: Int) }
  }
  private enum CancelID { case timer }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment: state.count += 1
      case .set(let count): state.count = count
      case .delegate: break
      }
      return .none
    }
  }
}

@Reducer struct Empty {}
@Reducer struct EmptyAndSendable: Sendable {}
@Reducer struct StateAndSendable: Sendable {
  struct State: Equatable, Sendable { var text = "" }
  enum Action: Sendable { case tap }
}
/// A feature without members.
@Reducer public struct PublicAndSendable: Sendable {}
@Reducer struct OnlyAction { enum Action { case tap } }
@Reducer struct Plain { struct State { var x = 1 } }
/// A feature that is generic over its id.
@Reducer public struct Generic<ID: Hashable & Sendable> {
  /// The id and a flag.
  @ObservableState
  public struct State {
    var id: ID
    var flag = false
  }
  /// The actions of the feature.
  public enum Action {
    case toggle
    case id(ID)
  }
  /// Toggles the flag.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.flag.toggle()
      return .none
    }
  }
}
@Reducer struct Twice {
  var body: some Reducer<Int, Void> {
    Reduce { state, _ in
      state *= 2
      return .none
    }
    Reduce { state, _ in
      state += 1
      return .none
    }
  }
}
@Reducer struct Nested {
  @ObservableState
  enum State {
    case counter(Counter.State)
    case idle
  }
  enum Action { case counter(Counter.Action) }
}

@MainActor
@Suite struct ReducerTests {
  @Test func `a reducer with one or several parts runs the parts in order for each action`() {
    let store = Store(initialState: Counter.State()) { Counter() }
    store.send(.increment)
    store.send(.set(5))
    #expect(store.withState(\.count) == 5)
    let twice = Store(initialState: 3) { Twice() }
    twice.send(())
    #expect(twice.withState { $0 } == 7)
  }

  @Test func `the Reducer macro adds the state, action and body that a feature does not declare`() {
    _ = Store(initialState: Empty.State()) { Empty() }
    _ = Store(initialState: EmptyAndSendable.State()) { EmptyAndSendable() }
    _ = Store(initialState: StateAndSendable.State()) { StateAndSendable() }
    _ = Store(initialState: PublicAndSendable.State()) { PublicAndSendable() }
    _ = Store(initialState: OnlyAction.State()) { OnlyAction() }
    #expect(JSON(logging: Plain.State()) == ["x": 1])
    #expect(OnlyAction.Action.tap.is(\.tap))
    #expect(Nested.State.counter(.init()).counter?.count == 0)
  }

  @Test func `the state and actions of a feature read back from the log`() throws {
    let state = Counter.State(count: 2)
    #expect(
      JSON(logging: state) == [
        "count": 2, "filter": "all", "user": ["name": "Blob", "tags": ["a"]],
      ]
    )
    #expect(try LogDecoder(JSON(logging: state)).value(Counter.State.self) == state)
    let action = Counter.Action.delegate(.finished(at: 3))
    #expect(JSON(logging: action) == ["delegate": ["_0": ["finished": ["at": 3]]]])
    #expect(try LogDecoder(JSON(logging: action)).value(Counter.Action.self) == action)
  }
}
