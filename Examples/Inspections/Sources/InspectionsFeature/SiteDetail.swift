import TCACore

/// The screen of a site.
@Reducer
package struct SiteDetail: Sendable {
  @CasePathable
  package enum Alert: Equatable, Sendable { case deleteConfirmed }

  @ObservableState
  package struct State: Equatable, Sendable {
    package var site: Site
    @Presents package var alert: AlertState<Alert>?

    package init(site: Site) { self.site = site }
  }

  package enum Action: Sendable {
    case alert(PresentationAction<Alert>)
    case delegate(Delegate)
    case deleteButtonTapped
    case nameChanged(String)
    case visitButtonTapped

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case deleted
      case renamed
      case visitStarted
    }
  }

  @Dependency(\.dismiss) private var dismiss

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .alert(.presented(.deleteConfirmed)):
        return .run(name: "delete") { send in
          await send(.delegate(.deleted), animation: .default)
          await dismiss()
        }
      case .deleteButtonTapped:
        state.alert = .delete(state.site.name)
        return .none
      case .nameChanged(let name):
        state.site.name = name
        return .send(.delegate(.renamed))
      case .visitButtonTapped:
        return .send(.delegate(.visitStarted))
      case .alert, .delegate:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }
}

extension AlertState where Action == SiteDetail.Alert {
  /// Returns an alert that confirms the deletion of a site.
  package static func delete(_ name: String) -> Self {
    Self {
      TextState("Delete ") + TextState(verbatim: name) + TextState("?")
    } actions: {
      ButtonState(role: .cancel) { TextState("Keep") }
      ButtonState(role: .destructive, action: .deleteConfirmed) { TextState("Delete") }
    } message: {
      TextState("Its visits are deleted too.")
    }
  }
}
