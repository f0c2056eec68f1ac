import Observation
import TCACore
import Testing

@Reducer
private struct Panel {
  @ObservableState
  struct State {
    var count = 0
    var title = ""
    var dial = Dial.State()
  }

  enum Action {
    case count(Int)
    case title(String)
    case turn(Int)
    case replaceDial
    case replaceAll
    case dial(Dial.Action)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count(let count): state.count = count
      case .title(let title): state.title = title
      case .turn(let angle): state.dial.angle = angle
      case .replaceDial: state.dial = Dial.State()
      case .replaceAll: state = State()
      case .dial: break
      }
      return .none
    }
    Scope(\.dial, action: \.dial) { Dial() }
  }
}

@Reducer
private struct Dial {
  @ObservableState
  struct State {
    var angle = 0
    var label = ""
  }

  enum Action {
    case turn(Int)
    case name(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .turn(let angle): state.angle = angle
      case .name(let name): state.label = name
      }
      return .none
    }
  }
}

/// An observer that reads a property through a store is notified only of changes to that property.
@MainActor
@Suite("Observing a store")
struct StoreObservationTests {
  private let store = Store(initialState: Panel.State()) { Panel() }

  /// Returns whether an observer is notified of an action.
  private func isTold(
    _ read: (Store<Panel.State, Panel.Action>) -> Void,
    of action: Panel.Action
  ) -> Bool {
    let told = LockIsolated(false)
    withObservationTracking {
      read(store)
    } onChange: {
      told.setValue(true)
    }
    store.send(action)
    return told.value
  }

  @Test("a store notifies observers of a property of changes to that property only")
  func property() {
    #expect(isTold({ _ = $0.count }, of: .count(1)))
    #expect(!isTold({ _ = $0.count }, of: .title("a")))
    #expect(!isTold({ _ = $0.count }, of: .count(1)))
  }

  @Test("a store notifies observers of a child when it is replaced, not when it changes")
  func child() {
    #expect(!isTold({ _ = $0.dial }, of: .turn(1)))
    #expect(isTold({ _ = $0.dial.angle }, of: .turn(2)))
    #expect(isTold({ _ = $0.dial }, of: .replaceDial))
    #expect(!isTold({ _ = $0.dial.angle }, of: .count(3)))
  }

  @Test("a store notifies all observers when its state is replaced")
  func whole() {
    #expect(isTold({ _ = $0.count }, of: .replaceAll))
    #expect(isTold({ _ = $0.count }, of: .replaceAll))
    #expect(isTold({ _ = $0.state }, of: .replaceAll))
    #expect(!isTold({ _ = $0.state }, of: .count(1)))
  }

  @Test("an observer of a store reads the old state when notified and the new state afterward")
  func readingWhileTold() {
    store.send(.count(7))
    let counts = LockIsolated<[Int]>([])
    withObservationTracking {
      _ = store.count
    } onChange: { [store] in
      MainActor.assumeIsolated { counts.withValue { $0.append(store.count) } }
    }
    store.send(.replaceAll)
    counts.withValue { $0.append(store.count) }
    #expect(counts.value == [7, 0])
  }

  @Test("an observer of a child store is notified only about properties that it reads")
  func derived() {
    let dial: (Store<Panel.State, Panel.Action>) -> Void = { store in
      _ = store.scope(\.dial, action: \.dial).angle
    }
    #expect(isTold(dial, of: .dial(.turn(5))))
    #expect(!isTold(dial, of: .dial(.name("a"))))
    #expect(!isTold(dial, of: .count(9)))
  }
}
