package import TCACore

/// The screen at the bottom of the settings, on which users log out.
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
