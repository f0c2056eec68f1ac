package import TCACore

/// Who is logged in.
@LogValue
package struct Session: Equatable, Sendable {
  package var name: String
  package var token: String

  package init(name: String, token: String) {
    self.name = name
    self.token = token
  }
}

/// What the server wants to know besides the password.
@LogValue
package struct Challenge: Equatable, Sendable {
  package var id: String
  /// Where the code was sent.
  package var sentTo: String

  package init(id: String, sentTo: String) {
    self.id = id
    self.sentTo = sentTo
  }
}

/// What comes of a name and a password.
@CasePathable
package enum LoginOutcome: Equatable, Sendable {
  case loggedIn(Session)
  case needsCode(Challenge)
}

/// Why the server refused.
@LogValue
package enum AccountError: Error, Equatable {
  case codeExpired
  case locked(minutes: Int)
  case offline
  case wrongCode(triesLeft: Int)
  case wrongPassword
}

/// The server that knows the accounts.
@DependencyClient
package struct AccountClient: Sendable {
  /// The session of last time, nil if there was none.
  package var restore: @Sendable () async -> Session?
  package var logIn: @Sendable (_ email: String, _ password: String) async throws -> LoginOutcome
  package var confirm: @Sendable (_ code: String, _ challenge: String) async throws -> Session
  package var resend: @Sendable (_ challenge: String) async throws -> Challenge
  package var rename: @Sendable (_ name: String, _ token: String) async throws -> Session
  package var logOut: @Sendable (_ token: String) async throws -> Void
}

extension AccountClient: DependencyKey {
  package static let testValue = AccountClient()

  /// A server that is part of the code: it knows Ada, and keeps nothing.
  package static let liveValue = AccountClient(
    restore: { nil },
    logIn: { email, password in
      try await answer()
      guard email == "ada@example.com", password == "enigma" else {
        throw password == "sesame" ? AccountError.locked(minutes: 5) : AccountError.wrongPassword
      }
      return .needsCode(Challenge(id: "1", sentTo: "***-1815"))
    },
    confirm: { code, challenge in
      try await answer()
      guard challenge != "0" else { throw AccountError.codeExpired }
      guard code == "181512" else { throw AccountError.wrongCode(triesLeft: 2) }
      return Session(name: "Ada", token: "token-\(challenge)")
    },
    resend: { challenge in
      try await answer()
      return Challenge(id: challenge + "1", sentTo: "***-1815")
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
  /// The server that knows the accounts.
  package var account: AccountClient {
    get { self[AccountClient.self] }
    set { self[AccountClient.self] = newValue }
  }
}
