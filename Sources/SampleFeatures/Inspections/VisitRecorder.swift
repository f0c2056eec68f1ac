package import TCACore

/// The screen of a visit in progress.
@Reducer
package struct VisitRecorder: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared package var site: Site
    package var rows: IdentifiedArrayOf<CheckRow.State>
    package var seconds = 0
    package var isPaused = false
    package var weather: String?
    /// The number of checks that have ever been graded as poor during this visit.
    package var warnings = 0
    @Presents package var alert: AlertState<Action.Alert>?

    package init(site: Shared<Site>) {
      _site = site
      rows = IdentifiedArray(
        uniqueElements: site.wrappedValue.checks.map { CheckRow.State(id: $0.id, title: $0.title) }
      )
    }
  }

  package enum Action: Sendable {
    case alert(PresentationAction<Alert>)
    case delegate(Delegate)
    case finishButtonTapped
    case leaveButtonTapped
    case moved(from: Int, to: Int)
    case pauseButtonTapped
    case rows(IdentifiedActionOf<CheckRow>)
    case task
    case ticked
    case weatherResponse(Result<String, any Error>)

    @CasePathable
    package enum Alert: Equatable, Sendable { case finishAnyway, leave }

    @CasePathable
    package enum Delegate: Equatable, Sendable { case finished(Visit) }
  }

  private enum CancelID { case timer, weather }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.date.now) private var now
  @Dependency(\.dismiss) private var dismiss
  @Dependency(\.office) private var office
  @Dependency(\.uuid) private var uuid

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .alert(.presented(.finishAnyway)):
        return finish(state)
      case .alert(.presented(.leave)):
        return .run { _ in await dismiss() }
      case .finishButtonTapped:
        let open = state.rows.filter { $0.grade == nil }.count
        guard open == 0 else {
          state.alert = .unfinished(open)
          return .none
        }
        return finish(state)
      case .leaveButtonTapped:
        state.alert = .leave
        return .none
      case .moved(let source, let destination):
        guard state.rows.indices.contains(source), (0...state.rows.count).contains(destination)
        else { return .none }
        state.rows.move(fromOffsets: [source], toOffset: destination)
        return .none
      case .pauseButtonTapped:
        state.isPaused.toggle()
        return state.isPaused ? .cancel(id: CancelID.timer) : tick()
      case .rows(.element(_, .delegate(.isPoor))):
        state.warnings += 1
        return .none
      case .task:
        return .merge(tick(), loadWeather(state))
      case .ticked:
        state.seconds += 1
        return .none
      case .weatherResponse(let result):
        state.weather = (try? result.get()) ?? "Unknown"
        return .none
      case .alert, .delegate, .rows:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) { CheckRow() }
    .ifLet(\.$alert, action: \.alert)
  }

  private func tick() -> Effect<Action> {
    .run(name: "tick") { send in
      for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
    }
    .cancellable(id: CancelID.timer, cancelInFlight: true)
  }

  private func loadWeather(_ state: State) -> Effect<Action> {
    .run(name: "weather", input: state.site.address) { [address = state.site.address] send in
      await send(.weatherResponse(Result { try await office.weather(address: address) }))
    }
    .cancellable(id: CancelID.weather, cancelInFlight: true)
  }

  private func finish(_ state: State) -> Effect<Action> {
    let visit = Visit(
      id: uuid(),
      date: now,
      seconds: state.seconds,
      weather: state.weather,
      findings: state.rows.map { Finding(title: $0.title, grade: $0.grade, note: $0.note) }
    )
    return .send(.delegate(.finished(visit)))
  }
}

extension AlertState where Action == VisitRecorder.Action.Alert {
  package static func unfinished(_ count: Int) -> Self {
    Self {
      TextState(count == 1 ? "One check is open" : "\(count) checks are open")
    } actions: {
      ButtonState(role: .destructive, action: .finishAnyway) { TextState("Finish anyway") }
      ButtonState(role: .cancel) { TextState("Go on") }
    } message: {
      TextState("Checks without a grade stand in the report as open.")
    }
  }

  package static let leave = Self {
    TextState("Leave the visit?")
  } actions: {
    ButtonState(role: .destructive, action: .leave) { TextState("Leave") }
    ButtonState(role: .cancel) { TextState("Stay") }
  } message: {
    TextState("What was found so far is lost.")
  }
}

/// A row of a visit: one check with its finding.
@Reducer
package struct CheckRow: Sendable {
  @ObservableState
  package struct State: Equatable, Identifiable, Sendable {
    package let id: Check.ID
    package let title: String
    package var grade: Grade?
    package var note = ""
    package var secondsLooked = 0
    package var isBeingLookedAt = false
  }

  package enum Action: BindableAction, Sendable {
    case binding(BindingAction<State>)
    case delegate(Delegate)
    case gradeTapped(Grade)
    case lookButtonTapped
    case ticked

    @CasePathable
    package enum Delegate: Equatable, Sendable { case isPoor }
  }

  private enum CancelID { case look }

  @Dependency(\.continuousClock) private var clock

  package var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .gradeTapped(let grade):
        let wasPoor = state.grade == .poor
        state.grade = state.grade == grade ? nil : grade
        return state.grade == .poor && !wasPoor ? .send(.delegate(.isPoor)) : .none
      case .lookButtonTapped:
        state.isBeingLookedAt.toggle()
        guard state.isBeingLookedAt else { return .cancel(id: CancelID.look) }
        return .run(name: "look") { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
        }
        .cancellable(id: CancelID.look, cancelInFlight: true)
      case .ticked:
        state.secondsLooked += 1
        return .none
      case .binding, .delegate:
        return .none
      }
    }
  }
}
