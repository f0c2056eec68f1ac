import Foundation
import TCACore
import Testing

// Code from the articles on migrating from 1.9 to 1.18, about sharing, dependencies and effects.

private struct SignUpData: Codable, Equatable, Sendable {
  var name = ""
  var phone: String?
}

@Reducer
private struct Phone {
  @ObservableState
  struct State: Equatable {
    @Shared var signUpData: SignUpData
    @SharedReader var limit: Int

    init(signUpData: Shared<SignUpData>, limit: SharedReader<Int> = .constant(42)) {
      self._signUpData = signUpData
      self._limit = limit
    }
  }

  enum Action {
    case phoneChanged(String)
    case sendTapped
  }

  @Dependency(Tracker.self) var tracker

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .phoneChanged(let phone):
        state.$signUpData.withLock { $0.phone = String(phone.prefix(state.limit)) }
        return .none
      case .sendTapped:
        return .run { [phone = state.signUpData.phone] _ in
          await tracker.track(phone ?? "")
        }
      }
    }
  }
}

private struct Tracker: TestDependencyKey {
  var track: @Sendable (String) async -> Void

  static let testValue = Tracker { _ in }
}

@Reducer
private struct SignUp {
  @ObservableState
  struct State: Equatable {
    @Shared(.fileStorage(.documentsDirectory.appending(component: "sign-up.json")))
    var signUpData = SignUpData()
    @Shared(.appStorage("app:isOn")) var isOn = false
    @Presents var phone: Phone.State?
  }

  enum Action {
    case isOnTapped
    case nextTapped
    case phone(PresentationAction<Phone.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .isOnTapped:
        return .run { [isOn = state.$isOn] _ in
          isOn.withLock { $0.toggle() }
        }
      case .nextTapped:
        state.phone = Phone.State(signUpData: state.$signUpData)
        return .none
      case .phone:
        return .none
      }
    }
    .ifLet(\.$phone, action: \.phone) {
      Phone()
    }
  }
}

@Reducer
private struct Poll {
  @ObservableState
  struct State: Equatable {
    @Shared var votes: [String: Int]
    var total: Int?
  }

  enum Action {
    case voteTapped(String)
    case totalTapped
    case total(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .voteTapped(let name):
        return .run { [votes = state.$votes] _ in
          // The task continues after the store is gone.
          Task {
            votes.withLock { $0[name, default: 0] += 1 }
          }
        }
      case .totalTapped:
        return Effect<Int>.send(state.votes.values.reduce(0, +))
          .map { .total($0) }
      case .total(let total):
        state.total = total
        return .none
      }
    }
  }
}

@MainActor
@Suite("Sharing and what came with it")
struct SharingArticleTests {
  @Test func `a presented child changes the value that its parent shares`() async {
    let tracked = LockIsolated<[String]>([])
    let store = TestStore(initialState: SignUp.State()) {
      SignUp()
        .dependency(Tracker { text in tracked.withValue { $0.append(text) } })
    }
    await store.send(.nextTapped) {
      $0.phone = Phone.State(signUpData: $0.$signUpData)
    }
    await store.send(\.phone.phoneChanged, "123") {
      $0.$signUpData.withLock { $0.phone = "123" }
    }
    await store.send(\.phone.sendTapped)
    await store.finish()
    #expect(tracked.value == ["123"])
    let shared = store.state.$signUpData
    if let phone = Shared(shared.phone) { #expect(phone.wrappedValue == "123") }
    #expect(store.state.phone?.limit == 42)
  }

  @Test func `map applies to a send effect, and a task started in an effect outlives that effect`()
    async
  {
    let votes = Shared(value: ["a": 1])
    let store = Store(initialState: Poll.State(votes: votes)) { Poll() }
    await store.send(.voteTapped("a")).finish()
    while votes.wrappedValue["a"] == 1 { await Task.yield() }
    store.send(.totalTapped)
    #expect(store.total == 2)
  }

  @Test func `an effect can change a shared value`() async {
    let store = TestStore(initialState: SignUp.State()) { SignUp() }
    let task = await store.send(.isOnTapped)
    await task.finish()
    store.assert { $0.$isOn.withLock { $0 = true } }
  }

  @Test(arguments: [
    (URL.documentsDirectory, FileManager.SearchPathDirectory.documentDirectory),
    (.cachesDirectory, .cachesDirectory),
    (.applicationSupportDirectory, .applicationSupportDirectory),
  ])
  func `the directory properties of URL return the user's directories`(
    folder: URL,
    directory: FileManager.SearchPathDirectory
  ) {
    let found = FileManager.default.urls(for: directory, in: .userDomainMask).first
    #expect(folder.standardizedFileURL.path() == found?.standardizedFileURL.path())
  }
}
