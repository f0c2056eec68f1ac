import Foundation
import SampleFeatures
import TCACore
import Testing

private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

/// Sites, their visits and the findings.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct InspectionsTests {
  private let clock = TestClock()

  private func store(
    _ sites: [Site] = [],
    office: OfficeClient = OfficeClient(weather: { _ in "Dry" }, file: { _, _ in "R-1" })
  ) -> TestStoreOf<Inspections> {
    let state = Inspections.State()
    state.$sites.withLock { $0 = IdentifiedArray(uniqueElements: sites) }
    return TestStore(initialState: state) {
      Inspections()
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.date = .constant(now)
      $0.office = office
    }
  }

  private var mill: Site {
    var site = Site(id: UUID(100))
    site.name = "Mill"
    site.address = "Quay 1"
    site.checks = [Check(id: UUID(101), title: "Roof"), Check(id: UUID(102), title: "Doors")]
    return site
  }

  @Test func `a site from the form is added to the list`() async {
    let store = store()
    var draft = Site(id: UUID(0))
    draft.checks = [Check(id: UUID(1))]
    await store.send(.addButtonTapped) { [draft] in
      $0.destination = .add(SiteForm.State(site: draft))
    }
    await store.send(.destination(.presented(.add(.set(\.site.name, "Mill\n"))))) {
      $0.destination.modify(\.add) { $0.site.name = "Mill" }
    }
    await store.send(\.destination.add.submitted) {
      $0.destination.modify(\.add) { $0.focus = .address }
    }
    await store.send(\.destination.add.addCheckButtonTapped) {
      $0.destination.modify(\.add) {
        $0.site.checks.append(Check(id: UUID(2)))
        $0.focus = .check(UUID(2))
      }
    }
    await store.send(\.destination.add.deleteCheck, UUID(2)) {
      $0.destination.modify(\.add) {
        $0.site.checks.removeLast()
        $0.focus = nil
      }
    }
    await store.send(\.destination.add.saveButtonTapped) {
      $0.destination.modify(\.add) { $0.site.checks = [] }
    }
    var saved = Site(id: UUID(0))
    saved.name = "Mill"
    await store.receive(\.destination.add.delegate.saved, saved) { [saved] state in
      state.$sites.withLock { $0 = [saved] }
    }
    await store.receive(\.destination.dismiss) { $0.destination = nil }
    #expect(store.state.listed == [saved])
  }

  @Test func `a site without a name is not saved`() async {
    let store = store()
    store.exhaustivity = .off
    await store.send(.addButtonTapped)
    await store.send(\.destination.add.saveButtonTapped) {
      $0.destination.modify(\.add) { $0.focus = .name }
    }
    #expect(store.state.destination != nil)
  }

  @Test func `an edited site form is discarded only after a confirmation`() async {
    let store = store()
    store.exhaustivity = .off
    await store.send(.addButtonTapped)
    await store.send(.destination(.presented(.add(.set(\.site.name, "Mill")))))
    await store.send(\.destination.add.cancelButtonTapped)
    #expect(store.state.destination?.add?.discard != nil)
    await store.send(\.destination.add.discard.confirmed)
    await store.receive(\.destination.dismiss) { $0.destination = nil }
    #expect(store.state.sites.isEmpty)
  }

  @Test func `an unchanged site form closes without a confirmation`() async {
    let store = store()
    store.exhaustivity = .off
    await store.send(.addButtonTapped)
    await store.send(\.destination.add.cancelButtonTapped)
    await store.receive(\.destination.dismiss) { $0.destination = nil }
  }

  @Test func `the order of sites is a shared setting`() async {
    var bridge = Site(id: UUID(200))
    bridge.name = "Bridge"
    let store = store([mill, bridge])
    #expect(store.state.listed.map(\.name) == ["Mill", "Bridge"])
    store.exhaustivity = .off
    await store.send(.orderButtonTapped)
    await store.send(\.destination.order, .name) {
      $0.destination = nil
      $0.$order.withLock { $0 = .name }
    }
    #expect(store.state.listed.map(\.name) == ["Bridge", "Mill"])
  }

  @Test func `a finished visit is timed, graded and shown in a report`() async {
    let store = store([mill])
    store.exhaustivity = .off
    await store.send(.siteTapped(mill.id))
    await store.send(\.path[id: 0].site.startButtonTapped)
    await store.receive(\.path[id: 0].site.delegate.start)
    await store.send(\.path[id: 1].visit.task)
    await store.receive(\.path[id: 1].visit.weatherResponse) {
      $0.path[id: 1]?.modify(\.visit) { $0.weather = "Dry" }
    }
    await clock.advance(by: .seconds(2))
    await store.receive(\.path[id: 1].visit.ticked) {
      $0.path[id: 1]?.modify(\.visit) { $0.seconds = 1 }
    }
    await store.receive(\.path[id: 1].visit.ticked) {
      $0.path[id: 1]?.modify(\.visit) { $0.seconds = 2 }
    }
    await store.send(\.path[id: 1].visit.pauseButtonTapped)
    await clock.advance(by: .seconds(5))
    await store.send(\.path[id: 1].visit.rows[id: UUID(101)].gradeTapped, .poor)
    await store.receive(\.path[id: 1].visit.rows[id: UUID(101)].delegate.isPoor) {
      $0.path[id: 1]?.modify(\.visit) { $0.warnings = 1 }
    }
    await store.send(\.path[id: 1].visit.rows[id: UUID(101)].binding.note, "Leaks")
    await store.send(\.path[id: 1].visit.finishButtonTapped) {
      $0.path[id: 1]?.modify(\.visit) { $0.alert = .unfinished(1) }
    }
    await store.send(\.path[id: 1].visit.alert.finishAnyway)
    let visit = Visit(
      id: UUID(0),
      date: now,
      seconds: 2,
      weather: "Dry",
      findings: [
        Finding(title: "Roof", grade: .poor, note: "Leaks"),
        Finding(title: "Doors", grade: nil, note: ""),
      ]
    )
    await store.receive(\.path[id: 1].visit.delegate.finished, visit)
    #expect(Array(store.state.path.ids) == [0, 2])
    #expect(store.state.path[id: 2]?.report?.visit == visit)
    #expect(store.state.sites[id: mill.id]?.visits == [visit])
    #expect(store.state.path[id: 0]?.site?.site.visits == [visit])
  }

  @Test func `leaving a visit ends its timers`() async {
    let store = store([mill])
    store.exhaustivity = .off
    await store.send(.siteTapped(mill.id))
    await store.send(\.path[id: 0].site.startButtonTapped)
    await store.receive(\.path[id: 0].site.delegate.start)
    await store.send(\.path[id: 1].visit.task)
    await store.receive(\.path[id: 1].visit.weatherResponse)
    await store.send(\.path[id: 1].visit.rows[id: UUID(102)].lookButtonTapped)
    await store.send(\.path[id: 1].visit.leaveButtonTapped)
    await store.send(\.path[id: 1].visit.alert.leave)
    await store.receive(\.path.popFrom)
    #expect(Array(store.state.path.ids) == [0])
    await clock.advance(by: .seconds(9))
    #expect(store.state.sites[id: mill.id]?.visits == [])
    await store.send(\.path.popFrom, 0)
    await store.finish()
  }

  @Test func `the timers of a visit's rows continue when the rows are reordered`() async {
    let store = store([mill])
    store.exhaustivity = .off
    await store.send(.siteTapped(mill.id))
    await store.send(\.path[id: 0].site.startButtonTapped)
    await store.receive(\.path[id: 0].site.delegate.start)
    await store.send(\.path[id: 1].visit.rows[id: UUID(101)].lookButtonTapped)
    await store.send(\.path[id: 1].visit.moved, (from: 0, to: 2))
    await clock.advance(by: .seconds(1))
    await store.receive(\.path[id: 1].visit.rows[id: UUID(101)].ticked)
    #expect(store.state.path[id: 1]?.visit?.rows.map(\.secondsLooked) == [0, 1])
    await store.send(\.path[id: 1].visit.rows[id: UUID(101)].lookButtonTapped)
    await store.send(\.path.popFrom, 0)
    await store.finish()
  }

  @Test func `deleting a site from its screen removes it and pops the screen`() async {
    let store = store([mill])
    store.exhaustivity = .off
    await store.send(.siteTapped(mill.id))
    await store.send(\.path[id: 0].site.deleteButtonTapped) {
      $0.path[id: 0]?.modify(\.site) { $0.destination = .alert(.delete("Mill")) }
    }
    await store.send(\.path[id: 0].site.destination.alert.deleteConfirmed)
    await store.receive(\.path[id: 0].site.delegate.delete, mill.id)
    await store.receive(\.path.popFrom, 0)
    #expect(store.state.path.isEmpty)
    #expect(store.state.sites.isEmpty)
  }

  @Test func `an edited site is the same in the list and on its screen`() async {
    let store = store([mill])
    store.exhaustivity = .off
    await store.send(.siteTapped(mill.id))
    await store.send(\.path[id: 0].site.editButtonTapped)
    await store.send(
      .path(
        .element(
          id: 0,
          action: .site(.destination(.presented(.edit(.set(\.site.name, "Old mill")))))
        )
      )
    )
    await store.send(\.path[id: 0].site.destination.edit.saveButtonTapped)
    await store.receive(\.path[id: 0].site.destination.edit.delegate.saved)
    await store.receive(\.path[id: 0].site.destination.dismiss)
    #expect(store.state.sites.map(\.name) == ["Old mill"])
    #expect(store.state.path[id: 0]?.site?.site.name == "Old mill")
  }

  private var visited: Site {
    var site = mill
    site.visits = [
      Visit(id: UUID(300), date: now, seconds: 1, weather: nil, findings: [])
    ]
    return site
  }

  private func report(_ store: TestStoreOf<Inspections>) async {
    store.exhaustivity = .off
    await store.send(.siteTapped(mill.id))
    await store.send(\.path[id: 0].site.visitTapped, UUID(300))
    await store.receive(\.path[id: 0].site.delegate.show)
  }

  @Test func `a filed report keeps its receipt and is not filed again`() async {
    let store = store([visited])
    await report(store)
    await store.send(\.path[id: 1].report.fileButtonTapped)
    await store.receive(\.path[id: 1].report.filed.success, "R-1")
    #expect(store.state.sites[id: mill.id]?.visits.first?.receipt == "R-1")
    await store.send(\.path[id: 1].report.fileButtonTapped)
    #expect(store.state.path[id: 1]?.report?.isFiling == false)
  }

  @Test(
    arguments: [
      (OfficeError.offline, ["Try again", "OK"]), (.ungraded(["Roof"]), ["OK"]),
    ]
  )
  func `the alert for a failed report offers to try again only when the device is offline`(
    error: OfficeError,
    buttons: [String]
  ) async {
    let store = store(
      [visited],
      office: OfficeClient(weather: { _ in "" }, file: { _, _ in throw error })
    )
    await report(store)
    await store.send(\.path[id: 1].report.fileButtonTapped)
    await store.receive(\.path[id: 1].report.filed.failure)
    let alert = store.state.path[id: 1]?.report?.alert
    #expect(alert?.buttons.map { String(state: $0.label) } == buttons)
  }

  @Test func `filing a report can be canceled`() async {
    let store = store(
      [visited],
      office: OfficeClient(
        weather: { _ in "" },
        file: { _, _ in try await Task.never() }
      )
    )
    await report(store)
    await store.send(\.path[id: 1].report.fileButtonTapped)
    await store.send(\.path[id: 1].report.cancelButtonTapped)
    await store.send(\.path.popFrom, 0)
    await store.finish()
  }
}
