package import TCACore

/// The step that asks for the member's reading topics.
@Reducer
package struct TopicsStep: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared package var draft: SignUpDraft
    @Shared(.wantsNewsletter) package var wantsNewsletter
    package var topics: Loading = .notLoaded
    @Presents package var alert: AlertState<Action.Alert>?

    package init(draft: Shared<SignUpDraft>) {
      _draft = draft
    }
  }

  /// The progress of loading the topics.
  @CasePathable
  @dynamicMemberLookup
  package enum Loading: Equatable, Sendable {
    case notLoaded
    case loading
    case loaded(IdentifiedArrayOf<Topic>)
  }

  package enum Action: Sendable {
    case alert(PresentationAction<Alert>)
    case cancelButtonTapped
    case delegate(Delegate)
    case newsletterToggled
    case nextButtonTapped
    case task
    case topicTapped(Topic.ID)
    case topicsResponse(Result<[Topic], any Error>)

    @CasePathable
    package enum Alert: Equatable, Sendable { case skip, tryAgain }

    @CasePathable
    package enum Delegate: Equatable, Sendable { case completed }
  }

  @Dependency(\.dismiss) private var dismiss
  @Dependency(\.signUp) private var signUp

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .alert(.presented(.skip)):
        state.$draft.withLock { $0.topics = [] }
        return .send(.delegate(.completed))
      case .alert(.presented(.tryAgain)):
        return load(&state)
      case .cancelButtonTapped:
        return .run { _ in await dismiss() }
      case .newsletterToggled:
        state.$wantsNewsletter.withLock { $0.toggle() }
        return .none
      case .nextButtonTapped:
        guard !state.draft.topics.isEmpty else {
          state.alert = .nothingChosen
          return .none
        }
        return .send(.delegate(.completed))
      case .task:
        guard state.topics.is(\.notLoaded) else { return .none }
        return load(&state)
      case .topicTapped(let id):
        return toggle(id, &state)
      case .topicsResponse(.success(let topics)):
        state.topics = .loaded(IdentifiedArray(uniqueElements: topics))
        return .none
      case .topicsResponse(.failure):
        state.topics = .notLoaded
        state.alert = .notLoaded
        return .none
      case .alert, .delegate:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }

  private func load(_ state: inout State) -> Effect<Action> {
    state.topics = .loading
    return .run(name: "topics") { send in
      await send(.topicsResponse(Result { try await signUp.topics() }))
    }
  }

  private func toggle(_ id: Topic.ID, _ state: inout State) -> Effect<Action> {
    guard state.topics.loaded?[id: id] != nil else { return .none }
    guard state.draft.topics.contains(id) || state.draft.topics.count < SignUpDraft.topicLimit
    else {
      state.alert = .tooMany
      return .none
    }
    state.$draft.topics.withLock { $0.formSymmetricDifference([id]) }
    return .none
  }
}

extension AlertState where Action == TopicsStep.Action.Alert {
  package static let notLoaded = Self {
    TextState("The topics could not be loaded")
  } actions: {
    ButtonState(action: .tryAgain) { TextState("Try again") }
    ButtonState(role: .cancel, action: .skip) { TextState("Skip this step") }
  }

  package static let nothingChosen = Self {
    TextState("Nothing chosen")
  } actions: {
    ButtonState(role: .cancel) { TextState("Choose") }
    ButtonState(action: .skip) { TextState("Skip this step") }
  }

  package static let tooMany = Self {
    TextState("Up to \(SignUpDraft.topicLimit) topics can be followed")
  }
}
