import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import TCARecorder
import TCAReplaying
import Testing

@Reducer
struct Feature {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var names: Set<String> = []
    var last: UUID?
  }

  enum Action {
    case add(String)
    case chain(Int)
    case work
    case worked
    case stop
    case restart
    case fails
  }

  enum CancelID { case work }
  struct Broken: Error {}

  @Dependency(\.uuid) var uuid
  let gate: AsyncStream<Void>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let name):
        state.names.insert(name)
        state.last = uuid()
        return .none
      case .chain(let rest):
        state.count += 1
        return rest > 0 ? .send(.chain(rest - 1)) : .none
      case .work:
        return .concatenate(
          .run(name: "work", input: state.count) { [gate] send in
            for await _ in gate { break }
            await send(.worked)
          }
          .cancellable(id: CancelID.work),
          .send(.chain(0))
        )
      case .worked:
        state.count += 10
        return .none
      case .stop: return .cancel(id: CancelID.work)
      case .restart: return .merge(.cancel(id: CancelID.work), .send(.chain(0)))
      case .fails:
        return .run { _ in
          throw Broken()
        } catch: { _, send in
          await send(.worked)
        }
      }
    }
  }
}

@MainActor
@Suite("Recorder")
struct RecorderTests {
  private func record(
    _ body: (Store<Feature.State, Feature.Action>, AsyncStream<Void>.Continuation) async throws ->
      Void
  ) async rethrows -> MemorySink {
    let sink = MemorySink()
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let store = Store(initialState: Feature.State()) {
      Feature(gate: gate).recorded(to: sink.destination)
    } withDependencies: {
      $0.uuid = .incrementing
    }
    try await body(store, opener)
    return sink
  }

  @Test("A log opens with a header that names the feature, its state type and the environment")
  func header() async throws {
    let sink = await record { store, _ in store.send(.stop) }
    var reader = LogReader(bytes: Array(sink.text.utf8))
    guard case .header(let header) = try reader.next()?.event else {
      Issue.record("no header: \(sink.text)")
      return
    }
    #expect(header.feature == "Feature")
    #expect(header.stateType == "Feature.State")
    #expect(header.recorder == Version.current)
    #expect(UUID(uuidString: header.id) != nil)
    #expect(header.environment["context"] == "test")
  }

  @Test(
    "A recorder writes actions, reads and changes in order, with their names in the source code"
  )
  func readsAndChanges() async {
    let sink = await record { store, _ in
      store.send(.add("b"))
      store.send(.add("a"))
    }
    #expect(
      sink.lines == [
        #"{"kind":"checkpoint","seq":0,"state":{"count":0,"names":[],"last":null},"effects":[]}"#,
        #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"add":{"_0":"b"}}}"#,
        #"{"kind":"read","seq":1,"key":"uuid","value":"00000000-0000-0000-0000-000000000000"}"#,
        #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"/names/0","value":"b"},{"op":"replace","path":"/last","value":"00000000-0000-0000-0000-000000000000"}]}"#,
        #"{"kind":"action","seq":2,"at":0,"origin":"view","action":{"add":{"_0":"a"}}}"#,
        #"{"kind":"read","seq":2,"key":"uuid","value":"00000000-0000-0000-0000-000000000001"}"#,
        #"{"kind":"change","seq":2,"patch":[{"op":"add","path":"/names/0","value":"a"},{"op":"replace","path":"/last","value":"00000000-0000-0000-0000-000000000001"}]}"#,
        #"{"kind":"end","seq":2,"reason":"closed"}"#,
      ]
    )
  }

  @Test("An action that an effect sent names that effect as its origin")
  func produced() async {
    let sink = await record { store, _ in store.send(.chain(1)) }
    #expect(
      Array(sink.lines.dropFirst()) == [
        #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"chain":{"_0":1}}}"#,
        #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}],"effects":[{"id":"1.0","op":"send","action":{"chain":{"_0":0}}}]}"#,
        #"{"kind":"action","seq":2,"at":0,"origin":{"effect":"1.0"},"action":{"chain":{"_0":0}}}"#,
        #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/count","value":2}]}"#,
        #"{"kind":"end","seq":2,"reason":"closed"}"#,
      ]
    )
  }

  @Test("A recorder writes the start, the actions and the end of an effect")
  func lifecycle() async {
    let sink = await record { store, opener in
      let task = store.send(.work)
      opener.yield()
      await task.finish()
    }
    #expect(
      Array(sink.lines.dropFirst(2)) == [
        #"{"kind":"change","seq":1,"patch":[],"effects":[{"op":"concatenate","effects":[{"id":"1.0","op":"run","name":"work","cancelID":{"type":"Feature.CancelID","value":{"work":{}}},"input":0},{"id":"1.1","op":"send","action":{"chain":{"_0":0}}}]}]}"#,
        #"{"kind":"action","seq":2,"at":0,"origin":{"effect":"1.0"},"action":{"worked":{}}}"#,
        #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/count","value":10}]}"#,
        #"{"kind":"effect","id":"1.0","event":"finished","sent":1,"at":0}"#,
        #"{"kind":"effect","id":"1.1","event":"started","at":0}"#,
        #"{"kind":"action","seq":3,"at":0,"origin":{"effect":"1.1"},"action":{"chain":{"_0":0}}}"#,
        #"{"kind":"change","seq":3,"patch":[{"op":"replace","path":"/count","value":11}]}"#,
        #"{"kind":"end","seq":3,"reason":"closed"}"#,
      ]
    )
  }

  @Test("A recorder writes which action canceled an effect, after that action")
  func cancellation() async {
    let sink = await record { store, _ in
      let task = store.send(.work)
      store.send(.restart)
      await task.finish()
    }
    #expect(
      Array(sink.lines.dropFirst(3)) == [
        #"{"kind":"action","seq":2,"at":0,"origin":"view","action":{"restart":{}}}"#,
        #"{"kind":"change","seq":2,"patch":[],"effects":[{"op":"cancel","cancelID":{"type":"Feature.CancelID","value":{"work":{}}}},{"id":"2.0","op":"send","action":{"chain":{"_0":0}}}]}"#,
        #"{"kind":"effect","id":"1.0","event":"cancelled","by":{"action":2},"at":0}"#,
        #"{"kind":"action","seq":3,"at":0,"origin":{"effect":"2.0"},"action":{"chain":{"_0":0}}}"#,
        #"{"kind":"change","seq":3,"patch":[{"op":"replace","path":"/count","value":1}]}"#,
        #"{"kind":"effect","id":"1.0","event":"finished","sent":0,"at":0}"#,
        #"{"kind":"effect","id":"1.1","event":"started","at":0}"#,
        #"{"kind":"action","seq":4,"at":0,"origin":{"effect":"1.1"},"action":{"chain":{"_0":0}}}"#,
        #"{"kind":"change","seq":4,"patch":[{"op":"replace","path":"/count","value":2}]}"#,
        #"{"kind":"end","seq":4,"reason":"closed"}"#,
      ]
    )
  }

  @Test("A recorder stops writing when the log is full, and the feature continues")
  func full() async {
    let sink = MemorySink()
    let store = Store(initialState: Feature.State()) {
      Feature(gate: AsyncStream { $0.finish() }).recorded(to: sink.destination)
    }
    store.send(.chain(0))
    let text = sink.text
    sink.fill()
    store.send(.chain(2))
    #expect(store.state.count == 4)
    #expect(sink.text == text)
  }

  @Test(
    "If a file is in place of its folder, a recorder records nothing and changes neither file nor feature"
  )
  func unwritable() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = Store(initialState: Feature.State()) {
      Feature(gate: AsyncStream { $0.finish() })
        .recorded(to: .file(folder.appendingPathComponent("log.jsonl")))
    }
    store.send(.chain(2))
    #expect(store.state.count == 3)
    #expect(try Data(contentsOf: folder).isEmpty)
  }

  @Test("A recorded feature reaches the same state as one that is not recorded")
  func transparency() async {
    func run(_ reducer: some Reducer<Feature.State, Feature.Action>) async -> Feature.State {
      let store = Store(initialState: Feature.State()) {
        reducer
      } withDependencies: {
        $0.uuid = .incrementing
      }
      let work = store.send(.work)
      store.send(.add("a"))
      store.send(.restart)
      await work.finish()
      await store.send(.fails).finish()
      return store.state
    }
    let (gate, _) = AsyncStream.makeStream(of: Void.self)
    let plain = await run(Feature(gate: gate))
    let recorded = await run(Feature(gate: gate).recorded(to: MemorySink().destination))
    #expect(plain == recorded)
    #expect(plain.count == 12)
  }

  @Test("Two stores with a recorder each have separate logs")
  func twoStores() {
    let sinks = [MemorySink(), MemorySink()]
    let stores = sinks.map { sink in
      Store(initialState: Feature.State()) {
        Feature(gate: AsyncStream { $0.finish() }).recorded(to: sink.destination)
      }
    }
    stores[0].send(.chain(1))
    stores[1].send(.chain(0))
    #expect(sinks.map { $0.text.split(separator: "\n").count } == [6, 4])
  }

  @Test(
    "An action is written before its reducer runs, and a read before its value is returned"
  )
  func ahead() {
    let sink = MemorySink()
    let seen = LockIsolated<[String]>([])
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { _, _ in
        @Dependency(\.uuid) var uuid
        seen.withValue { $0.append(sink.lines.last ?? "") }
        _ = uuid()
        seen.withValue { $0.append(sink.lines.last ?? "") }
        return .none
      }
      .recorded(as: "Ahead", to: sink.destination)
    } withDependencies: {
      $0.uuid = .incrementing
    }
    store.send(7)
    #expect(
      seen.value == [
        #"{"kind":"action","seq":1,"at":0,"origin":"view","action":7}"#,
        #"{"kind":"read","seq":1,"key":"uuid","value":"00000000-0000-0000-0000-000000000000"}"#,
      ]
    )
  }

  private nonisolated static let ids: [(CancelIDCase, String)] = [
    (CancelIDCase(id: "text"), #"{"type":"String","value":"text"}"#),
    (CancelIDCase(id: Named.plain), #"{"type":"Named","value":{"plain":{}}}"#),
    (
      CancelIDCase(id: Named.payload(1, label: "x")),
      #"{"type":"Named","value":{"payload":{"_0":1,"label":"x"}}}"#
    ),
    (CancelIDCase(id: Empty()), #"{"type":"Empty","value":{}}"#),
    (CancelIDCase(id: Reference()), #"{"type":"Reference","value":{"$ordinal":1}}"#),
  ]

  @Test("The description of a cancellation id is the same in every process", arguments: ids)
  private func cancelIDs(id: CancelIDCase, text: String) {
    let describer = EffectDescriber()
    let (descriptions, _) = describer.describe(id.effect, seq: 1, observer: nil)
    #expect(descriptions.first?.cancelID?.json.description == text)
    #expect(
      describer.describe(id.effect, seq: 2, observer: nil).0.first?.cancelID
        == descriptions.first?.cancelID
    )
  }
}

private enum Named: Hashable {
  case plain
  case payload(Int, label: String)
}
private struct Empty: Hashable {}
private final class Reference: Hashable, Sendable {
  static func == (lhs: Reference, rhs: Reference) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
private struct CancelIDCase: Sendable {
  let effect: Effect<Int>
  init(id: some Hashable & Sendable) { effect = .cancel(id: id) }
}
