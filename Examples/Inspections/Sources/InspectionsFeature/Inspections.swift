import Foundation
import TCACore

/// The inspected sites, and a stack of screens above them.
@Reducer
package struct Inspections: Sendable {
  /// The screens of the stack.
  @Reducer
  package enum Path {
    case site(SiteDetail)
    case visit(VisitRecorder)
  }

  /// The features that are presented above the list.
  @Reducer
  package enum Destination {
    case add(SiteForm)
    case order(ConfirmationDialogState<SiteOrder>)
  }

  @ObservableState
  package struct State: Equatable, Sendable {
    package var sites: IdentifiedArrayOf<Site> = []
    package var order = SiteOrder.added
    package var search = ""
    package var path = StackState<Path.State>()
    @Presents package var destination: Destination.State?

    package init(sites: IdentifiedArrayOf<Site> = []) { self.sites = sites }

    /// The sites that match the search, in the selected order.
    package var listed: [Site] {
      let found = sites.filter { search.isEmpty || $0.name.contains(search) }
      return switch order {
      case .added: Array(found)
      case .name: found.sorted { $0.name < $1.name }
      case .visits: found.sorted { $0.visits.count > $1.visits.count }
      }
    }
  }

  package enum Action: BindableAction, Sendable {
    case addButtonTapped
    case binding(BindingAction<State>)
    case deleteSwiped(Site.ID)
    case destination(PresentationAction<Destination.Action>)
    case orderButtonTapped
    case path(StackActionOf<Path>)
  }

  @Dependency(\.uuid) private var uuid

  package init() {}

  package var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        state.destination = .add(SiteForm.State(site: Site(id: uuid())))
      case .deleteSwiped(let id):
        state.sites.remove(id: id)
      case .destination(.presented(.add(.delegate(.saved(let site))))):
        state.sites.append(site)
      case .destination(.presented(.order(let order))):
        state.order = order
      case .orderButtonTapped:
        state.destination = .order(.order)
      case .path(.element(let id, .site(.delegate(let delegate)))):
        handle(delegate, of: id, &state)
      case .path(.element(_, .visit(.delegate(.finished(let visit, let site))))):
        state.sites[id: site]?.visits.insert(visit, at: 0)
        for id in state.path.ids where state.path[id: id]?.site?.site.id == site {
          state.path[id: id]?.modify(\.site) { $0.site.visits.insert(visit, at: 0) }
        }
      case .binding, .destination, .path:
        break
      }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
  }

  /// Handles an action of a site's screen.
  private func handle(
    _ delegate: SiteDetail.Action.Delegate,
    of id: StackElementID,
    _ state: inout State
  ) {
    guard let site = state.path[id: id]?.site?.site else { return }
    switch delegate {
    case .deleted: state.sites.remove(id: site.id)
    case .renamed: state.sites[id: site.id]?.name = site.name
    case .visitStarted: state.path.append(.visit(VisitRecorder.State(site: site)))
    }
  }
}

extension Inspections.Path.State: Equatable, Sendable {}
extension Inspections.Path.Action: Sendable {}
extension Inspections.Destination.State: Equatable, Sendable {}
extension Inspections.Destination.Action: Sendable {}

extension ConfirmationDialogState where Action == SiteOrder {
  fileprivate static let order = Self(titleVisibility: .visible) {
    TextState("Order")
  } actions: {
    for order in SiteOrder.allCases {
      ButtonState(action: .send(order, animation: .default)) { TextState(order.rawValue) }
    }
  }
}

/// A site that is inspected occasionally.
@LogValue
package struct Site: Equatable, Identifiable, Sendable {
  package let id: UUID
  package var name = ""
  /// The visits in reverse chronological order.
  package var visits: IdentifiedArrayOf<Visit> = []

  package init(id: UUID, name: String = "") {
    self.id = id
    self.name = name
  }
}

/// The findings of one day.
@LogValue
package struct Visit: Equatable, Identifiable, Sendable {
  package let id: UUID
  package var date: Date
  package var seconds = 0
  package var grade = Grade.good

  package init(id: UUID, date: Date) {
    self.id = id
    self.date = date
  }
}

/// A grade.
@LogValue
package enum Grade: String, CaseIterable, Identifiable, Sendable {
  case good, fair, poor

  package var id: Self { self }
}

/// The order of the sites.
@LogValue
package enum SiteOrder: String, CaseIterable, Sendable {
  case added, name, visits
}
