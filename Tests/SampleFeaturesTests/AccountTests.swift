import SampleFeatures
import TCACore
import Testing

private let ada = Session(name: "Ada", token: "t")
private let challenge = TwoFactorChallenge(id: "1", sentTo: "***-1815")

/// The path from a password to the home screen and back.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct AccountTests {
  private let clock = TestClock()

  private func store(
    _ phase: Account.Phase.State? = .login(Login.State()),
    _ prepare: @escaping (inout AccountClient) -> Void = { _ in }
  ) -> TestStoreOf<Account> {
    TestStore(initialState: Account.State(phase: phase)) {
      Account()
    } withDependencies: {
      $0.continuousClock = clock
      prepare(&$0.account)
    }
  }

  /// A login screen with all fields filled in.
  private var filled: Account.Phase.State {
    var login = Login.State()
    login.email = "ada@example.com"
    login.password = "enigma"
    return .login(login)
  }

  @Test func `a session from the last launch leads to the home screen`() async {
    let store = store(nil) { $0.restore = { ada } }
    await store.send(.task)
    await store.receive(\.restored) { $0.phase = .home(Home.State(session: ada)) }
  }

  @Test func `an app without a session shows the login`() async {
    let store = store(nil) { $0.restore = { nil } }
    await store.send(.task)
    await store.receive(\.restored, nil) { $0.phase = .login(Login.State()) }
  }

  @Test func `a correct password and code lead to the home screen`() async {
    let store = store {
      $0.logIn = { email, password in
        #expect(email == "ada@example.com")
        #expect(password == "enigma")
        return .needsCode(challenge)
      }
      $0.confirm = { code, id in
        #expect(code == "181512")
        #expect(id == "1")
        return ada
      }
    }
    await store.send(\.phase.login.view.binding.email, "ada@example.com") {
      $0.phase.modify(\.login) { $0.email = "ada@example.com" }
    }
    await store.send(\.phase.login.view.submitted) {
      $0.phase.modify(\.login) { $0.focus = .password }
    }
    await store.send(\.phase.login.view.binding.password, "enigma") {
      $0.phase.modify(\.login) { $0.password = "enigma" }
    }
    await store.send(\.phase.login.view.submitted) {
      $0.phase.modify(\.login) {
        $0.isBusy = true
        $0.focus = nil
      }
    }
    await store.receive(\.phase.login.response.success) {
      $0.phase.modify(\.login) {
        $0.isBusy = false
        $0.password = ""
      }
    }
    await store.receive(\.phase.login.delegate.needsCode) {
      $0.phase = .twoFactor(TwoFactor.State(challenge: challenge))
    }
    await store.receive(\.phase.twoFactor.task)
    await clock.advance(by: .seconds(1))
    await store.receive(\.phase.twoFactor.ticked) {
      $0.phase.modify(\.twoFactor) { $0.secondsToResend = 29 }
    }
    await store.send(\.phase.twoFactor.binding.code, "18-15 12") {
      $0.phase.modify(\.twoFactor) {
        $0.code = "181512"
        $0.isBusy = true
      }
    }
    await store.receive(\.phase.twoFactor.response.success) {
      $0.phase.modify(\.twoFactor) { $0.isBusy = false }
    }
    // The home screen replaces the countdown, which therefore ends.
    await store.receive(\.phase.twoFactor.delegate.loggedIn) {
      $0.phase = .home(Home.State(session: ada))
    }
  }

  @Test func `the login counts wrong passwords and shows a hint after the third`() async {
    let store = store { $0.logIn = { _, _ in throw AccountError.wrongPassword } }
    await store.send(\.phase.login.view.binding.email, "ada@example.com") {
      $0.phase.modify(\.login) { $0.email = "ada@example.com" }
    }
    for failures in 1...3 {
      await store.send(\.phase.login.view.binding.password, "enigma") {
        $0.phase.modify(\.login) {
          $0.password = "enigma"
          $0.notice = nil
        }
      }
      await store.send(\.phase.login.view.logInButtonTapped) {
        $0.phase.modify(\.login) {
          $0.isBusy = true
          $0.focus = nil
        }
      }
      await store.receive(\.phase.login.response.failure) {
        $0.phase.modify(\.login) {
          $0.isBusy = false
          $0.password = ""
          $0.failures = failures
          $0.focus = .password
          $0.notice =
            failures < 3 ? "Wrong password." : "Wrong password. Have you changed it?"
        }
      }
    }
  }

  @Test func `a login that fails without a connection shows an alert that offers to try again`()
    async
  {
    let isOnline = LockIsolated(false)
    let store = store(filled) {
      $0.logIn = { _, _ in
        guard isOnline.value else { throw AccountError.offline }
        return .loggedIn(ada)
      }
    }
    store.exhaustivity = .off
    await store.send(\.phase.login.view.logInButtonTapped)
    await store.receive(\.phase.login.response.failure) {
      $0.phase.modify(\.login) { $0.isBusy = false }
    }
    #expect(store.state.phase?.login?.alert != nil)
    isOnline.setValue(true)
    await store.send(\.phase.login.alert.tryAgain) {
      $0.phase.modify(\.login) {
        $0.alert = nil
        $0.isBusy = true
      }
    }
    await store.receive(\.phase.login.delegate.loggedIn) {
      $0.phase = .home(Home.State(session: ada))
    }
  }

  @Test func `the app shows for how long a locked account stays locked`() async {
    let store = store(filled) { $0.logIn = { _, _ in throw AccountError.locked(minutes: 5) } }
    await store.send(\.phase.login.view.logInButtonTapped) {
      $0.phase.modify(\.login) { $0.isBusy = true }
    }
    await store.receive(\.phase.login.response.failure) {
      $0.phase.modify(\.login) {
        $0.isBusy = false
        $0.alert = AlertState { TextState("Try again in 5 minutes") }
      }
    }
    await store.send(\.phase.login.alert.dismiss) {
      $0.phase.modify(\.login) { $0.alert = nil }
    }
  }

  @Test func `a canceled login receives no response`() async {
    let store = store(filled) {
      $0.logIn = { _, _ in try await Task.never() }
    }
    await store.send(\.phase.login.view.logInButtonTapped) {
      $0.phase.modify(\.login) { $0.isBusy = true }
    }
    await store.send(\.phase.login.view.cancelButtonTapped) {
      $0.phase.modify(\.login) { $0.isBusy = false }
    }
  }

  @Test func `the login focuses the first missing field`() async {
    let store = store()
    await store.send(\.phase.login.view.logInButtonTapped) {
      $0.phase.modify(\.login) { $0.focus = .email }
    }
    await store.send(\.phase.login.view.binding.email, "ada@example.com") {
      $0.phase.modify(\.login) { $0.email = "ada@example.com" }
    }
    await store.send(\.phase.login.view.logInButtonTapped) {
      $0.phase.modify(\.login) { $0.focus = .password }
    }
  }

  @Test(
    arguments: [
      (AccountError.codeExpired, "The code has expired."),
      (.wrongCode(triesLeft: 0), "Too many wrong codes."),
    ]
  )
  func `an expired or exhausted code leads back to the login with a notice`(
    error: AccountError,
    notice: String
  ) async {
    let store = store(.twoFactor(TwoFactor.State(challenge: challenge))) {
      $0.confirm = { _, _ in throw error }
    }
    store.exhaustivity = .off
    await store.send(\.phase.twoFactor.binding.code, "000000")
    await store.receive(\.phase.twoFactor.delegate.cancelled) {
      $0.phase = .login(Login.State(notice: notice))
    }
  }

  @Test func `editing the code cancels its check`() async {
    let store = store(.twoFactor(TwoFactor.State(challenge: challenge))) {
      $0.confirm = { _, _ in try await Task.never() }
    }
    await store.send(\.phase.twoFactor.binding.code, "000000") {
      $0.phase.modify(\.twoFactor) {
        $0.code = "000000"
        $0.isBusy = true
      }
    }
    await store.send(\.phase.twoFactor.binding.code, "00000") {
      $0.phase.modify(\.twoFactor) {
        $0.code = "00000"
        $0.isBusy = false
      }
    }
  }

  @Test func `the user can request another code after the countdown`() async {
    let again = TwoFactorChallenge(id: "2", sentTo: "***-1815")
    let store = store(.twoFactor(TwoFactor.State(challenge: challenge))) {
      $0.resend = { _ in again }
    }
    await store.send(\.phase.twoFactor.resendButtonTapped)
    await store.send(\.phase.twoFactor.task)
    await clock.advance(by: .seconds(30))
    for left in (0..<30).reversed() {
      await store.receive(\.phase.twoFactor.ticked) {
        $0.phase.modify(\.twoFactor) { $0.secondsToResend = left }
      }
    }
    await store.send(\.phase.twoFactor.resendButtonTapped)
    await store.receive(\.phase.twoFactor.resent.success) {
      $0.phase.modify(\.twoFactor) {
        $0.challenge = again
        $0.secondsToResend = 30
      }
    }
    await store.send(\.phase.twoFactor.backButtonTapped)
    await store.receive(\.phase.twoFactor.delegate.cancelled) {
      $0.phase = .login(Login.State())
    }
  }

  @Test func `logging out in a nested screen leads to the login`() async {
    let store = store(.home(Home.State(session: ada))) { $0.logOut = { #expect($0 == "t") } }
    await store.send(\.phase.home.profileButtonTapped) {
      $0.phase.modify(\.home) { $0.path.append(.profile(Profile.State(session: ada))) }
    }
    await store.send(\.phase.home.path[id: 0].profile.securityButtonTapped) {
      $0.phase.modify(\.home) { $0.path.append(.security(Security.State(session: ada))) }
    }
    store.exhaustivity = .off
    await store.send(\.phase.home.path[id: 1].security.logOutButtonTapped)
    await store.send(\.phase.home.path[id: 1].security.destination.confirm.logOut)
    await store.receive(\.phase.home.path[id: 1].security.loggedOut.success)
    await store.receive(\.phase.home.delegate.loggedOut) {
      $0.phase = .login(Login.State())
    }
    await store.finish()
  }

  @Test func `a user without a connection can log out on the device`() async {
    let store = store(
      .home(Home.State(session: ada, path: [.security(Security.State(session: ada))]))
    ) { $0.logOut = { _ in throw AccountError.offline } }
    store.exhaustivity = .off
    await store.send(\.phase.home.path[id: 0].security.logOutButtonTapped)
    await store.send(\.phase.home.path[id: 0].security.destination.confirm.logOut)
    await store.receive(\.phase.home.path[id: 0].security.loggedOut.failure)
    #expect(store.state.phase?.home?.path[id: 0]?.security?.destination?.is(\.failed) == true)
    await store.send(\.phase.home.path[id: 0].security.destination.failed.logOutHere)
    await store.receive(\.phase.home.delegate.loggedOut) {
      $0.phase = .login(Login.State())
    }
  }

  @Test func `a new name in the profile reaches the home screen`() async {
    let lovelace = Session(name: "Lovelace", token: "t")
    let store = store(
      .home(Home.State(session: ada, path: [.profile(Profile.State(session: ada))]))
    ) { $0.rename = { Session(name: $0, token: $1) } }
    store.exhaustivity = .off
    await store.send(\.phase.home.path[id: 0].profile.binding.name, "Lovelace")
    await store.send(\.phase.home.path[id: 0].profile.saveButtonTapped)
    await store.receive(\.phase.home.path[id: 0].profile.delegate.renamed, lovelace) {
      $0.phase.modify(\.home) { $0.session = lovelace }
    }
  }
}
