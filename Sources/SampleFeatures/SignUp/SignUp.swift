package import TCACore

/// The way to become a member: a stack of steps that fill in one draft.
@Reducer
package struct SignUp: Sendable {
  @Reducer
  package enum Path {
    case account(AccountStep)
    case profile(ProfileStep)
    case topics(TopicsStep)
    case review(ReviewStep)
  }

  @ObservableState
  package struct State: Equatable, Sendable {
    /// What was filled in so far; all steps share it.
    @Shared package var draft: SignUpDraft
    package var path: StackState<Path.State>
    package var member: Member?
    @Presents package var dialog: ConfirmationDialogState<Action.Dialog>?

    package init(draft: SignUpDraft = SignUpDraft()) {
      _draft = Shared(value: draft)
      path = StackState()
    }
  }

  package enum Action: Sendable {
    case closeButtonTapped
    case dialog(PresentationAction<Dialog>)
    case path(StackActionOf<Path>)
    case startButtonTapped

    @CasePathable
    package enum Dialog: Equatable, Sendable { case discard, keepForLater }
  }

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .closeButtonTapped:
        guard state.draft != SignUpDraft() else {
          state.path.removeAll()
          return .none
        }
        state.dialog = .close
        return .none
      case .dialog(.presented(.discard)):
        state.path.removeAll()
        state.$draft.withLock { $0 = SignUpDraft() }
        return .none
      case .dialog(.presented(.keepForLater)):
        state.path.removeAll()
        return .none
      case .path(.element(_, let action)):
        return step(&state, action)
      case .startButtonTapped:
        state.path.append(.account(AccountStep.State(draft: state.$draft)))
        return .none
      case .dialog, .path:
        return .none
      }
    }
    .ifLet(\.$dialog, action: \.dialog)
    .forEach(\.path, action: \.path)
  }

  /// Goes on to the next step when one is complete.
  private func step(_ state: inout State, _ action: Path.Action) -> Effect<Action> {
    switch action {
    case .account(.delegate(.completed)):
      state.path.append(.profile(ProfileStep.State(draft: state.$draft)))
    case .profile(.delegate(.completed)):
      state.path.append(.topics(TopicsStep.State(draft: state.$draft)))
    case .topics(.delegate(.completed)):
      state.path.append(.review(ReviewStep.State(draft: state.$draft)))
    case .review(.delegate(.joined(let member))):
      state.member = member
      state.path = StackState()
      state.$draft.withLock { $0 = SignUpDraft() }
    case .account, .profile, .review, .topics:
      break
    }
    return .none
  }
}

extension SignUp.Path.State: Equatable, Sendable {}
extension SignUp.Path.Action: Sendable {}

extension ConfirmationDialogState where Action == SignUp.Action.Dialog {
  package static let close = Self(titleVisibility: .visible) {
    TextState("Stop here?")
  } actions: {
    ButtonState(role: .destructive, action: .discard) { TextState("Discard everything") }
    ButtonState(action: .keepForLater) { TextState("Keep for later") }
    ButtonState(role: .cancel) { TextState("Go on") }
  }
}
