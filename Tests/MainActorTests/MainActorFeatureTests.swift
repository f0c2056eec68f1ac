import TCACore
import Testing

// In this module, everything belongs to the main actor by default. Features, their values and their clients must
// compile without isolation annotations.

@DependencyClient
struct Mailbox: Sendable {
  var unread: @Sendable () -> Int = { 0 }
  var fetch: @Sendable (_ folder: String) async throws -> [String]
}

extension Mailbox: DependencyKey {
  static let liveValue = Mailbox(unread: { 3 }, fetch: { ["\($0) 1", "\($0) 2"] })
}

extension Letter.State: SchemaVersioned {
  static let schemaVersion = 2
}

@Reducer
struct Letter {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var isRead = false
  }
  enum Action: ViewAction {
    case view(View)
    case delegate(Delegate)

    enum View { case opened }
    @CasePathable enum Delegate { case finished(Int) }
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      guard case .view(.opened) = action else { return .none }
      state.isRead = true
      return .send(.delegate(.finished(state.id)))
    }
  }
}

@Reducer
struct Inbox {
  @Reducer
  enum Destination {
    case letter(Letter)
    case alert(AlertState<Never>)
    @ReducerCaseIgnored case help(String)
  }

  @ObservableState
  struct State {
    var unread = 0
    var subjects: [String] = []
    var letters: IdentifiedArrayOf<Letter.State> = []
    @Presents var destination: Destination.State?
  }
  enum Action {
    case appeared
    case fetched([String])
    case letterTapped(Letter.State)
    case letters(IdentifiedActionOf<Letter>)
    case destination(PresentationAction<Destination.Action>)
  }

  @Dependency(Mailbox.self) var mailbox

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .appeared:
        state.unread = mailbox.unread()
        return .run { [mailbox] send in
          await send(.fetched(try await mailbox.fetch(folder: "new")))
        }
      case .fetched(let subjects): state.subjects = subjects
      case .letterTapped(let letter): state.destination = .letter(letter)
      case .letters(.element(_, .delegate(.finished))): state.unread -= 1
      case .letters, .destination: break
      }
      return .none
    }
    .forEach(\.letters, action: \.letters) { Letter() }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension Inbox.Destination.State: Equatable {}

@ViewAction(for: Letter.self)
struct LetterView {
  let store: StoreOf<Letter>
  func open() { send(.opened) }
}

@LogValue
struct Stamp: Equatable {
  var price = 1
  let country = "NO"
}

@Suite("In a module of the main actor")
struct MainActorFeatureTests {
  @Test func `a state in a module with MainActor default isolation can have a schema version`() {
    #expect(SchemaVersion.of(Letter.State.self) == 2)
  }

  @Test func `a feature works in a module with MainActor default isolation`() async {
    let store = Store(initialState: Inbox.State(letters: [Letter.State(id: 1)])) {
      Inbox()
    } withDependencies: {
      $0[Mailbox.self] = .liveValue
    }
    await store.send(.appeared).finish()
    #expect(store.subjects == ["new 1", "new 2"])
    store.send(.letters(.element(id: 1, action: .view(.opened))))
    #expect(store.unread == 2 && store.letters[id: 1]?.isRead == true)
    store.send(.letterTapped(Letter.State(id: 2)))
    store.send(.destination(.presented(.letter(.view(.opened)))))
    #expect(store.destination == .letter(Letter.State(id: 2, isRead: true)))
  }

  @Test func `a view with ViewAction works in a module with MainActor default isolation`() {
    let view = LetterView(store: Store(initialState: Letter.State(id: 1)) { Letter() })
    view.open()
    #expect(view.store.isRead)
  }

  @Test func `a value is logged and read back in a module with MainActor default isolation`() throws
  {
    let json = JSON(logging: Stamp(price: 2))
    #expect(json == ["price": 2, "country": "NO"])
    #expect(try LogDecoder(json).value(Stamp.self) == Stamp(price: 2))
  }
}
