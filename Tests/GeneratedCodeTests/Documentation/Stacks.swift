import TCACore
import Testing

// A stack of screens of several kinds: an enum of features as the element of a `StackState`.

@Reducer
struct Station {
  @ObservableState
  struct State: Equatable { var name = "" }
  enum Action {
    case renamed(String)
    case nextTapped
    case delegate(Delegate)

    enum Delegate { case goOn(to: String) }
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .renamed(let name): state.name = name
      case .nextTapped: return .send(.delegate(.goOn(to: state.name + "'")))
      case .delegate: break
      }
      return .none
    }
  }
}

@Reducer
struct Timetable {
  struct State: Equatable { var rows = 0 }
  enum Action { case rowAdded }
  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.rows += 1
      return .none
    }
  }
}

@Reducer
struct Journey {
  @Reducer
  enum Path {
    case station(Station)
    case timetable(Timetable)
  }

  @ObservableState
  struct State: Equatable { var path = StackState<Path.State>() }
  enum Action {
    case start
    case path(StackActionOf<Path>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start: state.path.append(.station(Station.State(name: "A")))
      case .path(.element(_, .station(.delegate(.goOn(let name))))):
        state.path.append(.station(Station.State(name: name)))
      case .path: break
      }
      return .none
    }
    .forEach(\.path, action: \.path)
  }
}

extension Journey.Path.State: Equatable {}

@MainActor
@Suite("Documented stacks")
struct StackDocumentationTests {
  let store = Store(initialState: Journey.State()) { Journey() }

  @Test("An element of a stack is addressed by its id, and its delegate action pushes the next one")
  func pushes() throws {
    store.send(.start)
    let first = try #require(store.path.ids.first)
    store.send(.path(.element(id: first, action: .station(.renamed("B")))))
    store.send(.path(.element(id: first, action: .station(.nextTapped))))
    #expect(store.path.compactMap(\.station?.name) == ["B", "B'"])
    #expect(store.path[id: first]?.station?.name == "B")
  }

  @Test("Actions of a stack push and pop elements")
  func pops() throws {
    store.send(.start)
    let id = StackElementID(integerLiteral: 1)
    store.send(.path(.push(id: id, state: .timetable(Timetable.State()))))
    store.send(.path(.element(id: id, action: .timetable(.rowAdded))))
    #expect(store.path.last == .timetable(Timetable.State(rows: 1)))
    store.send(.path(.popFrom(id: id)))
    #expect(store.path.count == 1)
  }

  @Test("A case key path leads to the action of a stack element by its id")
  func leads() {
    let action = Journey.Action.path(.element(id: 3, action: .station(.renamed("C"))))
    #expect(action[case: \.path[id: 3].station.renamed] == "C")
    #expect(!action.is(\.path[id: 4].station))
  }
}
