import Foundation
import Observation
import TCACore
import Testing

// Code of features and tests from the articles on migrating from 1.6 to 1.8 and to 1.25, without views.

@Reducer
private struct Empty {
}

@Reducer
private struct Form {
  @ObservableState
  struct State: Equatable {
    var firstName = "Blob"
    var lastName = "Jr"
    var isOn = false
    var tab = Tab.home
    var flags: Set<Flag> = []
    var log: [String] = []

    var fullName: String {
      "\(self.firstName) \(self.lastName)"
    }
  }

  enum Tab { case home, settings }
  enum Flag: CaseIterable { case dark, large }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case flagToggled(Flag, isOn: Bool)
    case tabChanged(Tab)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.isOn) { oldValue, state in
        .run { [newValue = state.isOn] send in
          await send(.set(\.lastName, "\(oldValue) \(newValue)"))
        }
      }
    Reduce { state, action in
      switch action {
      case .binding(\.firstName):
        state.log.append("first name")
        return .none
      case .binding(.set(\.tab, .settings)):
        state.log.append("settings")
        return .none
      case .binding:
        return .none
      case .flagToggled(let flag, let isOn):
        if isOn { state.flags.insert(flag) } else { state.flags.remove(flag) }
        return .none
      case .tabChanged(let tab):
        state.tab = tab
        return .none
      }
    }
  }
}

extension StoreOf<Form> {
  fileprivate subscript(hasFlag flag: Form.Flag) -> Bool {
    get { self.flags.contains(flag) }
    set {
      send(.flagToggled(flag, isOn: newValue))
    }
  }
}

@Reducer
private struct Login {
  @ObservableState
  struct State: Equatable {
    var isLoggedIn = false
    var name = ""
  }

  enum Action: ViewAction {
    case loginResponse(Bool)
    case view(View)

    @CasePathable
    enum View: BindableAction {
      case binding(BindingAction<State>)
      case loginButtonTapped
    }
  }

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .loginResponse(let isLoggedIn):
        state.isLoggedIn = isLoggedIn
        return .none
      case .view(.binding):
        return .none
      case .view(.loginButtonTapped):
        return .run { send in
          await send(.loginResponse(true), animation: .default)
        }
      }
    }
  }
}

@MainActor
@ViewAction(for: Login.self)
private struct LoginScreen {
  let store: StoreOf<Login>

  func tap() { send(.loginButtonTapped) }
}

// MARK: - Destinations

@available(*, deprecated)
@Reducer
private struct ByHand {
  @ObservableState
  enum State: Equatable {
    case form(Form.State)
    case login(Login.State)
  }

  enum Action {
    case form(Form.Action)
    case login(Login.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.form, action: \.form) {
      Form()
    }
    Scope(state: \.login, action: \.login) {
      Login()
    }
  }
}

@Reducer
private struct Home {
  @Reducer(state: .equatable)
  enum Destination {
    @ReducerCaseIgnored
    case alert(AlertState<Alert>)
    case form(Form)
    case login(Login)

    @CasePathable
    enum Action {
      case alert(Alert)
      case form(Form.Action)
      case login(Login.Action)
    }

    enum Alert { case deleteTapped }
  }

  @Reducer
  enum Path {
    case form(Form)
    case login(Login)
  }

  @ObservableState
  struct State {
    @Presents var alert: AlertState<Action.Alert>?
    @Presents var destination: Destination.State?
    var child: Form.State?
    var path: StackState<Path.State> = []
  }

  enum Action {
    case alert(PresentationAction<Alert>)
    case child(Form.Action)
    case destination(PresentationAction<Destination.Action>)
    case path(StackActionOf<Path>)

    enum Alert { case confirmTapped }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .alert(.presented(.confirmTapped)):
        state.destination = .form(Form.State())
        return .none
      case .destination(.presented(.form(.binding(\.isOn)))):
        state.path.append(.login(Login.State()))
        return .none
      case .path(.element(id: _, action: .login(.loginResponse(true)))):
        return .none
      case .alert, .child, .destination, .path:
        return .none
      }
    }
    .ifLet(\.child, action: \.child) {
      Form()
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
  }
}

@MainActor
@Suite("Observable state and what came with it")
struct ObservationArticleTests {
  @Test func `a feature can be declared without state, actions and body`() {
    let store = Store(initialState: Empty.State()) { Empty() }
    #expect(store.state == Empty.State())
  }

  @Test func `a store's properties and custom subscripts can be read and set`() async {
    let store = Store(initialState: Form.State()) { Form() }
    store.firstName = "Bloberta"
    store.tab = .settings
    store[hasFlag: .dark] = true
    #expect(store.fullName == "Bloberta Jr")
    #expect(store.log == ["first name", "settings"])
    #expect(store[hasFlag: .dark])
    #expect(!store[hasFlag: .large])
    store[hasFlag: .dark] = false
    #expect(store.flags.isEmpty)
  }

  @Test func `onChange on BindingReducer runs its effect after the value changes`() async {
    let store = TestStore(initialState: .init()) { Form() }
    await store.send(\.binding.isOn, true) { $0.isOn = true }
    await store.receive(\.binding.lastName, "false true") { $0.lastName = "false true" }
    await store.send(.binding(.set(\.tab, .settings))) {
      $0.tab = .settings
      $0.log = ["settings"]
    }
  }

  @Test func `a view with ViewAction calls send to send its own actions`() async {
    let store = Store(initialState: Login.State()) { Login() }
    LoginScreen(store: store).tap()
    await store.send(.view(.loginButtonTapped)).finish()
    #expect(store.isLoggedIn)
    store.name = "Blob"
    #expect(store.name == "Blob")
  }

  @Test func `scope returns a store for an optional child with observable state`() {
    let store = Store(initialState: Home.State(child: .init())) { Home() }
    if let child = store.scope(state: \.child, action: \.child) {
      child.lastName = "Sr"
      #expect(child.fullName == "Blob Sr")
    } else {
      Issue.record("The child is there.")
    }
  }

  @Test func `stores of stack elements and destinations can be switched over by case`() {
    let store = Store(
      initialState: Home.State(
        destination: .login(Login.State()),
        path: [.form(Form.State()), .login(Login.State())]
      )
    ) {
      Home()
    }
    var seen: [String] = []
    for element in store.scope(state: \.path, action: \.path) {
      switch element.case {
      case .form(let store): seen.append("form \(store.fullName)")
      case .login(let store): seen.append("login \(store.isLoggedIn)")
      }
    }
    #expect(seen == ["form Blob Jr", "login false"])
    switch store.scope(state: \.destination, action: \.destination.presented)?.case {
    case .login(let store): #expect(!store.isLoggedIn)
    default: Issue.record("The login is there.")
    }
    #expect(store.scope(state: \.destination?.login, action: \.destination.login) != nil)
    #expect(store.scope(state: \.destination?.form, action: \.destination.form) == nil)
  }

  @Test func `actions of alerts and destinations present, push and dismiss`() {
    let store = Store(initialState: Home.State(alert: AlertState { TextState("Go on?") })) {
      Home()
    }
    store.send(.alert(.presented(.confirmTapped)))
    #expect(store.alert == nil)
    #expect(store.destination?.form == Form.State())
    store.send(.destination(.presented(.form(.set(\.isOn, true)))))
    #expect(store.path.first?.login == Login.State())
    let warned = Store(
      initialState: Home.State(destination: .alert(AlertState { TextState("Sure?") }))
    ) {
      Home()
    }
    warned.send(.destination(.presented(.alert(.deleteTapped))))
    #expect(warned.destination == nil)
  }

  @Test func `Scope runs the features of an enum that is written without a macro`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(initialState: ByHand.State.form(Form.State())) { ByHand() }
        store.send(.form(.set(\.firstName, "Hand")))
        #expect(store.form?.firstName == "Hand")
        let issues = recordingIssues { store.send(.login(.loginResponse(true))) }
        #expect(issues.count == 1)
      }
    }
    try await LegacyTests.run(Code.self)
  }
}
