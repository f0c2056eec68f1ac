package import TCACore

/// The screens of a logged-in user, in a navigation stack.
@Reducer
package struct Home: Sendable {
  @Reducer
  package enum Path {
    case profile(Profile)
    case security(Security)
  }

  @ObservableState
  package struct State: Equatable, Sendable {
    package var session: Session
    package var path = StackState<Path.State>()

    package init(session: Session, path: StackState<Path.State> = StackState()) {
      self.session = session
      self.path = path
    }
  }

  package enum Action: Sendable {
    case delegate(Delegate)
    case path(StackActionOf<Path>)
    case profileButtonTapped

    @CasePathable
    package enum Delegate: Equatable, Sendable { case loggedOut }
  }

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .path(.element(_, .profile(.delegate(.renamed(let session))))):
        state.session = session
        return .none
      case .path(.element(_, .profile(.securityButtonTapped))):
        state.path.append(.security(Security.State(session: state.session)))
        return .none
      case .path(.element(_, .security(.delegate(.loggedOut)))):
        return .send(.delegate(.loggedOut))
      case .profileButtonTapped:
        state.path.append(.profile(Profile.State(session: state.session)))
        return .none
      case .delegate, .path:
        return .none
      }
    }
    .forEach(\.path, action: \.path)
  }
}

extension Home.Path.State: Equatable, Sendable {}
extension Home.Path.Action: Sendable {}

/// The screen on which users change their name.
@Reducer
package struct Profile: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    package var session: Session
    package var name: String
    package var isSaving = false

    package init(session: Session) {
      self.session = session
      name = session.name
    }
  }

  package enum Action: BindableAction, Sendable {
    case binding(BindingAction<State>)
    case delegate(Delegate)
    case renamed(Result<Session, any Error>)
    case saveButtonTapped
    case securityButtonTapped

    @CasePathable
    package enum Delegate: Equatable, Sendable { case renamed(Session) }
  }

  @Dependency(\.account) private var account

  package var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .renamed(let result):
        state.isSaving = false
        guard case .success(let session) = result else {
          state.name = state.session.name
          return .none
        }
        state.session = session
        return .send(.delegate(.renamed(session)))
      case .saveButtonTapped:
        guard state.name != state.session.name, !state.name.isEmpty else { return .none }
        state.isSaving = true
        return .run(name: "rename") { [state] send in
          await send(
            .renamed(
              Result { try await account.rename(name: state.name, token: state.session.token) }
            )
          )
        }
      case .binding, .delegate, .securityButtonTapped:
        return .none
      }
    }
  }
}

/// The settings screen, on which users log out.
@Reducer
package struct Security: Sendable {
  @Reducer
  package enum Destination {
    case confirm(ConfirmationDialogState<Security.Confirm>)
    case failed(AlertState<Security.Failed>)
  }

  @CasePathable
  package enum Confirm: Equatable, Sendable { case logOut }
  @CasePathable
  package enum Failed: Equatable, Sendable { case logOutHere }

  @ObservableState
  package struct State: Equatable, Sendable {
    package let session: Session
    package var isBusy = false
    @Presents package var destination: Destination.State?

    package init(session: Session) {
      self.session = session
    }
  }

  package enum Action: Sendable {
    case delegate(Delegate)
    case destination(PresentationAction<Destination.Action>)
    case logOutButtonTapped
    case loggedOut(Result<Bool, any Error>)

    @CasePathable
    package enum Delegate: Equatable, Sendable { case loggedOut }
  }

  @Dependency(\.account) private var account

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .destination(.presented(.confirm(.logOut))):
        state.isBusy = true
        return .run(name: "log out") { [token = state.session.token] send in
          await send(
            .loggedOut(
              Result {
                try await account.logOut(token: token)
                return true
              }
            )
          )
        }
      case .destination(.presented(.failed(.logOutHere))), .loggedOut(.success):
        state.isBusy = false
        return .send(.delegate(.loggedOut))
      case .logOutButtonTapped:
        state.destination = .confirm(.logOut)
        return .none
      case .loggedOut(.failure):
        state.isBusy = false
        state.destination = .failed(.offline)
        return .none
      case .delegate, .destination:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension Security.Destination.State: Equatable, Sendable {}
extension Security.Destination.Action: Sendable {}

extension ConfirmationDialogState where Action == Security.Confirm {
  package static let logOut = Self {
    TextState("Log out?")
  } actions: {
    ButtonState(role: .destructive, action: .logOut) { TextState("Log out") }
  }
}

extension AlertState where Action == Security.Failed {
  package static let offline = Self {
    TextState("The server was not told")
  } actions: {
    ButtonState(role: .destructive, action: .logOutHere) { TextState("Log out here") }
    ButtonState(role: .cancel) { TextState("Stay") }
  }
}
