import TCACore
import Testing

@DependencyClient
struct APIClient: Sendable {
  var fetch: @Sendable (_ id: Int, _ name: String) async throws -> String
  var isReachable: @Sendable () -> Bool = { true }
  var log: @Sendable (String) -> Void
  var cached: @Sendable (Int) -> String?
  var spelled: @Sendable (Int) throws(any Error) -> Int
  var visit: @Sendable (_ count: (Int) -> Int) -> Int = { $0(1) }
  var change: @Sendable (inout Int) -> Int = { $0 }
  @DependencyEndpoint(method: "save") var saveAll: @Sendable (_ values: [Int]) throws -> Void
  @DependencyEndpointIgnored var ignored: @Sendable () -> Int = { 1 }
  let host: String
  var port: Int = 80
}

/// Endpoints of the main actor.
///
/// Their methods are isolated to it, too.
@DependencyClient
struct ScreenClient: Sendable {
  var show: @MainActor @Sendable (_ title: String) -> Void
  var height: @MainActor @Sendable (_ width: Int) -> Int = { $0 }
  var ask: @MainActor @Sendable (_ question: String) async throws -> Bool
}

extension DependencyValues {
  @DependencyEntry var greeting: String = "test"
  @DependencyEntry(liveValue: "live", previewValue: "preview") var parting: String = "test"
}

@Reducer
struct Login {
  @ObservableState struct State { var count = 0 }
  enum Action: ViewAction {
    case view(View)
    case other
    enum View {
      case tapped
      case changed(Int)
    }
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .view(.changed(let count)) = action { state.count = count }
      return .none
    }
  }
}

@MainActor
@ViewAction(for: Login.self)
struct LoginView {
  let store: StoreOf<Login>
  func change() { send(.changed(4)) }
}

@MainActor
@Suite struct DependencyMacroTests {
  @Test func `a dependency client calls the endpoints that are set`() async throws {
    var client = APIClient(host: "h")
    client.fetch = { id, name in "\(id) \(name)" }
    client.saveAll = { _ in }
    #expect(try await client.fetch(id: 1, name: "a") == "1 a")
    try client.save(values: [1])
    #expect(client.ignored() == 1 && client.port == 80 && client.host == "h")
  }

  @Test func `a dependency client reports an issue for each endpoint that is not set`() async throws
  {
    let client = APIClient(host: "h")
    await withKnownIssue {
      await #expect(throws: Unimplemented("APIClient.fetch")) {
        try await client.fetch(id: 1, name: "")
      }
    }
    withKnownIssue { #expect(client.isReachable()) }
    withKnownIssue { #expect(client.cached(1) == nil) }
    withKnownIssue { client.log("x") }
    withKnownIssue {
      #expect(throws: Unimplemented("APIClient.saveAll")) { try client.save(values: []) }
    }
  }

  @Test func `a dependency client calls endpoints with closures and inout parameters`() throws {
    var client = APIClient(host: "h")
    client.spelled = { $0 + 1 }
    client.visit = { $0(2) }
    client.change = { number in
      number += 1
      return number
    }
    var number = 1
    #expect(try client.spelled(1) == 2)
    #expect(client.visit(count: { $0 * 2 }) == 4)
    #expect(client.change(&number) == 2 && number == 2)
  }

  @Test func `a dependency client calls endpoints of the main actor`() async throws {
    let shown = LockIsolated<[String]>([])
    var client = ScreenClient()
    client.show = { title in
      MainActor.assertIsolated()
      shown.withValue { $0.append(title) }
    }
    client.height = { $0 * 2 }
    client.ask = { $0.isEmpty }
    client.show(title: "Home")
    #expect(shown.value == ["Home"])
    #expect(client.height(width: 2) == 4)
    #expect(try await client.ask(question: ""))
    withKnownIssue { ScreenClient().show(title: "Home") }
  }

  @Test func `a dependency entry has its test value unless it is overridden`() {
    #expect(DependencyValues._current.greeting == "test")
    withDependencies {
      $0.greeting = "set"
    } operation: {
      #expect(DependencyValues._current.greeting == "set")
    }
    #expect(DependencyValues._current.parting == "test")
  }

  @Test func `a view with ViewAction calls send to send its actions to the store`() {
    let view = LoginView(store: Store(initialState: Login.State()) { Login() })
    view.change()
    #expect(view.store.count == 4)
  }
}
