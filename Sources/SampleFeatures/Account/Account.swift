package import TCACore

/// The way into an app: log in, enter a code, and be at home until you log out.
@Reducer
package struct Account: Sendable {
  @Reducer
  package enum Phase {
    case login(Login)
    case twoFactor(TwoFactor)
    case home(Home)
  }

  @ObservableState
  package struct State: Equatable, Sendable {
    /// Where the user stands; nil until it is known whether there is a session.
    package var phase: Phase.State?

    package init(phase: Phase.State? = nil) {
      self.phase = phase
    }
  }

  package enum Action: Sendable {
    case phase(Phase.Action)
    case restored(Session?)
    case task
  }

  @Dependency(\.account) private var account

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .phase(.login(.delegate(.loggedIn(let session)))),
        .phase(.twoFactor(.delegate(.loggedIn(let session)))):
        state.phase = .home(Home.State(session: session))
        return .none
      case .phase(.login(.delegate(.needsCode(let challenge)))):
        state.phase = .twoFactor(TwoFactor.State(challenge: challenge))
        return .send(.phase(.twoFactor(.task)))
      case .phase(.twoFactor(.delegate(.cancelled(let notice)))):
        state.phase = .login(Login.State(notice: notice))
        return .none
      case .phase(.home(.delegate(.loggedOut))):
        state.phase = .login(Login.State())
        return .none
      case .restored(let session):
        state.phase = session.map { .home(Home.State(session: $0)) } ?? .login(Login.State())
        return .none
      case .task:
        return .run { send in await send(.restored(account.restore())) }
      case .phase:
        return .none
      }
    }
    .ifLet(\.phase, action: \.phase) { Phase.body }
  }
}

extension Account.Phase.State: Equatable, Sendable {}
extension Account.Phase.Action: Sendable {}
