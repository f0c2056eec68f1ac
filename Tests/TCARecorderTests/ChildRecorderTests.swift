import ActionLog
import Foundation
import ReplayEngine
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder
@testable import TCAReplaying

/// Recorders of children that are added and removed.
@MainActor @Suite("Recorders of children") struct ChildRecorderTests {
  /// A child whose effect ends on request, canceled or not.
  @Reducer
  struct Child: Sendable {
    @ObservableState
    struct State: Equatable, Identifiable, Sendable {
      let id: Int
      var count = 0
    }
    enum Action: Sendable { case tapped, load, loaded, leave }

    let gate: AsyncStream<Void>

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .tapped: state.count += 1
        case .load:
          return .concatenate(
            .run { send in
              // A separate task, which no cancellation reaches.
              await Task { for await _ in gate { break } }.value
              await send(.loaded)
            },
            .send(.loaded)
          )
        case .loaded: state.count += 100
        case .leave: break
        }
        return .none
      }
    }
  }

  /// A part of the parent whose own children are recorded.
  @Reducer
  struct Sheet: Sendable {
    @ObservableState
    struct State: Equatable, Identifiable, Sendable {
      let id: Int
      var rows: IdentifiedArrayOf<Child.State> = []
    }
    enum Action: Sendable { case rows(IdentifiedActionOf<Child>) }

    let gate: AsyncStream<Void>
    let recorder: Recorder

    var body: some ReducerOf<Self> {
      EmptyReducer().forEach(\.rows, action: \.rows) {
        Child(gate: gate).recorded(as: "Child", to: recorder)
      }
    }
  }

  /// The position of a child.
  enum Place: String, CaseIterable, Sendable { case row, optional, presented, pushed, sheet }

  @Reducer
  struct Parent: Sendable {
    @ObservableState
    struct State: Equatable, Sendable {
      var rows: IdentifiedArrayOf<Child.State> = []
      var optional: Child.State?
      @Presents var presented: Child.State?
      @Presents var sheet: Sheet.State?
      var path = StackState<Child.State>()
    }
    enum Action: Sendable {
      case come(Place, Int)
      case go(Place)
      /// The same, by a reducer around all others.
      case remove(Place)
      case idle
      case rows(IdentifiedActionOf<Child>)
      case optional(Child.Action)
      case presented(PresentationAction<Child.Action>)
      case sheet(PresentationAction<Sheet.Action>)
      case path(StackActionOf<Child>)
    }

    let gate: AsyncStream<Void>
    let recorder: Recorder

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .come(let place, let id): state.add(Child.State(id: id), at: place)
        case .go(let place): state.remove(place)
        case .rows(.element(let id, .leave)): state.rows.remove(id: id)
        case .optional(.leave): state.remove(.optional)
        case .presented(.presented(.leave)): state.remove(.presented)
        case .path(.element(let id, .leave)): state.path.pop(from: id)
        case .sheet(.presented(.rows(.element(_, .leave)))): state.remove(.sheet)
        default: break
        }
        return .none
      }
      .forEach(\.rows, action: \.rows) { child }
      .ifLet(\.optional, action: \.optional) { child }
      .ifLet(\.$presented, action: \.presented) { child }
      .ifLet(\.$sheet, action: \.sheet) { Sheet(gate: gate, recorder: recorder) }
      .forEach(\.path, action: \.path) { child }
      Reduce { state, action in
        if case .remove(let place) = action { state.remove(place) }
        return .none
      }
    }

    private var child: some Reducer<Child.State, Child.Action> {
      Child(gate: gate).recorded(as: "Child", to: recorder)
    }
  }

  /// A store and the recorder of its children.
  @MainActor struct App {
    let folder: TemporaryFolder
    let recorder: Recorder
    let store: StoreOf<Parent>
    /// Ends a waiting effect.
    let opener: AsyncStream<Void>.Continuation

    init(_ destination: (TemporaryFolder) -> LogDestination) throws {
      folder = try TemporaryFolder()
      recorder = Recorder(to: destination(folder))
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      self.opener = opener
      let recorder = recorder
      store = Store(initialState: Parent.State()) { Parent(gate: gate, recorder: recorder) }
    }

    init() throws { try self.init { .file($0.path + "/log.jsonl") } }

    /// Sends to the child at a position.
    func send(_ action: Child.Action, to place: Place) {
      let state = store.state
      switch place {
      case .row: state.rows.last.map { _ = store.send(.rows(.element(id: $0.id, action: action))) }
      case .optional: store.send(.optional(action))
      case .presented: store.send(.presented(.presented(action)))
      case .pushed:
        state.path.ids.last.map { _ = store.send(.path(.element(id: $0, action: action))) }
      case .sheet: store.send(.sheet(.presented(.rows(.element(id: 1, action: action)))))
      }
    }

    /// The open descriptors of files in the folder.
    var openFiles: Int {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return all.count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/" + name
        )
        return target?.hasPrefix(folder.path) == true
      }
    }

    /// Returns the kinds of the events in a log, which must be valid and replay.
    func kinds(of name: String) async throws -> String {
      let verdicts = try Verdict.ofReplay(logAt: folder.path + "/" + name) { _ in
        ReducerEngine(
          reducer: { Child(gate: AsyncStream { $0.finish() }) },
          initialState: { Child.State(id: 0) }
        )
      }
      let text = try folder.read(name)
      #expect(verdicts == [.identical], "\(name)\n\(text)")
      let verified = try await Terminal().run("verify", folder.path + "/" + name)
      #expect(verified.status == 0, "\(verified.output)\n\(text)")
      return try TCARecorderTests.kinds(text)
    }
  }

  @Test(
    "The recording of a child ends when the child is removed, by its parent or from outside",
    arguments: Place.allCases
  )
  func ends(place: Place) async throws {
    let app = try App()
    for (round, end) in [Parent.Action.go(place), .remove(place)].enumerated() {
      app.store.send(.come(place, 1))
      app.send(.tapped, to: place)
      #expect(app.openFiles == 1)
      app.store.send(end)
      // The recorder sees the next action when a reducer around the operator has removed a child.
      app.store.send(.idle)
      #expect(app.openFiles == 0)
      #expect(app.recorder.all.count == round + 1)
      #expect(app.recorder.all.allSatisfy { $0.isClosed })
    }
    #expect(app.folder.files == ["log-2.jsonl", "log.jsonl"])
    for name in app.folder.files {
      #expect(try await app.kinds(of: name) == "header checkpoint action change end")
    }
  }

  @Test("A recorder keeps at most 17 sessions of 150 removed children and closes their files")
  func manyRemoved() async throws {
    let app = try App()
    var sessions: [WeakSession] = []
    for number in 0..<150 {
      let place = Place.allCases[number % Place.allCases.count]
      app.store.send(.come(place, number))
      app.send(.tapped, to: place)
      let session = try #require(app.recorder.all.last)
      #expect(!session.isClosed)
      sessions.append(WeakSession(session: session))
      app.store.send(.go(place))
      #expect(session.isClosed)
      #expect(session.kept.count == 1, "only effects, of which none is alive")
    }
    #expect(app.openFiles == 0)
    // The sessions that the recorder keeps for an export.
    #expect(sessions.count { $0.session != nil } <= 17)
    #expect(app.folder.files.count == 150)
    for name in app.folder.files {
      #expect(try await app.kinds(of: name) == "header checkpoint action change end")
    }
  }

  private struct WeakSession { weak var session: RecordingSession? }

  @Test(
    "Effects that end after their child was removed write nothing to its closed log",
    arguments: Place.allCases
  )
  func lateEffects(place: Place) async throws {
    let app = try App()
    app.store.send(.come(place, 1))
    app.send(.load, to: place)
    app.send(.tapped, to: place)
    app.store.send(.go(place))
    let first = try app.folder.read("log.jsonl")
    #expect(app.openFiles == 0)
    // Another child at the same position, while the first one's effect still runs.
    app.store.send(.come(place, 1))
    app.send(.tapped, to: place)
    app.opener.yield()
    while app.store.unfinishedEffects.count > 0 { await Task.yield() }
    app.send(.load, to: place)
    app.opener.yield()
    while app.store.unfinishedEffects.count > 0 { await Task.yield() }
    app.store.send(.go(place))
    #expect(try app.folder.read("log.jsonl") == first)
    #expect(
      try await app.kinds(of: "log.jsonl")
        == "header checkpoint action change action change effect end"
    )
    #expect(first.contains(#""event":"cancelled","by":"task""#))
    #expect(
      try await app.kinds(of: "log-2.jsonl")
        == "header checkpoint action change action change action change effect effect action change end"
    )
  }

  @Test(
    "The recording of a child ends with the child's action that causes the parent to remove it",
    arguments: Place.allCases
  )
  func leaving(place: Place) async throws {
    let app = try App()
    app.store.send(.come(place, 1))
    app.send(.load, to: place)
    app.send(.leave, to: place)
    #expect(app.openFiles == 0)
    #expect(
      try await app.kinds(of: "log.jsonl")
        == "header checkpoint action change action change effect end"
    )
    app.opener.yield()
  }

  @Test("A new child gets a new ring, and an export contains the logs of both children")
  func rings() async throws {
    let app = try App { .ring($0.path + "/ring.jsonl", megabytes: 1) }
    for _ in 0..<2 {
      app.store.send(.come(.presented, 1))
      app.send(.tapped, to: .presented)
      app.store.send(.go(.presented))
    }
    #expect(app.folder.files == ["ring-2.segment-1.jsonl", "ring.segment-1.jsonl"])
    try app.recorder.export(to: URL(fileURLWithPath: app.folder.path + "/all.jsonl"))
    let log = "header checkpoint action change end"
    #expect(try TCARecorderTests.kinds(app.folder.read("all.jsonl")) == "\(log) \(log)")
  }
}

extension ChildRecorderTests.Parent.State {
  fileprivate mutating func add(
    _ child: ChildRecorderTests.Child.State,
    at place: ChildRecorderTests.Place
  ) {
    switch place {
    case .row: rows.append(child)
    case .optional: optional = child
    case .presented: presented = child
    case .pushed: path.append(child)
    case .sheet:
      let row = ChildRecorderTests.Child.State(id: 1)
      sheet = ChildRecorderTests.Sheet.State(id: child.id, rows: [row])
    }
  }

  fileprivate mutating func remove(_ place: ChildRecorderTests.Place) {
    switch place {
    case .row: rows.removeLast()
    case .optional: optional = nil
    case .presented: presented = nil
    case .pushed: path.removeLast()
    case .sheet: sheet = nil
    }
  }
}
