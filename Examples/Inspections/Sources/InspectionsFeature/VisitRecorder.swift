import TCACore

/// The screen for a visit, with a stopwatch and a grade.
@Reducer
package struct VisitRecorder: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    package let site: Site
    package var seconds = 0
    package var grade = Grade.good

    package init(site: Site) { self.site = site }
  }

  package enum Action: Sendable {
    case appeared
    case delegate(Delegate)
    case finishButtonTapped
    case gradePicked(Grade)
    case ticked

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case finished(Visit, site: Site.ID)
    }
  }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.date.now) private var now
  @Dependency(\.dismiss) private var dismiss
  @Dependency(\.uuid) private var uuid

  private enum CancelID { case watch }

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .appeared:
        return .run(name: "watch") { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
        }
        .cancellable(id: CancelID.watch, cancelInFlight: true)
      case .finishButtonTapped:
        var visit = Visit(id: uuid(), date: now)
        visit.seconds = state.seconds
        visit.grade = state.grade
        return .run(name: "finish") { [visit, site = state.site.id] send in
          await send(.delegate(.finished(visit, site: site)))
          await dismiss()
        }
      case .gradePicked(let grade):
        state.grade = grade
        return .none
      case .ticked:
        state.seconds += 1
        return .none
      case .delegate:
        return .none
      }
    }
  }
}
