package import ComposableArchitecture
package import ComposableRecorder
package import Foundation

/// Meetings in a list: a stack of screens, a sheet, alerts, a timer, and a value that all of them share.
@Reducer @Loggable
package struct Meetings {
  @ObservableState
  package struct State: Equatable {
    package var meetings: IdentifiedArrayOf<Meeting> = []
    package var path = StackState<Path.State>()
    @Presents package var destination: Destination.State?
    @Shared(.inMemory("held")) package var held = 0
    package var tip: String?
    package var die = 0

    package init() {}
  }

  package enum Action {
    case addTapped
    case meetingTapped(id: UUID)
    case deleteAllTapped
    case tipRequested
    case tipReceived(Result<String, TipError>)
    case rollTapped
    case chainTapped(left: Int)
    case path(StackActionOf<Path>)
    case destination(PresentationAction<Destination.Action>)
  }

  @Dependency(\.uuid) var uuid
  @Dependency(\.date) var date
  @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addTapped:
        let meeting = Meeting(id: uuid(), title: "", createdAt: date.now)
        state.destination = .edit(EditMeeting.State(meeting: meeting))
        return .none
      case .meetingTapped(let id):
        guard let meeting = state.meetings[id: id] else { return .none }
        state.path.append(.detail(MeetingDetail.State(meeting: meeting, held: state.$held)))
        return .none
      case .deleteAllTapped:
        state.destination = .alert(
          AlertState {
            TextState("Delete all?")
          } actions: {
            ButtonState(role: .destructive, action: .confirmed) { TextState("Delete") }
          }
        )
        return .none
      case .destination(.presented(.alert(.confirmed))):
        state.meetings.removeAll()
        return .none
      case .destination(.presented(.edit(.saveTapped))):
        guard case .edit(let edit)? = state.destination else { return .none }
        state.meetings.append(edit.meeting)
        state.destination = nil
        return .none
      case .tipRequested:
        return .run(name: "tip") { send in await send(.tipReceived(.success("Be brief."))) }
      case .tipReceived(.success(let tip)):
        state.tip = tip
        return .none
      case .tipReceived(.failure):
        state.tip = nil
        return .none
      case .rollTapped:
        state.die = withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }
        return .none
      case .chainTapped(let left):
        state.die += left
        return left > 0 ? .send(.chainTapped(left: left - 1)) : .none
      case .path(.element(id: _, action: .detail(.delegate(.ended(let seconds))))):
        state.$held.withLock { $0 += seconds }
        return .none
      case .path, .destination: return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
  }

  @Reducer
  package enum Path {
    case detail(MeetingDetail)
  }

  @Reducer
  package enum Destination {
    case edit(EditMeeting)
    case alert(AlertState<Alert>)

    @LogValue
    package enum Alert: Equatable, Sendable { case confirmed }
  }
}

extension Meetings.Path.State: Equatable, LogCases {}
extension Meetings.Path.Action: LogCases {}
extension Meetings.Destination.State: Equatable, LogCases {}
extension Meetings.Destination.Action: LogCases {}

/// The reason why there is no tip.
@LogValue
package struct TipError: Error, Equatable { package var reason: String }

/// A meeting.
@LogValue
package struct Meeting: Equatable, Identifiable, Sendable {
  package let id: UUID
  package var title: String
  package var createdAt: Date
}

/// The form for a meeting.
@Reducer @Loggable
package struct EditMeeting {
  @ObservableState
  package struct State: Equatable {
    package var meeting: Meeting
    package var isFocused = false
  }

  package enum Action: BindableAction {
    case binding(BindingAction<State>)
    case saveTapped
    case cancelTapped
  }

  @Dependency(\.dismiss) var dismiss

  package init() {}

  package var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding, .saveTapped: return .none
      case .cancelTapped: return .run { [dismiss] _ in await dismiss() }
      }
    }
  }
}

/// A running meeting.
@Reducer @Loggable
package struct MeetingDetail {
  @ObservableState
  package struct State: Equatable {
    package let meeting: Meeting
    @Shared package var held: Int
    package var seconds = 0
    @Presents package var alert: AlertState<Action.Alert>?

    package init(meeting: Meeting, held: Shared<Int>) {
      self.meeting = meeting
      self._held = held
    }
  }

  package enum Action {
    case startTapped
    case ticked
    case stopTapped
    case closeTapped
    case pauseTapped
    case alert(PresentationAction<Alert>)
    case delegate(Delegate)

    package enum Alert: Equatable, Sendable { case stopConfirmed }
    package enum Delegate: Equatable, Sendable { case ended(seconds: Int) }
  }

  private enum TimerID { case timer }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .startTapped:
        return .run(name: "timer") { [clock] send in
          while true {
            try await clock.sleep(for: .milliseconds(5))
            await send(.ticked)
          }
        }
        .cancellable(id: TimerID.timer, cancelInFlight: true)
      case .ticked:
        state.seconds += 1
        return .none
      case .stopTapped:
        state.alert = AlertState {
          TextState("Stop?")
        } actions: {
          ButtonState(role: .destructive, action: .stopConfirmed) { TextState("Stop") }
        }
        return .none
      case .alert(.presented(.stopConfirmed)):
        return .merge(
          .cancel(id: TimerID.timer),
          .send(.delegate(.ended(seconds: state.seconds)))
        )
      case .pauseTapped: return .cancel(id: TimerID.timer)
      case .closeTapped: return .run { [dismiss] _ in await dismiss() }
      case .alert, .delegate: return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }
}
