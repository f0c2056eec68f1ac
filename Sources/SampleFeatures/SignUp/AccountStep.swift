package import TCACore

/// The step that asks for a user name, an email address and a password.
@Reducer
package struct AccountStep: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared package var draft: SignUpDraft
    package var availability: Availability = .unknown
    package var password: String
    package var repeatedPassword: String
    package var isPasswordVisible = false
    package var focus: Field? = .name
    /// The displayed problems of the fields, which appear once the user has tapped the button.
    package var problems: [FieldProblem] = []

    package init(draft: Shared<SignUpDraft>) {
      _draft = draft
      password = draft.wrappedValue.password
      repeatedPassword = draft.wrappedValue.password
    }

    /// The current problems of the fields.
    fileprivate var foundProblems: [FieldProblem] {
      var problems: [FieldProblem] = []
      if draft.name.count < 3 { problems.append(.nameTooShort) }
      if availability.is(\.taken) { problems.append(.nameTaken) }
      if !draft.email.contains("@") { problems.append(.emailInvalid) }
      if password.count < 8 { problems.append(.passwordTooShort) }
      if password != repeatedPassword { problems.append(.passwordsDiffer) }
      return problems
    }
  }

  /// The availability of the name.
  @CasePathable
  package enum Availability: Equatable, Sendable {
    case unknown
    case checking
    case available
    case taken(suggestions: [String])
    case failed
  }

  /// A problem of a field.
  @LogValue
  package enum FieldProblem: Equatable, Sendable {
    case emailInvalid, nameTaken, nameTooShort, passwordTooShort, passwordsDiffer

    fileprivate var field: Field {
      switch self {
      case .emailInvalid: .email
      case .nameTaken, .nameTooShort: .name
      case .passwordTooShort: .password
      case .passwordsDiffer: .repeatedPassword
      }
    }
  }

  /// The field with the keyboard focus.
  @LogValue
  package enum Field: Hashable, Sendable {
    case email, name, password, repeatedPassword
  }

  package enum Action: BindableAction, Sendable {
    case availabilityResponse(Result<NameAvailability, any Error>)
    case binding(BindingAction<State>)
    case cancelButtonTapped
    case delegate(Delegate)
    case emailChanged(String)
    case nameChanged(String)
    case nextButtonTapped
    case suggestionTapped(String)

    @CasePathable
    package enum Delegate: Equatable, Sendable { case completed }
  }

  private enum CancelID { case availability }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.dismiss) private var dismiss
  @Dependency(\.signUp) private var signUp

  package init() {}

  package var body: some ReducerOf<Self> {
    CombineReducers {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .availabilityResponse(.success(.available)):
          state.availability = .available
          return .none
        case .availabilityResponse(.success(.taken(let suggestions))):
          state.availability = .taken(suggestions: suggestions)
          return .none
        case .availabilityResponse(.failure):
          state.availability = .failed
          return .none
        case .cancelButtonTapped:
          return .run { _ in await dismiss() }
        case .emailChanged(let email):
          state.$draft.email.withLock { $0 = email.filter { !$0.isWhitespace } }
          return .none
        case .nameChanged(let name), .suggestionTapped(let name):
          state.$draft.withLock { $0.name = name.lowercased() }
          return .none
        case .nextButtonTapped:
          state.problems = state.foundProblems
          guard state.problems.isEmpty else {
            state.focus = state.problems.first?.field
            return .none
          }
          state.focus = nil
          state.$draft.withLock { [password = state.password] in $0.password = password }
          return .send(.delegate(.completed))
        case .binding, .delegate:
          return .none
        }
      }
      .onChange(of: \.draft.name) { _, state in
        checkName(&state)
      }
    }
    .onChange(of: \.foundProblems) { _, state in
      // A problem remains marked until it is fixed; new problems appear when the user taps the button.
      let found = state.foundProblems
      state.problems.removeAll { !found.contains($0) }
      return .none
    }
  }

  /// Checks whether the name is available after a pause in typing.
  private func checkName(_ state: inout State) -> Effect<Action> {
    guard state.draft.name.count >= 3 else {
      state.availability = .unknown
      return .cancel(id: CancelID.availability)
    }
    state.availability = .checking
    return .run(name: "availability", input: state.draft.name) { [name = state.draft.name] send in
      try await clock.sleep(for: .milliseconds(300))
      await send(.availabilityResponse(Result { try await signUp.availability(name: name) }))
    }
    .cancellable(id: CancelID.availability, cancelInFlight: true)
  }
}
