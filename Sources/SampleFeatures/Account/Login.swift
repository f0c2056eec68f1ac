package import TCACore

/// The screen that asks for a name and a password.
@Reducer
package struct Login: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    package var email = ""
    package var password = ""
    package var focus: Field?
    package var isBusy = false
    package var failures = 0
    /// An error message from another screen.
    package var notice: String?
    @Presents package var alert: AlertState<Action.Alert>?

    package init(notice: String? = nil) {
      self.notice = notice
    }

    /// Whether the login button is enabled.
    package var isComplete: Bool { email.contains("@") && !password.isEmpty && !isBusy }
  }

  /// The field with the keyboard focus.
  @LogValue
  package enum Field: Hashable, Sendable {
    case email, password
  }

  package enum Action: Sendable, ViewAction {
    case alert(PresentationAction<Alert>)
    case delegate(Delegate)
    case response(Result<LoginOutcome, any Error>)
    case view(View)

    @CasePathable
    package enum Alert: Equatable, Sendable { case tryAgain }

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case loggedIn(Session)
      case needsCode(TwoFactorChallenge)
    }

    @CasePathable
    package enum View: BindableAction, Sendable {
      case binding(BindingAction<State>)
      case cancelButtonTapped
      case logInButtonTapped
      case submitted
    }
  }

  private enum CancelID { case logIn }

  @Dependency(\.account) private var account

  package var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .view(let action): view(&state, action)
      case .response(.success(let outcome)): answered(&state, outcome)
      case .response(.failure(let error)): failed(&state, error)
      case .alert(.presented(.tryAgain)): logIn(&state)
      case .alert, .delegate: .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }

  private func view(_ state: inout State, _ action: Action.View) -> Effect<Action> {
    switch action {
    case .binding(\.email), .binding(\.password):
      state.notice = nil
      return .none
    case .binding:
      return .none
    case .cancelButtonTapped:
      state.isBusy = false
      return .cancel(id: CancelID.logIn)
    case .logInButtonTapped:
      return logIn(&state)
    case .submitted:
      guard state.focus == .password else {
        state.focus = .password
        return .none
      }
      return logIn(&state)
    }
  }

  private func logIn(_ state: inout State) -> Effect<Action> {
    guard state.isComplete else {
      state.focus = state.email.contains("@") ? .password : .email
      return .none
    }
    state.isBusy = true
    state.focus = nil
    return .run(name: "log in") { [email = state.email, password = state.password] send in
      await send(
        .response(Result { try await account.logIn(email: email, password: password) })
      )
    }
    .cancellable(id: CancelID.logIn, cancelInFlight: true)
  }

  private func answered(_ state: inout State, _ outcome: LoginOutcome) -> Effect<Action> {
    state.isBusy = false
    state.failures = 0
    state.password = ""
    switch outcome {
    case .loggedIn(let session): return .send(.delegate(.loggedIn(session)))
    case .needsCode(let challenge): return .send(.delegate(.needsCode(challenge)))
    }
  }

  private func failed(_ state: inout State, _ error: any Error) -> Effect<Action> {
    state.isBusy = false
    switch error {
    case AccountError.wrongPassword:
      state.failures += 1
      state.password = ""
      state.focus = .password
      state.notice = state.failures < 3 ? "Wrong password." : "Wrong password. Have you changed it?"
    case AccountError.locked(let minutes):
      state.alert = AlertState { TextState("Try again in \(minutes) minutes") }
    default:
      state.alert = .offline
    }
    return .none
  }
}

extension AlertState where Action == Login.Action.Alert {
  package static let offline = Self {
    TextState("No connection")
  } actions: {
    ButtonState(action: .tryAgain) { TextState("Try again") }
    ButtonState(role: .cancel) { TextState("Cancel") }
  }
}
