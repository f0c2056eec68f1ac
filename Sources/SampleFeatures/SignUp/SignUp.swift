package import TCACore

/// The registration of a library member: a stack of steps that fill in one draft.
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
    /// The draft that all steps share.
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

  /// Pushes the next step when one is complete.
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

/// The data that a new library member fills in, step by step.
@LogValue
package struct SignUpDraft: Equatable, Sendable {
  /// The name that other members see, which is unique.
  package var name = ""
  package var email = ""
  package var password = ""
  package var fullName = ""
  package var birthYear: Int?
  package var topics: Set<Topic.ID> = []

  package init(
    name: String = "",
    email: String = "",
    password: String = "",
    fullName: String = "",
    birthYear: Int? = nil,
    topics: Set<Topic.ID> = []
  ) {
    self.name = name
    self.email = email
    self.password = password
    self.fullName = fullName
    self.birthYear = birthYear
    self.topics = topics
  }

  /// The maximum number of topics that a member can follow.
  package static let topicLimit = 3
}

/// A reading topic.
@LogValue
package struct Topic: Equatable, Identifiable, Sendable {
  package let id: String
  package let title: String

  package init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// A member of the library.
@LogValue
package struct Member: Equatable, Sendable {
  package let number: Int
  package let name: String

  package init(number: Int, name: String) {
    self.number = number
    self.name = name
  }
}

extension SharedKey where Self == AppStorageKey<Bool>.Default {
  /// The setting for the newsletter.
  package static var wantsNewsletter: Self {
    Self[.appStorage("wantsNewsletter"), default: false]
  }
}

/// The availability of a name.
@CasePathable
package enum NameAvailability: Equatable, Sendable {
  case available
  /// The name is taken; the suggestions are available.
  case taken(suggestions: [String])
}

/// The reasons for which the library rejects a new member.
@LogValue
package enum SignUpError: Error, Equatable {
  case busy(retryAfter: Int)
  case emailInUse
  case nameTaken
  case offline
}

/// The client of the library.
@DependencyClient
package struct SignUpClient: Sendable {
  package var availability: @Sendable (_ name: String) async throws -> NameAvailability
  package var topics: @Sendable () async throws -> [Topic]
  package var submit: @Sendable (_ draft: SignUpDraft) async throws -> Member
}

extension SignUpClient: DependencyKey {
  package static let testValue = SignUpClient()

  /// A library in memory with fixed responses, in which Ada's name and email address are taken.
  package static let liveValue = SignUpClient(
    availability: { name in
      try await answer()
      guard name != "offline" else { throw SignUpError.offline }
      return name == "ada" ? .taken(suggestions: ["ada1", "ada-2"]) : .available
    },
    topics: {
      try await answer()
      return ["Art", "Gardens", "Machines", "Poems"].map { Topic(id: $0.lowercased(), title: $0) }
    },
    submit: { draft in
      try await answer()
      switch draft.email {
      case "ada@example.com": throw SignUpError.emailInUse
      case "busy@example.com": throw SignUpError.busy(retryAfter: 1)
      case "offline@example.com": throw SignUpError.offline
      default: return Member(number: 1843, name: draft.name)
      }
    }
  )

  private static func answer() async throws {
    @Dependency(\.continuousClock) var clock
    try await clock.sleep(for: .milliseconds(20))
  }
}

extension DependencyValues {
  /// The client of the library.
  package var signUp: SignUpClient {
    get { self[SignUpClient.self] }
    set { self[SignUpClient.self] = newValue }
  }
}
