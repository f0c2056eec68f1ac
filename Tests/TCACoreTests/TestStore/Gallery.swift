import TCACore

/// A feature that presents, pushes and shows alerts.
@Reducer
struct Gallery {
  @ObservableState
  struct State: Equatable {
    @Presents var child: Leaf.State?
    @Presents var alert: AlertState<Action.Alert>?
    var path = StackState<Leaf.State>()
  }

  @CasePathable
  enum Action: Equatable {
    case child(PresentationAction<Leaf.Action>)
    case alert(PresentationAction<Alert>)
    case path(StackActionOf<Leaf>)
    case present
    case push
    case pushTwiceFromEffect
    case warn

    @CasePathable
    enum Alert: Equatable {
      case confirm
      case again
    }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .present: state.child = Leaf.State()
      case .push: state.path.append(Leaf.State())
      case .pushTwiceFromEffect:
        return .run { send in
          await send(.push)
          await send(.push)
        }
      case .warn, .alert(.presented(.again)): state.alert = .warning
      case .child, .path, .alert: break
      }
      return .none
    }
    .ifLet(\.$child, action: \.child) { Leaf() }
    .ifLet(\.$alert, action: \.alert)
    .forEach(\.path, action: \.path) { Leaf() }
  }
}

extension AlertState<Gallery.Action.Alert> {
  static var warning: Self {
    AlertState {
      TextState("Careful")
    } actions: {
      ButtonState(action: .confirm) { TextState("OK") }
      ButtonState(action: .again) { TextState("Again") }
    }
  }
}

/// A feature that is presented and pushed.
@Reducer
struct Leaf {
  @ObservableState
  struct State: Equatable {
    var name = ""
  }

  @CasePathable
  enum Action: Equatable {
    case close
    case rename(String)
    case wait
  }

  @Dependency(\.dismiss) private var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .close: return .run { [dismiss] _ in await dismiss() }
      case .rename(let name): state.name = name
      case .wait: return .run { _ in try await Task.never() }
      }
      return .none
    }
  }
}
