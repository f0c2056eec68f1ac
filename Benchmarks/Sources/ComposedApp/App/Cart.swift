import TCARecorder

/// A cart, whose checkout is a sheet.
@Reducer
struct Cart {
  @ObservableState
  struct State: Equatable {
    var items = 0
    @Presents var checkout: Checkout.State?
    @Presents var alert: AlertState<Action.Alert>?
  }

  enum Action {
    case addTapped
    case checkoutTapped
    case clearTapped
    case checkout(PresentationAction<Checkout.Action>)
    case alert(PresentationAction<Alert>)

    enum Alert { case clearConfirmed }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addTapped:
        state.items += 1
      case .checkoutTapped:
        state.checkout = Checkout.State()
      case .clearTapped:
        state.alert = AlertState {
          TextState("Clear the cart?")
        } actions: {
          ButtonState(role: .destructive, action: .clearConfirmed) { TextState("Clear") }
        }
      case .checkout(.presented(.delegate(.paid))):
        state.checkout = nil
      case .alert(.presented(.clearConfirmed)):
        state.items = 0
      case .checkout, .alert:
        break
      }
      return .none
    }
    .ifLet(\.$checkout, action: \.checkout) { Checkout() }
    .ifLet(\.$alert, action: \.alert)
  }
}

/// A form for the payment.
@Reducer
struct Checkout {
  @ObservableState
  struct State: Equatable {
    var name = ""
    var isGift = false
    @Shared(.preferences) var preferences
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case payTapped
    case delegate(Delegate)

    enum Delegate { case paid }
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .payTapped:
        state.$preferences.withLock { $0.orders += 1 }
        return .send(.delegate(.paid))
      case .binding, .delegate:
        return .none
      }
    }
  }
}
