import ActionLog
import Foundation
import ReplayEngine
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// A feature with rows, a sheet, a stack and an alert, each with its own effects.
@Reducer
struct Organizer: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    @Presents var editor: Editor.State?
    @Presents var alert: AlertState<Action.Alert>?
    var path = StackState<Path.State>()
    var rows: IdentifiedArrayOf<Ticker.State> = []
  }

  enum Action: Sendable {
    case editButtonTapped
    case rowAdded
    case rowRemoved(UUID)
    case alertButtonTapped
    case detailTapped
    case editor(PresentationAction<Editor.Action>)
    case alert(PresentationAction<Alert>)
    case path(StackActionOf<Path>)
    case rows(IdentifiedActionOf<Ticker>)

    enum Alert: Equatable, Sendable { case removeAll }
  }

  @Reducer
  enum Path {
    case detail(Editor)
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .editButtonTapped: state.editor = Editor.State()
      case .rowAdded: state.rows.append(Ticker.State(id: uuid()))
      case .rowRemoved(let id): state.rows.remove(id: id)
      case .alertButtonTapped:
        state.alert = AlertState {
          TextState("Remove all?")
        } actions: {
          ButtonState(role: .destructive, action: .removeAll) { TextState("Remove") }
        }
      case .detailTapped: state.path.append(.detail(Editor.State()))
      case .alert(.presented(.removeAll)): state.rows = []
      case .alert, .editor, .path, .rows: break
      }
      return .none
    }
    .ifLet(\.$editor, action: \.editor) { Editor() }
    .ifLet(\.$alert, action: \.alert)
    .forEach(\.path, action: \.path)
    .forEach(\.rows, action: \.rows) { Ticker() }
  }
}

extension Organizer.Path.State: Equatable, Sendable {}
extension Organizer.Path.Action: Sendable {}

/// An editor that closes itself.
@Reducer
struct Editor: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var text = ""
    var seconds = 0
  }

  enum Action: Sendable {
    case textChanged(String)
    case ticked
    case closeButtonTapped
    case appeared
  }

  enum CancelID { case timer }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .textChanged(let text):
        state.text = text
        return .none
      case .ticked:
        state.seconds += 1
        return .none
      case .closeButtonTapped: return .run(name: "close") { _ in await dismiss() }
      case .appeared:
        return .run(name: "timer") { send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.timer, cancelInFlight: true)
      }
    }
  }
}

/// A row that counts seconds.
@Reducer
struct Ticker: Sendable {
  @ObservableState
  struct State: Equatable, Identifiable, Sendable {
    let id: UUID
    var count = 0
  }

  enum Action: Sendable {
    case toggled(Bool)
    case ticked
  }

  enum CancelID { case timer }
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .ticked:
        state.count += 1
        return .none
      case .toggled(false): return .cancel(id: CancelID.timer)
      case .toggled(true):
        return .run(name: "timer") { send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.timer, cancelInFlight: true)
      }
    }
  }
}

/// Navigation replays as recorded: presented and pushed features, their effects, and their end.
@MainActor
@Suite("Navigation runs")
struct NavigationRunTests {
  private func run(_ steps: [SampleStep<Organizer.Action>]) async throws -> (Verdict, String) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(Organizer(), initialState: Organizer.State(), steps: steps, to: path)
    let verdict = try verdict(of: path, replayedWith: Organizer()) { Organizer.State() }
    return (verdict, try String(contentsOfFile: path, encoding: .utf8))
  }

  @Test("A run with a sheet that closes itself replays as identical")
  func sheet() async throws {
    let (verdict, log) = try await run([
      .send(.editButtonTapped), .send(.editor(.presented(.appeared))), .tick(2),
      .send(.editor(.presented(.textChanged("a")))),
      .send(.editor(.presented(.closeButtonTapped))), .settle, .send(.editButtonTapped),
    ])
    #expect(verdict == .identical, "\(verdict)\n\(log)")
    #expect(log.contains(#""via":"dismiss""#), "\(log)")
  }

  @Test("A run with a sheet that is closed from outside replays as identical")
  func dismissed() async throws {
    let (verdict, log) = try await run([
      .send(.editButtonTapped), .send(.editor(.presented(.appeared))), .tick(1),
      .send(.editor(.dismiss)), .send(.editButtonTapped), .send(.editor(.presented(.appeared))),
      .tick(1),
    ])
    #expect(verdict == .identical, "\(verdict)\n\(log)")
  }

  @Test("A run with a stack whose element pops itself replays as identical")
  func stack() async throws {
    let (verdict, log) = try await run([
      .send(.detailTapped), .send(.detailTapped),
      .send(.path(.element(id: 1, action: .detail(.appeared)))), .tick(1),
      .send(.path(.element(id: 0, action: .detail(.closeButtonTapped)))), .settle,
      .send(.detailTapped), .send(.path(.popFrom(id: 2))),
    ])
    #expect(verdict == .identical, "\(verdict)\n\(log)")
  }

  @Test("A run with rows and an alert that removes them replays as identical")
  func rows() async throws {
    let (verdict, log) = try await run([
      .send(.rowAdded), .send(.rowAdded),
      .send(.rows(.element(id: UUID(0), action: .toggled(true)))), .tick(1),
      .send(.rowRemoved(UUID(0))), .send(.alertButtonTapped),
      .send(.alert(.presented(.removeAll))),
    ])
    #expect(verdict == .identical, "\(verdict)\n\(log)")
  }
}
