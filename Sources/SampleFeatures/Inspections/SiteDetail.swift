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
