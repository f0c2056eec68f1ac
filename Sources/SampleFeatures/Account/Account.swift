package import TCACore

/// The root of an app with accounts: login, two-factor code, and the home screen until the user logs out.
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
    /// The current screen; `nil` until the app knows whether a session exists.
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

/// The session of a logged-in user.
@LogValue
package struct Session: Equatable, Sendable {
  package var name: String
  package var token: String

  package init(name: String, token: String) {
    self.name = name
    self.token = token
  }
}

/// The second factor that the server requires besides the password.
@LogValue
package struct TwoFactorChallenge: Equatable, Sendable {
  package var id: String
  /// The address or number that received the code.
  package var sentTo: String

  package init(id: String, sentTo: String) {
    self.id = id
    self.sentTo = sentTo
  }
}

/// The server's response to a name and a password.
@CasePathable
package enum LoginOutcome: Equatable, Sendable {
  case loggedIn(Session)
  case needsCode(TwoFactorChallenge)
}

/// The reasons for which the server rejects a request.
@LogValue
package enum AccountError: Error, Equatable {
  case codeExpired
  case locked(minutes: Int)
  case offline
  case wrongCode(triesLeft: Int)
  case wrongPassword
}

/// The client of the account server.
@DependencyClient
package struct AccountClient: Sendable {
  /// Returns the session of the last launch; `nil` if there was none.
  package var restore: @Sendable () async -> Session?
  package var logIn: @Sendable (_ email: String, _ password: String) async throws -> LoginOutcome
  package var confirm: @Sendable (_ code: String, _ challenge: String) async throws -> Session
  package var resend: @Sendable (_ challenge: String) async throws -> TwoFactorChallenge
  package var rename: @Sendable (_ name: String, _ token: String) async throws -> Session
  package var logOut: @Sendable (_ token: String) async throws -> Void
}

extension AccountClient: DependencyKey {
  package static let testValue = AccountClient()

  /// A server in memory, which knows the user Ada and stores no data.
  package static let liveValue = AccountClient(
    restore: { nil },
    logIn: { email, password in
      try await answer()
      guard email == "ada@example.com", password == "enigma" else {
        throw password == "sesame" ? AccountError.locked(minutes: 5) : AccountError.wrongPassword
      }
      return .needsCode(TwoFactorChallenge(id: "1", sentTo: "***-1815"))
    },
    confirm: { code, challenge in
      try await answer()
      guard challenge != "0" else { throw AccountError.codeExpired }
      guard code == "181512" else { throw AccountError.wrongCode(triesLeft: 2) }
      return Session(name: "Ada", token: "token-\(challenge)")
    },
    resend: { challenge in
      try await answer()
      return TwoFactorChallenge(id: challenge + "1", sentTo: "***-1815")
    },
    rename: { name, token in
      try await answer()
      return Session(name: name, token: token)
    },
    logOut: { _ in
      try await answer()
    }
  )

  private static func answer() async throws {
    @Dependency(\.continuousClock) var clock
    try await clock.sleep(for: .milliseconds(20))
  }
}

extension DependencyValues {
  /// The client of the account server.
  package var account: AccountClient {
    get { self[AccountClient.self] }
    set { self[AccountClient.self] = newValue }
  }
}
