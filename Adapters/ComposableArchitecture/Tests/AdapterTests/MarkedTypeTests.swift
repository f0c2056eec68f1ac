import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// Values outside features that other macros also mark.
@LogValue @CasePathable
enum Filter: Equatable, Sendable {
  case all
  case titled(String)
  case between((Int, last: Int))

  static func == (lhs: Self, rhs: Self) -> Bool { "\(lhs)" == "\(rhs)" }
}

@LogValue @ObservableState
struct Draft: Equatable {
  var title = ""
  var filter = Filter.all
}

/// A feature with an enum next to its state, and with one in an enum of features.
@Reducer @Loggable
struct Drafts {
  @ObservableState
  struct State: Equatable {
    var draft = Draft()
    var order = Order.byTitle
    @Presents var destination: Destination.State?
  }

  enum Action {
    case renamed(String)
    case sorted(Order)
    case askTapped
    case moved((from: Int, to: Int))
    case destination(PresentationAction<Destination.Action>)
  }

  enum Order: Equatable, Sendable {
    case byTitle
    case byDate(isRising: Bool)
  }

  @Reducer
  enum Destination {
    case alert(AlertState<Answer>)

    enum Answer: Equatable, Sendable { case confirmed }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .renamed(let title): state.draft = Draft(title: title, filter: .titled(title))
      case .sorted(let order): state.order = order
      case .moved(let move): state.draft.filter = .between((move.from, last: move.to))
      case .askTapped:
        state.destination = .alert(
          AlertState {
            TextState("Sure?")
          } actions: {
            ButtonState(action: .confirmed) { TextState("Yes") }
          }
        )
      case .destination(.presented(.alert(.confirmed))): state.draft.title = ""
      case .destination: break
      }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension Drafts.Destination.State: Equatable, LogCases {}
extension Drafts.Destination.Action: LogCases {}

@Suite @MainActor
struct MarkedTypeTests {
  @Test func `types beside State and Action replay without an attribute of their own`() throws {
    let folder = try LogFolder()
    let url = folder.log("log.jsonl")
    let recorder = Recorder(to: .file(url))
    let store = Store(initialState: Drafts.State()) { Drafts().recorded(to: recorder) }
    store.send(.renamed("a"))
    store.send(.sorted(.byDate(isRising: true)))
    store.send(.moved((from: 1, to: 2)))
    store.send(.askTapped)
    store.send(.destination(.presented(.alert(.confirmed))))
    recorder.flush()
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(!text.contains("$opaque"), "\(text)")
    #expect(text.contains(#""action":{"moved":{"from":1,"to":2}}"#), "\(text)")
    try expectReplay(of: url) {
      Drafts()
    } initialState: {
      Drafts.State()
    }
  }

  @Test(arguments: [
    (Filter.all, ["all": [:]] as JSON), (.titled("a"), ["titled": ["_0": "a"]] as JSON),
    (.between((1, last: 2)), ["between": ["_0": 1, "last": 2]] as JSON),
  ])
  func `a value with case paths reads back`(value: Filter, json: JSON) throws {
    #expect(JSON(logging: value) == json)
    #expect(try LogDecoder(json).value(Filter.self) == value)
  }

  @Test func `an observed value reads back`() throws {
    let draft = Draft(title: "a", filter: .titled("b"))
    let json: JSON = ["title": "a", "filter": ["titled": ["_0": "b"]]]
    #expect(JSON(logging: draft) == json)
    #expect(try LogDecoder(json).value(Draft.self) == draft)
  }

  @Test func `a value with an id reads back`() throws {
    let value = Identified("a", id: 7)
    #expect(JSON(logging: value) == ["id": 7, "value": "a"])
    #expect(try LogDecoder(JSON(logging: value)).value(Identified<Int, String>.self) == value)
  }

  @Test(arguments: [
    AnyHashableSendable("a"), AnyHashableSendable(1), AnyHashableSendable(UUID(7)),
    AnyHashableSendable([1, 2]),
  ])
  func `AnyHashableSendable reads back with its type`(value: AnyHashableSendable) throws {
    #expect(try LogDecoder(JSON(logging: value)).value(AnyHashableSendable.self) == value)
  }

  nonisolated private static let hashables: [(value: AnyHashableSendable, json: JSON)] = [
    (AnyHashableSendable("a"), "a"),
    (AnyHashableSendable(2), 2),
    (AnyHashableSendable(true), true),
    (AnyHashableSendable(0.5), ["type": "Double", "value": 0.5]),
    (
      AnyHashableSendable(UUID(7)),
      ["type": "UUID", "value": "00000000-0000-0000-0000-000000000007"]
    ),
  ]

  @Test(arguments: hashables)
  func `AnyHashableSendable is written with its type only if JSON does not show it`(
    value: AnyHashableSendable,
    json: JSON
  ) {
    #expect(JSON(logging: value) == json)
  }

  /// Logs of older builds.
  @Test func `AnyHashableSendable reads values with their mangled types`() throws {
    let json: JSON = ["type": "Si", "value": 2]
    #expect(try LogDecoder(json).value(AnyHashableSendable.self) == AnyHashableSendable(2))
  }

  @Test func `a value of a type that this build lacks is refused with the name of the type`() throws
  {
    let error = try #require(throws: LogDecodingError.self) {
      try LogDecoder(["type": "4Gone0A0V", "value": 1]).value(AnyHashableSendable.self)
    }
    #expect(
      error.problem
        == .mismatch(expected: "the name of a type of this build", found: .string("4Gone0A0V"))
    )
  }
}

@Suite @MainActor
struct NamelessBindingTests {
  @Test func `a recorder reports a binding without a name once`() throws {
    let folder = try LogFolder()
    let recorder = Recorder(to: .file(folder.log("log.jsonl")))
    let store = Store(initialState: Form.State()) { Form().recorded(to: recorder) }
    store.send(.binding(.set(\.place.x, 3)))
    store.send(.binding(.set(\.place.x, 4)))
    #expect(
      RecordingAttachment.said.filter { $0.contains("Form.State") } == [
        "found a binding of Form.State to a property of type Int without a name, which no replay can read; add @LogValue to the types of"
          + " the properties that lead to it, because a subscript or a computed property has no name"
      ]
    )
  }
}

/// A feature with a property whose type has no property names.
@Reducer @Loggable
struct Form {
  @ObservableState
  struct State: Equatable {
    var place = Unnamed()
    var count = 0
    var message = ""
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case counted
    case failed(any Error)
  }

  var step = 1

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding: break
      case .counted: state.count += step
      case .failed(let error): state.message = error.localizedDescription
      }
      return .none
    }
  }
}

/// An error with a custom message, and one that a log contains as a value.
private struct Refused: LocalizedError { var errorDescription: String? { "It was refused." } }

@LogValue
struct Missing: Error, Equatable { var name = "a" }

@Suite @MainActor
struct FormTests {
  private let folder: LogFolder
  private let log: URL

  init() throws {
    folder = try LogFolder()
    log = folder.log("log.jsonl")
  }

  private func record(_ actions: [Form.Action]) {
    let recorder = Recorder(to: .file(log))
    let store = Store(initialState: Form.State()) { Form().recorded(as: "Form", to: recorder) }
    for action in actions { store.send(action) }
    recorder.flush()
  }

  private func replay(step: Int = 1, isContinuing: Bool = false) throws -> ReplayedLog {
    let feature = ReplayFeature("Form") {
      Form(step: step)
    } initialState: {
      Form.State()
    }
    let logs = try ReplayedLog.check(
      logsAt: log.path,
      of: feature.entry,
      isContinuing: isContinuing
    )
    return try #require(logs.first)
  }

  @Test func `a replay continues from the recorded state after an action that it cannot read`()
    throws
  {
    record([.binding(.set(\.place.x, 3)), .counted, .counted])
    let first = try replay(step: 2)
    #expect(first.text.hasPrefix("\(log.path): undecodable at action 1:"), "\(first.text)")
    #expect(!first.text.contains("more after it"), "\(first.text)")
    let all = try replay(step: 2, isContinuing: true)
    #expect(all.text.contains("and 2 more after it"), "\(all.text)")
    let same = try replay(isContinuing: true)
    #expect(!same.text.contains("more after it"), "\(same.text)")
  }

  @Test func `errors in the state keep their text in a replay`() throws {
    record([.failed(Refused()), .failed(Missing())])
    let replay = try replay()
    #expect(replay.isSame, "\(replay.text)")
  }
}
