import TCACore
import Testing

/// A feature with properties that controls set.
@Reducer
struct Form {
  @ObservableState
  struct State: Equatable {
    var name = ""
    var isOn = false
    var address = Address()
    var owner = Owner()
    var seen: [String] = []
  }

  @LogValue
  struct Address: Equatable {
    var street = ""
  }

  @LogValue
  struct Owner: Equatable {
    var home = Address()
  }

  enum Action: BindableAction, Equatable {
    case binding(BindingAction<State>)
    case isOn
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.name): state.seen.append("name is \(state.name)")
      case .binding(\.address.street): state.seen.append("street is \(state.address.street)")
      case .binding(\.owner.home.street): state.seen.append("home is \(state.owner.home.street)")
      case .binding(.set(\.isOn, true)): state.seen.append("switched on")
      case .binding: state.seen.append("something else")
      case .isOn: break
      }
      return .none
    }
  }
}

/// A state with a property that is not `Equatable`.
@LogValue
struct House {
  var owner = Owner()

  struct Owner {
    var home = Form.Address()
  }
}

/// A feature whose view actions are in a separate enum.
@Reducer
struct FormWithView {
  @ObservableState
  struct State {
    var name = ""
  }

  enum Action: ViewAction {
    case view(View)
    case other

    enum View: BindableAction {
      case binding(BindingAction<State>)
    }
  }

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
  }
}

/// A feature that contains a form but does not run it.
@Reducer
struct FormPage {
  @ObservableState
  struct State { var form = Form.State() }

  enum Action { case form(Form.Action) }
}

/// Properties that are set by actions.
@MainActor
@Suite struct BindingTests {
  private let store = Store(initialState: Form.State()) { Form() }

  @Test func `reducers after BindingReducer see the property that was set`() {
    store.send(.binding(.set(\.name, "Blob")))
    store.send(.set(\.isOn, true))
    store.send(.set(\.isOn, false))
    #expect(store.seen == ["name is Blob", "switched on", "something else"])
    #expect(store.name == "Blob")
  }

  @Test func `setting a property of a store sends a binding action`() {
    store.name = "Blob"
    store.isOn.toggle()
    #expect(store.seen == ["name is Blob", "switched on"])
  }

  @Test func `setting a property of a store sends a binding action nested in the view's action`() {
    let store = Store(initialState: FormWithView.State()) { FormWithView() }
    store.name = "Blob"
    #expect(store.state.name == "Blob")
  }

  @Test func `setting a property of a store reports an issue if nothing handles the binding`() {
    let line: UInt = #line + 1
    let store = Store(initialState: Form.State()) { EmptyReducer<Form.State, Form.Action>() }
    let issues = recordingIssues { store.name = "Blob" }
    #expect(
      issues == [
        """
        A property of "Form.State" was set through a store, and no reducer handled the action: …

            Form.Action.binding(.set(\\Form.State.name, "Blob"))

        The feature runs in the store made at TCACoreTests/BindingTests.swift:\(line). Nothing was \
        set. Begin the body of the feature with "BindingReducer()".
        """
      ]
    )
    #expect(recordingIssues { _ = store.send(.set(\.name, "Blob")) } == [])
  }

  @Test
  func `setting a property of a scoped store reports an issue if nothing handles the binding`() {
    let line: UInt = #line + 1
    let store = Store(initialState: FormPage.State()) { FormPage() }
    let form = store.scope(\.form, action: \.form)
    let issues = recordingIssues { form.address.street = "Main" }
    #expect(
      issues == [
        """
        A property of "Form.State" was set through a store, and no reducer handled the action: …

            Form.Action.binding(.set(\\Form.State.address, Form.Address(street: "Main")))

        The feature runs in the store made at TCACoreTests/BindingTests.swift:\(line). Nothing was \
        set. Begin the body of the feature with "BindingReducer()".
        """
      ]
    )
  }

  @Test func `binding actions are equal if their property and value are equal`() {
    let action = BindingAction<Form.State>.set(\.name, "Blob")
    #expect(action == .set(\.name, "Blob"))
    #expect(action != .set(\.name, "Blob Jr."))
    #expect(action != .set(\.address.street, "Blob"))
  }

  @Test func `a case key path names the property that a binding action sets`() {
    let action = Form.Action.set(\.isOn, true)
    #expect(action[case: \.binding.isOn] == true)
    #expect(action[case: \.binding.name] == nil)
    #expect(!action.is(\.isOn))
    #expect((\Form.Action.Cases.binding.name)("Blob") == .set(\.name, "Blob"))
  }

  @Test func `a case key path of a binding reaches nested properties`() async {
    let action = Form.Action.set(\.address.street, "Main")
    #expect(action[case: \.binding.address.street] == "Main")
    #expect(action.is(\.binding.address.street))
    #expect(!action.is(\.binding.address))
    #expect(
      Form.Action.set(\.owner.home.street, "Side")[case: \.binding.owner.home.street] == "Side"
    )
    #expect((\Form.Action.Cases.binding.address.street)("Main") == action)
    let store = TestStore(initialState: Form.State()) { Form() }
    await store.send(\.binding.address.street, "Main") {
      $0.address.street = "Main"
      $0.seen = ["street is Main"]
    }
    await store.send(\.binding.owner.home.street, "Side") {
      $0.owner.home.street = "Side"
      $0.seen = ["street is Main", "home is Side"]
    }
  }

  @Test func `a binding action of a property that is not Equatable has its case`() throws {
    let json: JSON = ["set": ["_0": "owner", "_1": ["home": ["street": "Side"]]]]
    let action = try LogDecoder(json).value(BindingAction<House>.self)
    #expect(action.is(\.owner))
    #expect(!action.is(\.owner.home))
    #expect(!BindingAction<House>.set(\.owner.home.street, "Side").is(\.owner))
    let path: PartialCaseKeyPath<BindingAction<House>> = \.owner
    #expect(path(House.Owner(home: Form.Address(street: "Main")))?.is(\.owner) == true)
    #expect(path("Main") == nil)
  }

  @Test func `a binding action is logged by its property's name and round-trips`() throws {
    let action = Form.Action.set(\.address.street, "Main")
    let json = JSON(logging: action)
    #expect(json == ["binding": ["_0": ["set": ["_0": "address.street", "_1": "Main"]]]])
    #expect(try LogDecoder(json).value(Form.Action.self) == action)
    var state = Form.State()
    _ = Form()._reduce(into: &state, action: try LogDecoder(json).value(Form.Action.self))
    #expect(state.address.street == "Main")
    #expect(throws: LogDecodingError.self) {
      try LogDecoder(["binding": ["_0": ["set": ["_0": "gone", "_1": 1]]]])
        .value(Form.Action.self)
    }
  }
}
