import Foundation
import TCACore
import Testing

// Code of features and tests from the articles on migrating from 1.3 to 1.6 and 1.9.

// MARK: - A conformance beside the macro

@Reducer
private struct Greeter: Reducer {
  struct State: Equatable {
    var greeting = ""
  }

  enum Action {
    case delegate(Delegate)
    case greetTapped
    case response(Result<String, any Error>)

    @CasePathable
    enum Delegate {
      case didFinish(success: Bool)
      case greeted(String)
    }
  }

  @Dependency(GreetingClient.self) var client

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .delegate:
        return .none
      case .greetTapped:
        return .run { send in
          await send(.response(Result { try await client.greeting() }))
        }
      case .response(.success(let greeting)):
        state.greeting = greeting
        return .send(.delegate(.greeted(greeting)))
      case .response(.failure):
        return .send(.delegate(.didFinish(success: false)))
      }
    }
  }
}

private struct GreetingClient: DependencyKey {
  var greeting: @Sendable () async throws -> String

  static let liveValue = GreetingClient { "Hello!" }
  static let testValue = GreetingClient { throw CancellationError() }
}

// MARK: - Rows under one case

@Reducer
private struct Row {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var text = ""
    @Presents var sheet: Sheet.State?
  }

  enum Action {
    case buttonTapped
    case response(Result<String, any Error>)
    case sheet(PresentationAction<Sheet.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .buttonTapped:
        return .run { send in await send(.response(.success("Hello!"))) }
      case .response(.success(let text)):
        state.text = text
        state.sheet = Sheet.State()
        return .none
      case .response, .sheet:
        return .none
      }
    }
    .ifLet(\.$sheet, action: \.sheet) {
      Sheet()
    }
  }
}

@Reducer
private struct Sheet {
  @ObservableState
  struct State: Equatable {
    var password = ""
    var settings = Settings()

    struct Settings: Equatable { var isOn = false }
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case closeTapped
    case record(Record)

    @CasePathable
    enum Record {
      case startTapped
      case tick(Int)
    }
  }

  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.settings.isOn) { oldValue, newValue in
        Reduce { state, _ in
          state.password = newValue ? "on" : "off"
          return .none
        }
      }
    Reduce { _, action in
      switch action {
      case .binding: .none
      case .closeTapped: .run { _ in await dismiss() }
      case .record(.startTapped): .send(.record(.tick(1)))
      case .record(.tick): .none
      }
    }
  }
}

@Reducer
private struct Rows {
  @ObservableState
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row.State> = []
    var path = StackState<Row.State>()
    var greeter = Greeter.State()
    var lastTapped: Int?

    var firstGreeter: Greeter.State { greeter }

    subscript(prefix prefix: String) -> Greeter.State {
      Greeter.State(greeting: prefix + greeter.greeting)
    }
  }

  enum Action {
    case greeter(Greeter.Action)
    case rows(IdentifiedActionOf<Row>)
    case path(StackAction<Row.State, Row.Action>)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.greeter, action: \.greeter) {
      Greeter()
        .dependency(GreetingClient { "Hi!" })
    }
    Reduce { state, action in
      switch action {
      case .rows(.element(id: let id, action: .buttonTapped)):
        state.lastTapped = id
        return .none
      case .greeter, .path, .rows:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) {
      Row()
    }
    .forEach(\.path, action: \.path) {
      Row()
    }
  }
}

// MARK: - An enum by hand

@CasePathable
@dynamicMemberLookup
private enum Tray: Equatable {
  case open(Int)
  case closed
}

@Reducer
private struct Cabinet {
  @ObservableState
  enum State: Equatable {
    case tray(Greeter.State)
    case empty
  }

  enum Action {
    case tray(Greeter.Action)
  }

  var body: some ReducerOf<Self> {
    Reduce { _, _ in .none }
      .ifCaseLet(\.tray, action: \.tray) { Greeter() }
  }
}

@MainActor
@Suite("Case key paths and what came with them")
struct KeyPathArticleTests {
  private func rows() -> TestStoreOf<Rows> {
    TestStore(
      initialState: Rows.State(
        rows: [.init(id: 0), .init(id: 1)],
        path: StackState([.init(id: 7)])
      )
    ) {
      Rows()
    }
  }

  @Test func `a test store receives actions by their case key paths`() async {
    let store = rows()
    await store.send(.greeter(.greetTapped))
    await store.receive(\.greeter.response.success) { $0.greeter.greeting = "Hi!" }
    await store.receive(\.greeter.delegate.greeted, "Hi!")
  }

  @Test func `a test store sends and receives row actions by id`() async {
    let store = rows()
    await store.send(\.rows[id: 1].buttonTapped) { $0.lastTapped = 1 }
    await store.receive(\.rows[id: 1].response.success) {
      $0.rows[id: 1]?.text = "Hello!"
      $0.rows[id: 1]?.sheet = Sheet.State()
    }
    await store.send(\.rows[id: 1].sheet.binding.password, "blob") {
      $0.rows[id: 1]?.sheet?.password = "blob"
    }
    await store.send(\.rows[id: 1].sheet.dismiss) { $0.rows[id: 1]?.sheet = nil }
  }

  @Test func `a test store sends and receives stack actions by id`() async {
    let store = rows()
    await store.send(\.path[id: 0].buttonTapped)
    await store.receive(\.path[id: 0].response.success, "Hello!") {
      $0.path[id: 0]?.text = "Hello!"
      $0.path[id: 0]?.sheet = Sheet.State()
    }
    await store.send(\.path[id: 0].sheet.record.startTapped)
    await store.receive(\.path[id: 0].sheet.record.tick, 1)
    await store.send(\.path[id: 0].sheet, .presented(.set(\.settings.isOn, true))) {
      $0.path[id: 0]?.sheet?.settings.isOn = true
      $0.path[id: 0]?.sheet?.password = "on"
    }
    await store.send(\.path[id: 0].sheet.closeTapped)
    await store.receive(\.path[id: 0].sheet.dismiss) { $0.path[id: 0]?.sheet = nil }
  }

  @Test func `stores are scoped by key paths and subscripts`() {
    let store = Store(
      initialState: Rows.State(rows: [.init(id: 3)], greeter: .init(greeting: "Hi!"))
    ) {
      Rows()
    }
    let prefix = "Oh, "
    #expect(store.scope(state: \.greeter, action: \.greeter).greeting == "Hi!")
    #expect(store.scope(state: \.firstGreeter, action: \.greeter).greeting == "Hi!")
    #expect(store.scope(state: \.[prefix: prefix], action: \.greeter).greeting == "Oh, Hi!")
    let row: Store<Row.State?, Row.Action> = store.scope(
      state: \.rows[id: 3],
      action: \.rows[id: 3]
    )
    #expect(row.state?.id == 3)
    let scoped = Array(store.scope(state: \.rows, action: \.rows).enumerated())
    #expect(scoped.map(\.element.state.id) == [3])
  }

  @Test func `payloads of enum cases are read as members`() {
    #expect(Tray.open(3).open == 3)
    #expect(Tray.closed.open == nil)
    #expect(Tray.closed.is(\.closed))
    let store = Store(initialState: Cabinet.State.tray(.init())) { Cabinet() }
    switch store.state {
    case .tray:
      #expect(store.scope(state: \.tray, action: \.tray)?.greeting == "")
    case .empty:
      Issue.record("The tray is there.")
    }
    #expect(store.state.tray != nil)
  }
}

/// The old code in those articles.
@MainActor
@Suite("What case key paths took the place of")
struct BeforeKeyPathsTests {
  @Test func `closures scope stores to children, optional rows and enum cases`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(
          initialState: Rows.State(rows: [.init(id: 3)], greeter: .init(greeting: "Hi!"))
        ) {
          Rows()
        }
        let child = store.scope(state: \.greeter, action: { .greeter($0) })
        #expect(child.withState(\.greeting) == "Hi!")
        let row = store.scope(
          state: { $0.rows[id: 3] },
          action: { .rows(.element(id: 3, action: $0)) }
        )
        #expect(row.withState { $0?.id } == 3)
        let cabinet = Store(initialState: Cabinet.State.tray(.init())) { Cabinet() }
        let tray = cabinet.scope(state: \.tray, action: { .tray($0) })
        #expect(tray.withState { $0 } == Greeter.State())
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `a test store receives complete actions with task results`() async throws {
    struct Code: OldCode {
      struct Feature: Reducer {
        struct State: Equatable { var text = "" }
        enum Action: Equatable {
          case child(PresentationAction<Child>)
          case response(TaskResult<String>)
          enum Child: Equatable { case response(TaskResult<Bool>) }
        }
        var body: some ReducerOf<Self> {
          Reduce { state, action in
            switch action {
            case .child(.presented(.response(let result))):
              return .run { send in
                await send(.response(TaskResult { "\(try result.value)" }))
              }
            case .child(.dismiss):
              return .none
            case .response(let result):
              state.text = (try? result.value) ?? "none"
              return .none
            }
          }
        }
      }

      @available(*, deprecated)
      func run() async throws {
        struct Failure: Error, Equatable {}
        let store = TestStore(initialState: .init()) { Feature() }
        await store.send(.child(.presented(.response(.success(true)))))
        await store.receive(.response(.success("true"))) { $0.text = "true" }
        await store.send(.child(.presented(.response(.failure(Failure())))))
        await store.receive(.response(.failure(Failure()))) { $0.text = "none" }
      }
    }
    try await LegacyTests.run(Code.self)
  }
}
