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

/// What someone fills in, step by step, to become a member of the library.
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

  /// How many topics a member can follow.
  package static let topicLimit = 3
}

/// Something that members read about.
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
  /// Whether members get the newsletter, a setting.
  package static var wantsNewsletter: Self {
    Self[.appStorage("wantsNewsletter"), default: false]
  }
}

/// Whether a name can still be had.
@CasePathable
package enum NameAvailability: Equatable, Sendable {
  case available
  /// Another member has it; these are free.
  case taken(suggestions: [String])
}

/// Why the library did not take a new member.
@LogValue
package enum SignUpError: Error, Equatable {
  case busy(retryAfter: Int)
  case emailInUse
  case nameTaken
  case offline
}

/// The library that takes members.
@DependencyClient
package struct SignUpClient: Sendable {
  package var availability: @Sendable (_ name: String) async throws -> NameAvailability
  package var topics: @Sendable () async throws -> [Topic]
  package var submit: @Sendable (_ draft: SignUpDraft) async throws -> Member
}

extension SignUpClient: DependencyKey {
  package static let testValue = SignUpClient()

  /// A library that is part of the code: Ada is a member already, and it is closed to years that are yet to come.
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
  /// The library that takes members.
  package var signUp: SignUpClient {
    get { self[SignUpClient.self] }
    set { self[SignUpClient.self] = newValue }
  }
}
