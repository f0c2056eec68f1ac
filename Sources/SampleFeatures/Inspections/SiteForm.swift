package import TCACore

/// A sheet in which a site is written down or changed.
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

  /// What has the keyboard.
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
        // A name is one line.
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
