import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// A feature whose reducer sends actions itself, alone and with other effects.
@Reducer @Loggable
struct Relay {
  @ObservableState
  struct State: Equatable {
    var got: [Int] = []
    var isDone = false
  }

  enum Action {
    case oneTapped
    case twoTapped
    case besideTapped
    case got(Int)
    case done
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .oneTapped: return .send(.got(1))
      case .twoTapped: return .concatenate(.send(.got(2)), .send(.got(3)))
      case .besideTapped: return .merge(.send(.got(4)), .run { send in await send(.done) })
      case .got(let number): state.got.append(number)
      case .done: state.isDone = true
      }
      return .none
    }
  }
}

@Suite @MainActor
struct SentActionTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  private var log: URL { folder.log("log.jsonl") }

  /// Returns the effects of an action and the origin of another one from the log.
  private func lines(_ kind: String) throws -> [JSON] {
    try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
      .map { try JSON(parsing: Array($0.utf8)) }
      .filter { $0["kind"]?.string == kind }
  }

  private func record(
    _ configuration: RecorderConfiguration? = nil,
    _ body: @MainActor (StoreOf<Relay>) async throws -> Void
  ) async throws {
    let recorder = Recorder(configuration ?? RecorderConfiguration(.file(log)))
    let store = Store(initialState: Relay.State()) {
      Relay().recorded(as: "Relay", to: recorder)
    }
    try await body(store)
    recorder.flush()
  }

  private func verdict() throws -> Verdict? {
    let feature = ReplayFeature("Relay") {
      Relay()
    } initialState: {
      Relay.State()
    }
    return try ReplayedLog.check(logsAt: log.path, of: feature.entry).first?.verdict
  }

  @Test
  func `an action that the reducer sends is recorded as its effect, which is the action's origin`()
    async throws
  {
    try await record { store in
      store.send(.oneTapped)
      store.send(.twoTapped)
    }
    #expect(
      try lines("change").map { $0["effects"] ?? .null } == [
        [["id": "1.0", "op": "send", "action": ["got": ["_0": 1]]]], .null,
        [
          ["id": "3.0", "op": "send", "action": ["got": ["_0": 2]]],
          ["id": "3.1", "op": "send", "action": ["got": ["_0": 3]]],
        ], .null, .null,
      ]
    )
    #expect(
      try lines("action").map { $0["origin"] ?? .null } == [
        "view", ["effect": "1.0"], "view", ["effect": "3.0"], ["effect": "3.1"],
      ]
    )
    #expect(try lines("effect").isEmpty)
    #expect(try verdict() == .identical)
  }

  @Test func `an action that is sent beside a task is recorded as an effect of its own`()
    async throws
  {
    try await record { store in
      store.send(.besideTapped)
      try await wait { store.state.isDone }
    }
    #expect(
      try lines("change").first?["effects"] == [
        ["id": "1.0", "op": "run", "name": "(publisher)"],
        ["id": "1.1", "op": "send", "action": ["got": ["_0": 4]]],
      ]
    )
    #expect(
      try lines("action").map { $0["origin"] ?? .null } == [
        "view", ["effect": "1.1"], ["effect": "1.0"],
      ]
    )
    #expect(try verdict() == .identical)
  }

  @Test func `a log that leaves out the actions that the reducer sends replays`() async throws {
    var configuration = RecorderConfiguration(.file(log))
    configuration.actions.exclude = ["/got"]
    try await record(configuration) { store in
      store.send(.oneTapped)
      store.send(.twoTapped)
    }
    #expect(try lines("action").count == 2)
    #expect(try verdict() == .identical)
  }

  @Test func `the change of the last action is in the log before the main queue runs`()
    async throws
  {
    try await record { $0.send(.oneTapped) }
    #expect(try lines("change").count == 2)
  }
}
