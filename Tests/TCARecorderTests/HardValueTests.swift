import ActionLog
import Foundation
import ReplayAnalyses
import ReplayEngine
import TCARecorder
import TestSupport
import Testing

/// Values that are difficult to encode.
@Reducer
private struct Hard {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var refusing = Refusing()
    var ring = Ring()
    var huge: [String] = []
    var rows: IdentifiedArrayOf<Row.State> = []
  }

  /// A value that cannot be encoded.
  struct Refusing: Codable, Equatable {
    struct No: Error {}
    var depth = 0

    init() {}
    init(from decoder: any Decoder) throws { throw No() }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(depth, forKey: .depth)
      throw No()
    }
    enum Key: CodingKey { case depth }
  }

  /// A value whose encoding never ends, because it contains itself.
  final class Ring: Codable, Equatable, Sendable {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(self)
    }
    static func == (one: Ring, other: Ring) -> Bool { true }
  }

  enum Action {
    case tick
    case grow(Int)
    case refuse(Refusing)
    case recurse(Ring)
    case rows(IdentifiedActionOf<Row>)
    case addRow
    case fromThreads(Int)
  }

  let recorder: Recorder

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tick, .recurse: state.count += 1
      case .refuse(let refusing): state.refusing.depth = refusing.depth + 1
      case .grow(let size):
        state.huge = (0..<size).map { "\($0): " + String(repeating: "x", count: 1000) }
      case .addRow: state.rows.append(Row.State(id: state.rows.count))
      case .rows: break
      case .fromThreads(let count):
        return .merge(
          (0..<count).map { _ in
            .run { send in await Task.detached { await send(.tick) }.value }
          }
        )
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Row().recorded(as: "Row", to: recorder) }
  }
}

@Reducer
private struct Row {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var taps = 0
  }

  enum Action { case tapped }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.taps += 1
      return .none
    }
  }
}

/// A feature with a value that writes a note while it is encoded.
@Reducer
private struct Noting {
  struct Value: LogValue, Equatable {
    let recorder: Recorder
    var number = 0

    func encode(to encoder: inout LogEncoder) {
      recorder.note("while \(number) is written")
      encoder.value(number)
    }
    static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
      throw decoder.error(.notDecodable, type: Self.self)
    }
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
  }

  @ObservableState
  struct State { var value: Value }

  enum Action { case set(Value) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      guard case .set(let value) = action else { return .none }
      state.value.number = value.number + 10
      return .none
    }
  }
}

/// Values that cannot be encoded, or not at once, never affect the app.
///
/// The log contains as much as possible.
@MainActor
@Suite("Hard values")
struct HardValueTests {
  @Test("A note added while an action or a change is written follows that line")
  func notesInBetween() throws {
    let sink = MemorySink()
    let recorder = Recorder(to: sink.destination)
    do {
      let store = Store(initialState: Noting.State(value: .init(recorder: recorder))) {
        Noting().recorded(as: "Noting", to: recorder)
      }
      store.send(.set(.init(recorder: recorder, number: 1)))
      store.send(.set(.init(recorder: recorder, number: 2)))
    }
    let events = try sink.events()
    // The only note between an action and its change is the one that is written while the action is encoded.
    let kinds = events.map { event in
      if case .note(let note) = event { note.text } else { event.kind }
    }
    #expect(
      kinds == [
        "header", "checkpoint", "action", "while 1 is written", "change", "while 11 is written",
        // Possible changes by a note are compared before the next action.
        "while 11 is written", "action", "while 2 is written", "change", "while 12 is written",
        "end",
      ]
    )
  }

  private func record(
    _ body: (Store<Hard.State, Hard.Action>) async throws -> Void
  ) async throws -> [[LogEvent]] {
    let folder = try TemporaryFolder()
    let recorder = Recorder(to: .file(folder.path + "/log.jsonl"))
    var store: Store? = Store(initialState: Hard.State()) {
      Hard(recorder: recorder).recorded(as: "Hard", to: recorder)
    }
    if let store { try await body(store) }
    store = nil
    #expect(recorder.problems == [])
    return try folder.files.map { name in
      var reader = try LogReader(path: folder.path + "/" + name)
      var events: [LogEvent] = []
      while let entry = try reader.next() { events.append(entry.event) }
      return events
    }
  }

  private func actions(_ events: [LogEvent]) -> [JSON] {
    events.compactMap { if case .action(let action) = $0 { action.action } else { nil } }
  }

  @Test("A value whose encoder throws is recorded as opaque, with the reason")
  func throwing() async throws {
    let log = try await record { store in
      store.send(.refuse(Hard.Refusing()))
      store.send(.tick)
      #expect(store.count == 1)
      #expect(store.refusing.depth == 1)
    }
    let action = try #require(actions(log[0]).first)
    #expect(
      action
        == ["refuse": ["_0": ["$opaque": "Hard.Refusing", "reason": "No()"]]],
      "\(action)"
    )
    #expect(actions(log[0]).count == 2)
  }

  @Test("A value whose encoder recurses without end is cut at 128 levels")
  func recursing() async throws {
    let log = try await record { store in
      store.send(.recurse(Hard.Ring()))
      store.send(.tick)
      #expect(store.count == 2)
    }
    var depth = 0
    var value = try #require(actions(log[0]).first?["recurse"]?["_0"])
    while let inner = value.array?.first {
      value = inner
      depth += 1
    }
    #expect(depth > 100)
    #expect(value["reason"] == "it is nested deeper than 128 levels")
  }

  @Test("A state with 5,000 elements is written once, and later only its changes")
  func gigantic() async throws {
    let log = try await record { store in
      store.send(.grow(5_000))
      for _ in 0..<20 { store.send(.tick) }
      #expect(store.count == 20)
    }
    let patches = log[0].compactMap { event -> JSON.Patch? in
      if case .change(let change) = event { change.patch } else { nil }
    }
    #expect(patches.count == 21)
    #expect(patches.dropFirst().allSatisfy { $0.operations.count == 1 })
  }

  @Test("A log has two thousand actions in the order in which they were sent")
  func many() async throws {
    let log = try await record { store in
      for _ in 0..<2_000 { store.send(.tick) }
      #expect(store.count == 2_000)
    }
    let numbers = log[0].compactMap { event -> Int? in
      if case .action(let action) = event { action.seq } else { nil }
    }
    #expect(numbers == Array(1...2_000))
  }

  @Test("Recorded rows have logs of their own, which name their scope")
  func rows() async throws {
    let logs = try await record { store in
      store.send(.addRow)
      store.send(.addRow)
      for id in [0, 1, 0] { store.send(.rows(.element(id: id, action: .tapped))) }
      #expect(store.rows.map(\.taps) == [2, 1])
    }
    let headers = logs.compactMap { events -> LogEvent.Header? in
      if case .header(let header)? = events.first { header } else { nil }
    }
    #expect(headers.map(\.feature).sorted() == ["Hard", "Row", "Row"])
    #expect(Set(headers.filter { $0.feature == "Row" }.map { "\($0.scope)" }).count == 2)
    #expect(logs.map { actions($0).count }.sorted() == [1, 2, 5])
  }

  @Test("Actions that effects send on other threads are recorded in the order in which they arrive")
  func threads() async throws {
    let log = try await record { store in
      await store.send(.fromThreads(200)).finish()
      #expect(store.count == 200)
    }
    let numbers = log[0].compactMap { event -> Int? in
      if case .action(let action) = event { action.seq } else { nil }
    }
    #expect(numbers == Array(1...201))
    let counts = log[0].compactMap { event -> JSON? in
      guard case .change(let change) = event else { return nil }
      return change.patch.json[JSON.Pointer(["0", "value"])]
    }
    #expect(counts == (1...200).map { .number(JSON.Number($0)) })
  }

  @Test("Stores that share a recorder have a log each, which ends only with its own store")
  func stores() async throws {
    let folder = try TemporaryFolder()
    let recorder = Recorder(to: .file(folder.path + "/log.jsonl"))
    var stores = (0..<5).map { _ in
      Store(initialState: Hard.State()) {
        Hard(recorder: recorder).recorded(as: "Hard", to: recorder)
      }
    }
    for store in stores { store.send(.tick) }
    stores.removeFirst(2)
    for store in stores { store.send(.tick) }
    recorder.note("here")
    #expect(folder.files.count == 5)
    let texts = try folder.files.map { try kinds(folder.read($0)) }
    let open = "header checkpoint action change action change note"
    let closed = "header checkpoint action change end"
    #expect(texts.sorted() == [open, open, open, closed, closed])
  }
}
