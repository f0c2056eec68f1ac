package import Foundation
package import TCACore

/// An app for site inspectors: a list of sites with a navigation stack.
@Reducer
package struct Inspections: Sendable {
  @Reducer
  package enum Path {
    case site(SiteDetail)
    case visit(VisitRecorder)
    case report(VisitReport)
  }

  @Reducer
  package enum Destination {
    case add(SiteForm)
    case order(ConfirmationDialogState<SiteOrder>)
  }

  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared(.sites) package var sites
    @Shared(.siteOrder) package var order
    package var path = StackState<Path.State>()
    @Presents package var destination: Destination.State?

    package init(path: StackState<Path.State> = StackState()) {
      self.path = path
    }

    /// The sites in the selected order.
    package var listed: [Site] {
      switch order {
      case .added: Array(sites)
      case .name: sites.sorted { $0.name < $1.name }
      case .lastVisit:
        sites.sorted {
          ($0.visits.first?.date ?? .distantPast) > ($1.visits.first?.date ?? .distantPast)
        }
      }
    }
  }

  package enum Action: Sendable {
    case addButtonTapped
    case deleteSwiped(Site.ID)
    case destination(PresentationAction<Destination.Action>)
    case orderButtonTapped
    case path(StackActionOf<Path>)
    case siteTapped(Site.ID)
  }

  @Dependency(\.uuid) private var uuid

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        let site = Site(id: uuid(), checks: [Check(id: uuid())])
        state.destination = .add(SiteForm.State(site: site))
        return .none
      case .deleteSwiped(let id):
        state.$sites.withLock { _ = $0.remove(id: id) }
        return .none
      case .destination(.presented(.add(.delegate(.saved(let site))))):
        state.$sites.withLock { _ = $0.append(site) }
        return .none
      case .destination(.presented(.order(let order))):
        state.$order.withLock { $0 = order }
        return .none
      case .orderButtonTapped:
        state.destination = .order(.order)
        return .none
      case .path(.element(let id, .site(.delegate(let delegate)))):
        return screen(id, &state, delegate)
      case .path(.element(let id, .visit(.delegate(.finished(let visit))))):
        return finished(visit, id, &state)
      case .siteTapped(let id):
        guard let site = Shared(state.$sites[id: id]) else { return .none }
        state.path.append(.site(SiteDetail.State(site: site)))
        return .none
      case .destination, .path:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
  }

  /// Handles the delegate actions of a site's screen.
  private func screen(
    _ id: StackElementID,
    _ state: inout State,
    _ delegate: SiteDetail.Action.Delegate
  ) -> Effect<Action> {
    switch delegate {
    case .delete(let id):
      state.$sites.withLock { _ = $0.remove(id: id) }
    case .show(let visitID):
      guard
        let detail = state.path[id: id]?.site,
        let visit = Shared(detail.$site.visits[id: visitID])
      else { return .none }
      state.path.append(.report(VisitReport.State(visit: visit, siteName: detail.site.name)))
    case .start:
      guard let site = state.path[id: id]?.site?.$site else { return .none }
      state.path.append(.visit(VisitRecorder.State(site: site)))
    }
    return .none
  }

  /// Stores a finished visit and replaces its screen by the report.
  private func finished(
    _ visit: Visit,
    _ id: StackElementID,
    _ state: inout State
  ) -> Effect<Action> {
    guard let recorder = state.path[id: id]?.visit else { return .none }
    recorder.$site.withLock { _ = $0.visits.insert(visit, at: 0) }
    state.path[id: id] = nil
    guard let shared = Shared(recorder.$site.visits[id: visit.id]) else { return .none }
    state.path.append(
      .report(VisitReport.State(visit: shared, siteName: recorder.site.name))
    )
    return .none
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
      ButtonState(action: order) { TextState(order.rawValue) }
    }
  }
}

/// The client of the office, which provides the weather and accepts reports.
@DependencyClient
package struct OfficeClient: Sendable {
  /// Returns the weather at an address.
  package var weather: @Sendable (_ address: String) async throws -> String
  /// Files a report and returns its number.
  package var file: @Sendable (_ visit: Visit, _ site: String) async throws -> String
}

/// The reasons for which the office rejects a report.
@LogValue
package enum OfficeError: Error, Equatable {
  case offline
  /// Some checks have no grade; the payload lists them.
  case ungraded([String])
}

extension OfficeClient: TestDependencyKey {
  package static let testValue = OfficeClient()
}

extension OfficeClient: DependencyKey {
  /// An office in memory, without a server.
  package static let liveValue = OfficeClient(
    weather: { address in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: .milliseconds(20))
      if address.isEmpty { throw OfficeError.offline }
      return address.count.isMultiple(of: 2) ? "Dry" : "Rain"
    },
    file: { visit, site in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: .milliseconds(20))
      let ungraded = visit.findings.filter { $0.grade == nil }.map(\.title)
      guard ungraded.isEmpty else { throw OfficeError.ungraded(ungraded) }
      return "\(site.uppercased())-\(visit.findings.count)"
    }
  )
}

extension DependencyValues {
  /// The client of the office.
  package var office: OfficeClient {
    get { self[OfficeClient.self] }
    set { self[OfficeClient.self] = newValue }
  }
}
