import Foundation
import InspectionsFeature
import InspectionsSession
import TCACore
import TCAReplaying
import TCATesting
import Testing

/// Tests of the features.
@MainActor
@Suite struct InspectionsTests {
  @Test func aSiteIsAdded() async {
    let store = TestStore(initialState: Inspections.State()) {
      Inspections()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    await store.send(.addButtonTapped) {
      $0.destination = .add(SiteForm.State(site: Site(id: UUID(0))))
    }
    await store.send(\.destination.add.view.binding.site.name, "Bridge") {
      $0.destination?.modify(\.add) { $0.site.name = "Bridge" }
    }
    await store.send(\.destination.add.view.saveButtonTapped)
    await store.receive(\.destination.add.delegate.saved) {
      $0.sites = [Site(id: UUID(0), name: "Bridge")]
    }
    await store.receive(\.destination.dismiss) {
      $0.destination = nil
    }
  }

  @Test func aVisitIsMade() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: Inspections.State(sites: [Site(id: UUID(7), name: "Bridge")])
    ) {
      Inspections()
    } withDependencies: {
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSince1970: 0))
      $0.continuousClock = clock
    }
    store.exhaustivity = .off
    await store.send(\.path.push, (id: 0, .site(SiteDetail.State(site: store.state.sites[0]))))
    await store.send(\.path[id: 0].site.visitButtonTapped)
    await store.receive(\.path[id: 0].site.delegate.visitStarted)
    await store.send(\.path[id: 1].visit.appeared)
    await clock.advance(by: .seconds(2))
    await store.send(\.path[id: 1].visit.gradePicked, .poor)
    await store.send(\.path[id: 1].visit.finishButtonTapped)
    await store.receive(\.path.popFrom)
    var visit = Visit(id: UUID(0), date: Date(timeIntervalSince1970: 0))
    visit.seconds = 2
    visit.grade = .poor
    #expect(store.state.sites[0].visits == [visit])
    #expect(store.state.path[id: 0]?.site?.site.visits == [visit])
    #expect(store.state.path.count == 1)
  }
}

/// Tests of the debug menu.
@MainActor
@Suite struct InspectionsSessionTests {
  @Test func aSharedLogOpensAtAnyAction() async throws {
    let folder = try Folder()
    let clock = TestClock()
    let session = session(in: folder, clock)
    await tap(session.store)
    let log = try session.exportLog()
    #expect(session.store.path.count == 2)

    withDependencies {
      $0.continuousClock = clock
    } operation: {
      session.open(log, through: 2)
    }
    #expect(session.message == nil)
    #expect(session.store.destination?.add?.site.name == "Bridge")
    #expect(session.store.sites.isEmpty)
    #expect(session.store.path.isEmpty)

    withDependencies {
      $0.continuousClock = clock
    } operation: {
      session.open(log)
    }
    #expect(session.store.path.count == 2)
    #expect(session.store.sites.map(\.name) == ["Bridge"])
    // The stopwatch continues.
    #expect(session.restored.count == 1)
    #expect(session.restored.first?.contains("'watch'") == true)
    #expect(session.restored.first?.hasSuffix("restarted by an action") == true)
    session.store.send(.path(.popFrom(id: 0)))
  }

  @Test func aLogThatDoesNotHaveTheActionSaysSo() async throws {
    let folder = try Folder()
    let session = session(in: folder, TestClock())
    session.store.send(.orderButtonTapped)
    let log = try session.exportLog()
    let store = session.store
    session.open(log, through: 99)
    #expect(
      session.message == "the log has no state after action 99; choose an action from 0 to 1"
    )
    #expect(session.store === store)
  }

  @Test func theLogReplays() async throws {
    let folder = try Folder()
    let session = session(in: folder, TestClock())
    await tap(session.store)
    let log = try session.exportLog()
    try await expectReplay(of: log) {
      Inspections()
    } initialState: {
      Inspections.State()
    }
  }

  private func session(in folder: Folder, _ clock: TestClock<Duration>) -> InspectionsSession {
    InspectionsSession(folder: folder.url) {
      $0.uuid = .incrementing
      $0.continuousClock = clock
    }
  }

  /// Sends the actions of a user: a new site, its screen, and the start of a visit.
  private func tap(_ store: StoreOf<Inspections>) async {
    store.send(.addButtonTapped)
    store.send(.destination(.presented(.add(.view(.binding(.set(\.site.name, "Bridge")))))))
    await store.send(.destination(.presented(.add(.view(.saveButtonTapped))))).finish()
    store.send(.path(.push(id: 0, state: .site(SiteDetail.State(site: store.sites[0])))))
    store.send(.path(.element(id: 0, action: .site(.visitButtonTapped))))
    store.send(.path(.element(id: 1, action: .visit(.appeared))))
  }
}

/// A folder that is removed after its test.
private final class Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(component: "inspections-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
