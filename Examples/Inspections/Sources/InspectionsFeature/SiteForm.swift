import TCACore

/// The form for a new site.
@Reducer
package struct SiteForm: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    package var site: Site

    package init(site: Site) { self.site = site }

    /// Whether the form contains enough data to save.
    package var isComplete: Bool { !site.name.isEmpty }
  }

  package enum Action: ViewAction, Sendable {
    case delegate(Delegate)
    case view(View)

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case saved(Site)
    }

    @CasePathable
    package enum View: BindableAction, Sendable {
      case binding(BindingAction<State>)
      case cancelButtonTapped
      case saveButtonTapped
    }
  }

  @Dependency(\.dismiss) private var dismiss

  package init() {}

  package var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .view(.saveButtonTapped):
        return .run(name: "save") { [site = state.site] send in
          await send(.delegate(.saved(site)))
          await dismiss()
        }
      case .view(.cancelButtonTapped):
        return .run(name: "cancel") { _ in await dismiss() }
      case .delegate, .view:
        return .none
      }
    }
  }
}
