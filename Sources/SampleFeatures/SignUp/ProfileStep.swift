internal import Foundation
package import TCACore

/// The step that asks for personal data.
@Reducer
package struct ProfileStep: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared package var draft: SignUpDraft
    package var fullName: String
    /// The year as the user has typed it.
    package var birthYear: String
    @Presents package var alert: AlertState<Action.Alert>?

    package init(draft: Shared<SignUpDraft>) {
      _draft = draft
      fullName = draft.wrappedValue.fullName
      birthYear = draft.wrappedValue.birthYear.map(String.init) ?? ""
    }
  }

  package enum Action: BindableAction, Sendable {
    case alert(PresentationAction<Alert>)
    case binding(BindingAction<State>)
    case cancelButtonTapped
    case delegate(Delegate)
    case nextButtonTapped

    @CasePathable
    package enum Alert: Equatable, Sendable { case leaveOut }

    @CasePathable
    package enum Delegate: Equatable, Sendable { case completed }
  }

  @Dependency(\.calendar) private var calendar
  @Dependency(\.date.now) private var now
  @Dependency(\.dismiss) private var dismiss

  package init() {}

  package var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.birthYear) { _, state in
        state.birthYear = String(state.birthYear.filter(\.isNumber).prefix(4))
        return .none
      }
    Reduce { state, action in
      switch action {
      case .alert(.presented(.leaveOut)):
        state.birthYear = ""
        return complete(state)
      case .cancelButtonTapped:
        return .run { _ in await dismiss() }
      case .nextButtonTapped:
        return next(&state)
      case .alert, .binding, .delegate:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }

  private func next(_ state: inout State) -> Effect<Action> {
    guard !state.birthYear.isEmpty else { return complete(state) }
    let thisYear = calendar.component(.year, from: now)
    guard let year = Int(state.birthYear), (thisYear - 120...thisYear).contains(year) else {
      state.alert = .impossible(year: state.birthYear)
      return .none
    }
    guard thisYear - year >= 12 else {
      state.alert = .tooYoung
      return .none
    }
    return complete(state)
  }

  private func complete(_ state: State) -> Effect<Action> {
    state.$draft.withLock {
      $0.fullName = state.fullName.trimmingCharacters(in: .whitespaces)
      $0.birthYear = Int(state.birthYear)
    }
    return .send(.delegate(.completed))
  }
}

extension AlertState where Action == ProfileStep.Action.Alert {
  package static func impossible(year: String) -> Self {
    Self {
      TextState("Born in ") + TextState(verbatim: year) + TextState("?")
    } actions: {
      ButtonState(role: .cancel) { TextState("Correct it") }
      ButtonState(action: .leaveOut) { TextState("Leave it out") }
    }
  }

  package static let tooYoung = Self {
    TextState("Members are at least 12 years old")
  } message: {
    TextState("Ask someone to borrow books for you until then.")
  }
}
