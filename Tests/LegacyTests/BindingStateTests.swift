import TCACore
import Testing

@MainActor
@Suite("Binding state")
struct BindingStateTests {
  struct Feature: Reducer {
    struct User: Equatable, Sendable { var name = "" }
    struct State: Equatable {
      @BindingState var name = ""
      @BindingState var user = User()
      @BindingState var isOn = false
      var log: [String] = []
    }
    enum Action: BindableAction, Equatable {
      case binding(BindingAction<State>)
    }
    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .binding(.set(\.$isOn, true)): state.log.append("on")
        case .binding(\.$name): state.log.append("name \(state.name)")
        case .binding(\.$user.name): state.log.append("user \(state.user.name)")
        case .binding: state.log.append("other")
        }
        return .none
      }
    }
  }

  @Test func `BindingReducer sets BindingState properties, and patterns match their key paths`() {
    let store = Store(initialState: Feature.State()) { Feature() }
    store.send(.set(\.$name, "Blob"))
    store.send(.binding(.set(\.$user.name, "Jr.")))
    store.send(.set(\.$isOn, true))
    store.send(.set(\.$isOn, false))
    #expect(store.state.name == "Blob")
    #expect(store.state.user.name == "Jr.")
    #expect(store.state.log == ["name Blob", "user Jr.", "on", "other"])
  }

  @Test func `binding actions of BindingState are equal if their property and value are equal`() {
    typealias Binding = BindingAction<Feature.State>
    #expect(Binding.set(\.$name, "a") == .set(\.$name, "a"))
    #expect(Binding.set(\.$name, "a") != .set(\.$name, "b"))
    #expect(Binding.set(\.$isOn, true) != .set(\.$name, "true"))
  }

  @Test func `dumps of a state show BindingState properties without their wrapper`() {
    #expect(
      String(customDumping: Feature.State()) == """
        BindingStateTests.Feature.State(
          name: "",
          user: BindingStateTests.Feature.User(name: ""),
          isOn: false,
          log: []
        )
        """
    )
  }

  @Test func `case paths of a binding action extract and embed the property's value`() {
    let path: AnyCasePath<BindingAction<Feature.State>, String> =
      BindingAction<Feature.State>.allCasePaths[dynamicMember: \.$name]
    #expect(path.extract(from: .set(\.$name, "a")) == "a")
    #expect(path.extract(from: .set(\.$isOn, true)) == nil)
    #expect(path.embed("b") == .set(\.$name, "b"))
  }
}
