import Foundation
import TCAReplay

/// A feature with everything that a timeline restores: members, rows, presented features, a stack, an alert, and shared
/// values.
@Reducer
struct Planner: Sendable {
  @Reducer
  struct Row: Sendable {
    @ObservableState
    struct State: Equatable, Sendable, Identifiable {
      let id: Int
      var title = ""
      var isDone = false
    }
    enum Action: Sendable {
      case rename(String)
      case toggle
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .rename(let title): state.title = title
        case .toggle: state.isDone.toggle()
        }
        return .none
      }
    }
  }

  @Reducer
  struct Detail: Sendable {
    @ObservableState
    struct State: Equatable, Sendable {
      var text = ""
      var hits = 0
    }
    enum Action: Sendable {
      case close
      case type(String)
      case hit
    }
    @Dependency(\.dismiss) private var dismiss
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .close: return .run { _ in await dismiss() }
        case .hit: state.hits += 1
        case .type(let text): state.text = text
        }
        return .none
      }
    }
  }

  @Reducer
  enum Screen {
    case detail(Detail)
    case row(Row)
  }

  @ObservableState
  struct State: Equatable, Sendable {
    var count = 0
    var title = "plans"
    var didSetCount = 0 { didSet { title += "!" } }
    var rows: IdentifiedArrayOf<Row.State> = []
    var path = StackState<Screen.State>()
    @Presents var detail: Detail.State?
    @Presents var alert: AlertState<Action.Alert>?
    @Shared(.appStorage("total")) var total = 0
    var events: [String] = []
  }

  enum Action: Sendable {
    enum Alert: Sendable, Equatable { case confirm }
    case add
    case alert(PresentationAction<Alert>)
    case ask
    case detail(PresentationAction<Detail.Action>)
    case finished(String)
    case increment
    case load(String)
    case open
    case path(StackActionOf<Screen>)
    case push(Int)
    case raise
    case remove(Int)
    case reverse
    case rows(IdentifiedActionOf<Row>)
    case stop
  }

  private enum CancelID { case load }

  @Dependency(\.planner) private var planner

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add:
        state.rows.append(Row.State(id: state.rows.count + 1, title: "row"))
      case .alert(.presented(.confirm)): state.count = 0
      case .ask:
        state.alert = AlertState {
          TextState("Sure?")
        } actions: {
          ButtonState(action: .confirm) { TextState("Yes") }
        }
      case .finished(let name): state.events.append(name)
      case .increment:
        state.count += 1
        state.didSetCount = state.count
      case .load(let name):
        return .run { send in
          await planner.load(name)
          await send(.finished(name))
        }
        .cancellable(id: CancelID.load)
      case .open: state.detail = Detail.State()
      case .push(let id):
        state.path.append(
          state.rows[id: id].map { .row($0) } ?? .detail(Detail.State(text: "pushed"))
        )
      case .raise: state.$total.withLock { $0 += 1 }
      case .remove(let id): state.rows.remove(id: id)
      case .reverse: state.rows.reverse()
      case .stop: return .cancel(id: CancelID.load)
      case .alert, .detail, .path, .rows: break
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Row() }
    .forEach(\.path, action: \.path)
    .ifLet(\.$detail, action: \.detail) { Detail() }
    .ifLet(\.$alert, action: \.alert)
  }
}

extension Planner.Screen.State: Equatable, Sendable {}

/// The dependency that the planner waits for.
struct PlannerClient: Sendable {
  /// Returns when a value has been loaded.
  var load: @Sendable (String) async -> Void = { _ in }
}

extension PlannerClient: DependencyKey {
  static let liveValue = PlannerClient()
  static let testValue = PlannerClient()
}

extension DependencyValues {
  var planner: PlannerClient {
    get { self[PlannerClient.self] }
    set { self[PlannerClient.self] = newValue }
  }
}
