package import TCACore

/// The screen of a site.
@Reducer
package struct SiteDetail: Sendable {
  @Reducer
  package enum Destination {
    case alert(AlertState<SiteDetail.Alert>)
    case edit(SiteForm)
  }

  @CasePathable
  package enum Alert: Equatable, Sendable { case deleteConfirmed }

  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared package var site: Site
    @Presents package var destination: Destination.State?

    package init(site: Shared<Site>) {
      _site = site
    }
  }

  package enum Action: Sendable {
    case delegate(Delegate)
    case deleteButtonTapped
    case deleteVisit(Visit.ID)
    case destination(PresentationAction<Destination.Action>)
    case editButtonTapped
    case startButtonTapped
    case visitTapped(Visit.ID)

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case delete(Site.ID)
      case show(Visit.ID)
      case start
    }
  }

  @Dependency(\.dismiss) private var dismiss

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .deleteButtonTapped:
        state.destination = .alert(.delete(state.site.name))
        return .none
      case .deleteVisit(let id):
        state.$site.withLock { _ = $0.visits.remove(id: id) }
        return .none
      case .destination(.presented(.alert(.deleteConfirmed))):
        return .run { [id = state.site.id] send in
          await send(.delegate(.delete(id)))
          await dismiss()
        }
      case .destination(.presented(.edit(.delegate(.saved(let site))))):
        state.$site.withLock { $0 = site }
        return .none
      case .editButtonTapped:
        state.destination = .edit(SiteForm.State(site: state.site))
        return .none
      case .startButtonTapped:
        return .send(.delegate(.start))
      case .visitTapped(let id):
        return .send(.delegate(.show(id)))
      case .delegate, .destination:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension SiteDetail.Destination.State: Equatable, Sendable {}
extension SiteDetail.Destination.Action: Sendable {}

extension AlertState where Action == SiteDetail.Alert {
  package static func delete(_ name: String) -> Self {
    Self {
      TextState("Delete ") + TextState(verbatim: name) + TextState("?")
    } actions: {
      ButtonState(role: .destructive, action: .deleteConfirmed) { TextState("Delete") }
    } message: {
      TextState("Its visits are deleted too.")
    }
  }
}

/// A sheet that adds or edits a site.
@Reducer
package struct SiteForm: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    package var site: Site
    package var focus: Field?
    package let original: Site
    @Presents package var discard: ConfirmationDialogState<Action.Discard>?

    package init(site: Site, focus: Field? = .name) {
      self.site = site
      self.focus = focus
      original = site
    }
  }

  /// The field with the keyboard focus.
  @LogValue
  package enum Field: Hashable, Sendable {
    case name, address
    case check(Check.ID)
  }

  package enum Action: BindableAction, Sendable {
    case addCheckButtonTapped
    case binding(BindingAction<State>)
    case cancelButtonTapped
    case delegate(Delegate)
    case deleteCheck(Check.ID)
    case discard(PresentationAction<Discard>)
    case saveButtonTapped
    case submitted

    @CasePathable
    package enum Discard: Equatable, Sendable { case confirmed }

    @CasePathable
    package enum Delegate: Equatable, Sendable { case saved(Site) }
  }

  @Dependency(\.dismiss) private var dismiss
  @Dependency(\.uuid) private var uuid

  package var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.site.name) { _, state in
        // A name has a single line.
        state.site.name.removeAll(where: \.isNewline)
        return .none
      }
    Reduce { state, action in
      switch action {
      case .addCheckButtonTapped:
        let check = Check(id: uuid())
        state.site.checks.append(check)
        state.focus = .check(check.id)
        return .none
      case .cancelButtonTapped:
        guard state.site != state.original else { return .run { _ in await dismiss() } }
        state.discard = .discard
        return .none
      case .deleteCheck(let id):
        state.site.checks.removeAll { $0.id == id }
        if state.focus == .check(id) { state.focus = nil }
        return .none
      case .discard(.presented(.confirmed)):
        return .run { _ in await dismiss() }
      case .saveButtonTapped:
        guard !state.site.name.isEmpty else {
          state.focus = .name
          return .none
        }
        state.site.checks.removeAll(where: \.title.isEmpty)
        return .run { [site = state.site] send in
          await send(.delegate(.saved(site)))
          await dismiss()
        }
      case .submitted:
        state.focus = state.focus == .name ? .address : nil
        return .none
      case .binding, .delegate, .discard:
        return .none
      }
    }
    .ifLet(\.$discard, action: \.discard)
  }
}

extension ConfirmationDialogState where Action == SiteForm.Action.Discard {
  fileprivate static let discard = Self {
    TextState("Discard changes?")
  } actions: {
    ButtonState(role: .destructive, action: .confirmed) { TextState("Discard") }
    ButtonState(role: .cancel) { TextState("Keep editing") }
  }
}
