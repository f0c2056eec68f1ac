package import TCACore

/// The screen that asks for the code that was sent to the user.
@Reducer
package struct TwoFactor: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    package var challenge: TwoFactorChallenge
    package var code = ""
    package var isBusy = false
    package var notice: String?
    /// The number of seconds before the user can request another code.
    package var secondsToResend = 30

    package init(challenge: TwoFactorChallenge) {
      self.challenge = challenge
    }
  }

  package enum Action: BindableAction, Sendable {
    case backButtonTapped
    case binding(BindingAction<State>)
    case delegate(Delegate)
    case resendButtonTapped
    case resent(Result<TwoFactorChallenge, any Error>)
    case response(Result<Session, any Error>)
    case task
    case ticked

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case cancelled(notice: String?)
      case loggedIn(Session)
    }
  }

  private enum CancelID { case confirm, countdown }

  @Dependency(\.account) private var account
  @Dependency(\.continuousClock) private var clock

  package var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.code) { _, state in
        state.code = String(state.code.filter(\.isNumber).prefix(6))
        return state.code.count == 6 ? confirm(&state) : .cancel(id: CancelID.confirm)
      }
    Reduce { state, action in
      switch action {
      case .backButtonTapped:
        return .send(.delegate(.cancelled(notice: nil)))
      case .binding:
        if state.code.count < 6 { state.isBusy = false }
        return .none
      case .delegate:
        return .none
      case .resendButtonTapped:
        guard state.secondsToResend == 0 else { return .none }
        return .run(name: "resend") { [id = state.challenge.id] send in
          await send(.resent(Result { try await account.resend(challenge: id) }))
        }
      case .resent(.success(let challenge)):
        state.challenge = challenge
        state.secondsToResend = 30
        return countDown()
      case .resent(.failure):
        state.notice = "No code was sent."
        return .none
      case .response(.success(let session)):
        state.isBusy = false
        return .send(.delegate(.loggedIn(session)))
      case .response(.failure(let error)):
        return failed(&state, error)
      case .task:
        return countDown()
      case .ticked:
        state.secondsToResend -= 1
        return state.secondsToResend == 0 ? .cancel(id: CancelID.countdown) : .none
      }
    }
  }

  private func confirm(_ state: inout State) -> Effect<Action> {
    state.isBusy = true
    state.notice = nil
    return .run(name: "confirm", input: state.code) { [state] send in
      await send(
        .response(
          Result { try await account.confirm(code: state.code, challenge: state.challenge.id) }
        )
      )
    }
    .cancellable(id: CancelID.confirm, cancelInFlight: true)
  }

  private func countDown() -> Effect<Action> {
    .run(name: "countdown") { send in
      for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
    }
    .cancellable(id: CancelID.countdown, cancelInFlight: true)
  }

  private func failed(_ state: inout State, _ error: any Error) -> Effect<Action> {
    state.isBusy = false
    switch error {
    case AccountError.codeExpired:
      return .send(.delegate(.cancelled(notice: "The code has expired.")))
    case AccountError.wrongCode(triesLeft: 0):
      return .send(.delegate(.cancelled(notice: "Too many wrong codes.")))
    case AccountError.wrongCode(let triesLeft):
      state.code = ""
      state.notice = "Wrong code, \(triesLeft) tries left."
    default:
      state.notice = "No connection."
    }
    return .none
  }
}
