package import TCACore

/// The last step, which shows the draft, edits its parts in sheets, and submits it.
@Reducer
package struct ReviewStep: Sendable {
  @Reducer
  package enum Destination {
    case account(AccountStep)
    case profile(ProfileStep)
    case topics(TopicsStep)
    case alert(AlertState<ReviewStep.Alert>)
  }

  @CasePathable
  package enum Alert: Equatable, Sendable { case editAccount, tryAgain }

  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared package var draft: SignUpDraft
    package var acceptsTerms = false
    package var submission: Submission = .idle
    @Presents package var destination: Destination.State?

    package init(draft: Shared<SignUpDraft>) {
      _draft = draft
    }
  }

  /// The progress of the submission.
  @CasePathable
  @dynamicMemberLookup
  package enum Submission: Equatable, Sendable {
    case idle
    case inFlight(attempt: Int)
    /// The library is busy; another attempt follows after this number of seconds.
    case waiting(attempt: Int, seconds: Int)
  }

  package enum Action: BindableAction, Sendable {
    case binding(BindingAction<State>)
    case delegate(Delegate)
    case destination(PresentationAction<Destination.Action>)
    case editButtonTapped(DraftSection)
    case retryDue
    case stopButtonTapped
    case submitButtonTapped
    case submitResponse(Result<Member, any Error>)
    case waitTicked

    @CasePathable
    package enum Delegate: Equatable, Sendable { case joined(Member) }
  }

  /// The editable parts of the draft.
  @LogValue
  package enum DraftSection: CaseIterable, Equatable, Sendable {
    case account, profile, topics
  }

  private enum CancelID { case submit }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.signUp) private var signUp

  package init() {}

  package var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .destination(.presented(let action)):
        return edited(&state, action)
      case .editButtonTapped(let part):
        edit(part, &state)
        return .none
      case .retryDue:
        guard let attempt = state.submission.waiting?.attempt else { return .none }
        return submit(attempt: attempt + 1, &state)
      case .stopButtonTapped:
        state.submission = .idle
        return .cancel(id: CancelID.submit)
      case .submitButtonTapped:
        guard state.acceptsTerms, state.submission.is(\.idle) else { return .none }
        return submit(attempt: 1, &state)
      case .submitResponse(.success(let member)):
        state.submission = .idle
        return .send(.delegate(.joined(member)))
      case .submitResponse(.failure(let error)):
        return failed(&state, error)
      case .waitTicked:
        state.submission.modify(\.waiting) { $0.seconds -= 1 }
        return .none
      case .binding, .delegate, .destination:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }

  /// Opens a sheet on a copy of the draft, or on the draft itself for topics, whose changes need no confirmation.
  private func edit(_ part: DraftSection, _ state: inout State) {
    guard state.submission.is(\.idle) else { return }
    switch part {
    case .account:
      let copy = Shared(value: state.draft)
      state.destination = .account(AccountStep.State(draft: copy))
    case .profile:
      let copy = Shared(value: state.draft)
      state.destination = .profile(ProfileStep.State(draft: copy))
    case .topics:
      state.destination = .topics(TopicsStep.State(draft: state.$draft))
    }
  }

  /// Applies the changes of a sheet and closes it.
  private func edited(_ state: inout State, _ action: Destination.Action) -> Effect<Action> {
    switch action {
    case .account(.delegate(.completed)):
      guard let edited = state.destination?.account?.draft else { return .none }
      state.$draft.withLock { $0 = edited }
      state.destination = nil
    case .profile(.delegate(.completed)):
      guard let edited = state.destination?.profile?.draft else { return .none }
      state.$draft.withLock { $0 = edited }
      state.destination = nil
    case .topics(.delegate(.completed)):
      state.destination = nil
    case .alert(.editAccount):
      edit(.account, &state)
    case .alert(.tryAgain):
      return submit(attempt: 1, &state)
    case .account, .profile, .topics:
      break
    }
    return .none
  }

  private func submit(attempt: Int, _ state: inout State) -> Effect<Action> {
    state.submission = .inFlight(attempt: attempt)
    return .run(name: "submit", input: state.draft) { [draft = state.draft] send in
      await send(.submitResponse(Result { try await signUp.submit(draft: draft) }))
    }
    .cancellable(id: CancelID.submit, cancelInFlight: true)
  }

  private func failed(_ state: inout State, _ error: any Error) -> Effect<Action> {
    guard let attempt = state.submission.inFlight else { return .none }
    state.submission = .idle
    switch error {
    case SignUpError.busy(let seconds) where attempt < 3:
      state.submission = .waiting(attempt: attempt, seconds: seconds)
      return .concatenate(wait(seconds), .send(.retryDue))
        .cancellable(id: CancelID.submit, cancelInFlight: true)
    case SignUpError.emailInUse:
      state.destination = .alert(.refused("address"))
    case SignUpError.nameTaken:
      state.destination = .alert(.refused("name"))
    default:
      state.destination = .alert(.offline)
    }
    return .none
  }

  private func wait(_ seconds: Int) -> Effect<Action> {
    .run(name: "wait") { send in
      for _ in 0..<seconds {
        try await clock.sleep(for: .seconds(1))
        await send(.waitTicked)
      }
    }
  }
}

extension ReviewStep.Destination.State: Equatable, Sendable {}
extension ReviewStep.Destination.Action: Sendable {}

extension AlertState where Action == ReviewStep.Alert {
  package static let offline = Self {
    TextState("The library cannot be reached")
  } actions: {
    ButtonState(action: .tryAgain) { TextState("Try again") }
    ButtonState(role: .cancel) { TextState("Not now") }
  }

  package static func refused(_ part: String) -> Self {
    Self {
      TextState("Another member has this \(part)")
    } actions: {
      ButtonState(action: .editAccount) { TextState("Change it") }
      ButtonState(role: .cancel) { TextState("Not now") }
    }
  }
}
