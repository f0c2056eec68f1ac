import TCACore
import Testing

// Nested enums of features, view actions, and a feature without members.

@Reducer
struct Cup {
  @ObservableState
  struct State: Equatable { var sips = 0 }
  enum Action: ViewAction {
    case view(View)
    case delegate(Delegate)
    case emptied

    @CasePathable
    enum View { case sipTapped }
    @CasePathable
    enum Delegate: Equatable { case isEmpty }
  }
  var limit = 2

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.sipTapped):
        state.sips += 1
        return state.sips == limit ? .send(.emptied) : .none
      case .emptied: return .send(.delegate(.isEmpty))
      case .delegate: return .none
      }
    }
  }
}

@Reducer struct Tray {}

@Reducer
enum Drink {
  case tea(Cup)
  case coffee(Cup = Cup(limit: 1))
}

@Reducer
enum Order {
  case drink(Drink.Body = Drink.body)
  case tray(Tray)
  case note(String, urgent: Bool)
}

extension Drink.State: Equatable {}
extension Order.State: Equatable {}

@Reducer
struct Cafe {
  @ObservableState
  struct State: Equatable {
    var order = Order.State.drink(.tea(Cup.State()))
    var empty = 0
  }
  enum Action { case order(Order.Action) }

  var body: some ReducerOf<Self> {
    Scope(\.order, action: \.order) { Order.body }
    Reduce { state, action in
      if action.is(\.order.drink.coffee.delegate.isEmpty) { state.empty += 1 }
      if case .order(.drink(.tea(.delegate(.isEmpty)))) = action { state.empty += 1 }
      return .none
    }
  }
}

@MainActor
@ViewAction(for: Cup.self)
struct CupView {
  let store: StoreOf<Cup>
  func tap() { send(.sipTapped) }
}

@MainActor
@Suite("Documented composition")
struct CompositionDocumentationTests {
  @Test(
    "In nested enums of features, an action runs the reducer of the current case",
    arguments: [2, 1]
  )
  func nested(sips: Int) {
    let order = sips == 2 ? Drink.State.tea(Cup.State()) : .coffee(Cup.State())
    let store = Store(initialState: Cafe.State(order: .drink(order))) { Cafe() }
    for _ in 0..<sips {
      store.send(.order(.drink(sips == 2 ? .tea(.view(.sipTapped)) : .coffee(.view(.sipTapped)))))
    }
    #expect(store.empty == 1)
  }

  @Test("A view of a nested enum case sends actions to which the outer features respond")
  func view() {
    let store = Store(initialState: Cafe.State()) { Cafe() }
    let order = store.scope(\.order, action: \.order)
    guard case .drink(let drink) = order.case, case .tea(let cup) = drink.case else {
      Issue.record("another case")
      return
    }
    let view = CupView(store: cup)
    view.tap()
    view.tap()
    #expect(store.empty == 1 && view.store.sips == 2)
  }

  @Test("A feature without declared members gets an empty state, action and body")
  func leftOut() {
    let store = Store(initialState: Tray.State()) { Tray() }
    #expect(store.withState { $0 } == Tray.State())
    #expect(Order.State.note("a", urgent: true).note?.urgent == true)
  }
}
