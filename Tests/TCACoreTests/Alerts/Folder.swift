import TCACore

/// A feature that presents an alert, or one of several destinations.
@Reducer
struct Folder {
  @ObservableState
  struct State {
    @Presents var alert: AlertState<Action.Alert>?
    @Presents var destination: Destination.State?
    /// Whether an alert was presented when this reducer ran.
    var seen: [Bool] = []
  }

  enum Action {
    case alert(PresentationAction<Alert>)
    case destination(PresentationAction<Destination.Action>)
    case ask
    case show(Destination.State)

    enum Alert {
      case delete
      case askAgain
    }
  }

  static var question: AlertState<Action.Alert> {
    AlertState {
      TextState("Delete?")
    } actions: {
      ButtonState(role: .destructive, action: .delete) { TextState("Delete") }
    } message: {
      TextState("For good.")
    }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.seen.append(state.alert != nil)
      switch action {
      case .ask, .alert(.presented(.askAgain)): state.alert = Self.question
      case .show(let destination): state.destination = destination
      default: break
      }
      return .none
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$destination, action: \.destination) { Destination() }
  }

  @Reducer
  struct Destination {
    @ObservableState
    enum State {
      case alert(AlertState<Folder.Action.Alert>)
      case job(Job.State)
    }

    enum Action {
      case alert(Folder.Action.Alert)
      case job(Job.Action)
    }

    var body: some ReducerOf<Self> {
      EmptyReducer()
        .ifCaseLet(\.job, action: \.job) { Job() }
    }
  }
}
