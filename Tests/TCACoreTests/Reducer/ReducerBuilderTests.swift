import TCACore
import Testing

private struct WithBody: Reducer {
  typealias State = [String]
  typealias Action = String
  let isOn: Bool

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.append("first \(action)")
      return action == "tap" ? .send("one") : .none
    }
    if isOn {
      note("on")
    } else {
      EmptyReducer()
    }
    if isOn {
      note("optional")
    }
    for name in ["a", "b"] {
      note(name)
    }
    erased
    Reduce { state, action in
      state.append("last \(action)")
      return action == "tap" ? .send("two") : .none
    }
  }

  private var erased: any Reducer<[String], String> { note("erased") }

  private func note(_ name: String) -> Reduce<[String], String> {
    Reduce { state, action in
      if action == "tap" { state.append(name) }
      return .none
    }
  }
}

private struct WithConstantBody: Reducer {
  typealias State = Int
  typealias Action = Int
  let body = EmptyReducer<Int, Int>()
}

@MainActor
@Suite struct ReducerBuilderTests {
  @Test func `a reducer body runs from top to bottom and merges its effects in order`() {
    let store = Store(initialState: [String]()) { WithBody(isOn: true) }
    store.send("tap")
    #expect(
      store.state == [
        "first tap", "on", "optional", "a", "b", "erased", "last tap", "first one", "last one",
        "first two", "last two",
      ]
    )
  }

  @Test func `a reducer body skips the branches that are not taken`() {
    let store = Store(initialState: [String]()) { WithBody(isOn: false) }
    store.send("other")
    #expect(store.state == ["first other", "last other"])
  }

  @Test func `a store accepts an empty reducer closure and a reducer with a constant empty body`() {
    let store: Store<Int, Int> = Store(initialState: 1) {}
    store.send(2)
    #expect(store.state == 1)
    let constant = Store(initialState: 1) { WithConstantBody() }
    constant.send(2)
    #expect(constant.state == 1)
  }

  @Test func `a reducer builder runs an optional reducer if it is not nil`() {
    let none: Reduce<Int, Int>? = nil
    let some: Reduce<Int, Int>? = Reduce { state, action in
      state += action
      return .none
    }
    let store = Store(initialState: 1) {
      none
      some
    }
    store.send(2)
    #expect(store.state == 3)
  }

  @Test func `combined effects are empty if all their parts are`() {
    #expect(Effect<Int>.merge(.none, .none).isNone)
    #expect(Effect<Int>.concatenate(.none).isNone)
    #expect(Effect<Int>.none.map { "\($0)" }.isNone)
    #expect(Effect<Int>.none.cancellable(id: 1).isNone)
    #expect(!Effect<Int>.none.cancellable(id: 1, cancelInFlight: true).isNone)
  }
}
