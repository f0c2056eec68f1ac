import TCACore
import Testing

@Suite("Binding state in a log")
struct BindingLogTests {
  @CasePathable
  enum Action: BindableAction, Equatable {
    case binding(BindingAction<State>)
  }

  @LogValue
  struct State: Equatable {
    @BindingState var name = ""
    @BindingState var count: Int = 0
    var plain = true
  }

  @Test func `BindingState properties are logged as plain values`() throws {
    let state = State(name: "Blob", count: 3, plain: false)
    let json = JSON(logging: state)
    #expect(json == ["name": "Blob", "count": 3, "plain": false])
    #expect(try LogDecoder(json).value(State.self) == state)
  }

  @Test func `a binding action of BindingState round-trips through the log`() throws {
    let action = Action.set(\.$name, "Blob")
    let json = JSON(logging: action)
    #expect(json == ["binding": ["_0": ["set": ["_0": "$name", "_1": "Blob"]]]])
    let read = try LogDecoder(json).value(Action.self)
    #expect(read == action)
    guard case .binding(\.$name) = read else {
      Issue.record("not the wrapper")
      return
    }
    var state = State()
    _ = BindingReducer<State, Action, Action>()._reduce(into: &state, action: read)
    #expect(state.name == "Blob")
  }

  @CasePathable
  enum NestedAction: BindableAction, Equatable {
    case binding(BindingAction<NestedState>)
  }

  @LogValue
  struct NestedState: Equatable {
    @BindingState var user = User()
  }

  @LogValue
  struct User: Equatable {
    var name = ""
    var address = Address()
  }

  @LogValue
  struct Address: Equatable {
    var city = ""
  }

  @Test func `a binding action of a nested property round-trips through the log`() throws {
    let action = NestedAction.set(\.$user.address.city, "Rome")
    let json = JSON(logging: action)
    #expect(json == ["binding": ["_0": ["set": ["_0": "$user.address.city", "_1": "Rome"]]]])
    let read = try LogDecoder(json).value(NestedAction.self)
    #expect(read == action)
    guard case .binding(\.$user.address.city) = read else {
      Issue.record("not the part")
      return
    }
    var state = NestedState()
    _ = BindingReducer<NestedState, NestedAction, NestedAction>()._reduce(
      into: &state,
      action: read
    )
    #expect(state.user.address.city == "Rome")
  }
}
