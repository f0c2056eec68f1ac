import ReplayEngine
import Synchronization
import TestSupport
import Testing

@testable import ActionLog
@testable import ActionRecording
@testable import TCARecorder

/// The memory of a recorder, measured by the entries of all its tables.
@MainActor @Suite("The memory of a recorder") struct RecorderMemoryTests {
  @Reducer
  struct Child: Sendable {
    @ObservableState
    struct State: Equatable, Identifiable, Sendable {
      let id: Int
      var count = 0
    }
    enum Action: Sendable { case tapped, loaded }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        state.count += 1
        return action == .tapped ? .run { send in await send(.loaded) } : .none
      }
    }
  }

  @Reducer
  struct Parent: Sendable {
    @ObservableState
    struct State: Equatable, Sendable {
      var text = ""
      var names: Set<String> = ["a", "b"]
      var rows: IdentifiedArrayOf<Child.State> = []
      @Presents var child: Child.State?
      var path = StackState<Child.State>()
    }
    enum Action: Sendable {
      case text(String)
      case load(Int)
      case loaded
      case cancel(Int)
      case add(Int)
      case remove(Int)
      case present(Int)
      case dismiss
      case push(Int)
      case pop
      case rows(IdentifiedActionOf<Child>)
      case child(PresentationAction<Child.Action>)
      case path(StackActionOf<Child>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .text(let text):
          state.text = text
          state.names = ["a", text]
        case .load(let id):
          return .concatenate(.run { send in await send(.loaded) }, .send(.loaded))
            .cancellable(id: id, cancelInFlight: true)
        case .cancel(let id): return .cancel(id: id)
        case .add(let id): state.rows.append(Child.State(id: id))
        case .remove(let id): state.rows.remove(id: id)
        case .present(let id): state.child = Child.State(id: id)
        case .dismiss: state.child = nil
        case .push(let id): state.path.append(Child.State(id: id))
        case .pop: state.path.removeLast()
        case .loaded, .rows, .child, .path: break
        }
        return .none
      }
      .forEach(\.rows, action: \.rows) { Child() }
      .ifLet(\.$child, action: \.child) { Child() }
      .forEach(\.path, action: \.path) { Child() }
    }
  }

  @Test("The memory of a recorder does not grow with the number of actions, effects and children")
  func actions() async throws {
    let folder = try TemporaryFolder()
    let recorder = Recorder(
      RecorderConfiguration(.ring(folder.path + "/ring.jsonl", megabytes: 1))
    )
    let store = Store(initialState: Parent.State()) { Parent().recorded(to: recorder) }
    var number = 0
    func run(rounds: Int) async {
      for _ in 0..<rounds {
        number += 1
        store.send(.text("text \(number)"))
        await store.send(.load(number)).finish()
        store.send(.load(-number))
        store.send(.cancel(-number))
        store.send(.add(number))
        await store.send(.rows(.element(id: number, action: .tapped))).finish()
        store.send(.rows(.element(id: number, action: .tapped)))
        store.send(.remove(number))
        store.send(.present(number))
        store.send(.child(.presented(.tapped)))
        store.send(number.isMultiple(of: 2) ? .dismiss : .child(.dismiss))
        store.send(.push(number))
        store.send(.pop)
        // The canceled effects return.
        while !store.unfinishedEffects.isEmpty { await Task.yield() }
      }
    }
    func entries() throws -> Int {
      let session = try #require(recorder.all.first)
      let model = try #require(session.model as? CoreRecordedModel)
      return session.kept.reduce(0) { $0 + Self.entries(in: $1) }
        + Self.entries(in: model.describer)
    }
    await run(rounds: 3)
    let first = try entries()
    await run(rounds: 100)
    let last = try entries()
    // The number of effects that are alive at once, and thus the size of a table, depends on when the canceled ones
    // return.
    // A single entry that stays in each round would make a hundred.
    #expect(last < first + 50)
  }

  @Test("A recorder keeps at most 17 of its ended sessions")
  func sessions() throws {
    let folder = try TemporaryFolder()
    let recorder = Recorder(RecorderConfiguration(.file(folder.path + "/log.jsonl")))
    for _ in 0..<60 {
      let store = Store(initialState: Parent.State()) { Parent().recorded(to: recorder) }
      store.send(.text("text"))
    }
    #expect(recorder.all.count <= 17)
  }

  /// Returns the number of elements of all collections in a value.
  private static func entries(in value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    let isTable = [.collection, .dictionary, .set].contains(mirror.displayStyle)
    // The number of bytes depends on the last texts.
    if value is [UInt8] { return 0 }
    return mirror.children.reduce(isTable ? mirror.children.count : 0) {
      $0 + entries(in: $1.value)
    }
  }
}
