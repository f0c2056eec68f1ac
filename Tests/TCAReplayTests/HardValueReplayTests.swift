import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import TCAReplay
@testable import TCAReplaying

/// Values that are hard to encode, recorded and replayed by the same code.
@MainActor @Suite("Hard values in a replay")
struct HardValueReplayTests {
  struct Book: Codable, Equatable, Sendable {
    var title = ""
    var pages = Pages()
    struct Pages: Codable, Equatable, Sendable { var count = 0 }
  }

  struct Refused: Error, Codable { var code = 1 }
  struct Offline: Error {}

  @Reducer struct Screen {
    @ObservableState struct State {
      @Shared var title: String
      @Shared var row: Book
    }
    enum Action { case set(String) }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        guard case .set(let title) = action else { return .none }
        state.$title.withLock { $0 = title }
        return .none
      }
    }
  }

  @Reducer struct Values {
    @ObservableState struct State {
      var text = ""
      var table: [String: Int] = [:]
      var title = ""
      var count = 0
      var book = Book()
      var numbers = [0, 0]
      var erased: AnyHashable = 1
      var box: any Codable & Sendable = 1
      var pair = (1, two: 2)
      @Shared var shared: Book
      @Shared var row: Book
      var screens = StackState<Screen.State>()

      init() {
        _shared = Shared(value: Book())
        _row = Shared(value: Book())
      }

      var computed: Int {
        get { count }
        set { count = newValue }
      }
    }

    enum Action: BindableAction {
      case binding(BindingAction<State>)
      case text(String)
      case pair((Int, String))
      case labelled(at: (x: Int, y: String), Int)
      case failed(any Error)
      case boxed(any Sendable)
      case erase
      case open
      case screens(StackActionOf<Screen>)
    }

    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        state.count += 1
        switch action {
        case .text(let text):
          state.text = text
          state.table[text] = state.count
        case .pair(let pair): state.text = pair.1
        case .labelled(let place, _): state.text = place.y
        case .failed(let error):
          state.text =
            switch error {
            case is CancellationError: "cancelled"
            case let error as URLError: "\(error.code.rawValue) \(error.localizedDescription)"
            case let error as CocoaError: "\(error.code.rawValue)"
            case let error as POSIXError: "\(error.code)"
            case let error as Refused: "refused \(error.code)"
            default: "\(error)"
            }
        case .boxed(let value): state.text = "\(value)"
        case .erase:
          state.erased = "a"
          state.box = "b"
        case .open:
          state.screens.append(Screen.State(title: state.$shared.title, row: state.$row))
        case .binding, .screens: break
        }
        return .none
      }
      .forEach(\.screens, action: \.screens) { Screen() }
    }
  }

  /// Returns the verdict on a replay of a recording.
  private func verdict(_ record: (StoreOf<Values>) -> Void) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    return try withDependencies {
      $0.sharedReferences = SharedReferences()
    } operation: {
      // The store is not retained, so that the recording ends.
      record(
        Store(initialState: Values.State()) { Values().recorded(as: "Values", to: .file(path)) }
      )
      let result = try ReplayCheck(log: LogSlice(path: path, name: "log.jsonl")).run { _ in
        ReducerEngine(reducer: { Values() }, initialState: { Values.State() })
      }
      return switch result.verdict {
      case .notReplayable(let value): "not replayable: \(value.message)"
      case .undecodable(let value): "undecodable: \(value.message)"
      default: result.verdict.summary
      }
    }
  }

  @Test("A text with control characters replays as identical")
  func controlCharacters() throws {
    let verdict = try verdict { store in
      for number in UInt8(0)...0x7F {
        store.send(.text("a\(Character(Unicode.Scalar(number)))b\n"))
      }
    }
    #expect(verdict == "identical")
  }

  @Test("A tuple as the payload of an action replays as identical")
  func tuples() throws {
    #expect(try verdict { $0.send(.pair((1, "a"))) } == "identical")
  }

  @Test("A binding without a name is not replayable, and one with a name replays as identical")
  func bindings() throws {
    let named = try verdict {
      $0.send(.set(\.title, "a"))
      $0.send(.set(\.numbers, [1]))
    }
    #expect(named == "identical")
    let reason =
      "only variables of types with @ObservableState or @LogValue have a name in a log"
    let nameless: [BindingAction<Values.State>] = [
      .set(\.book.title, "a"), .set(\.book.pages.count, 2), .set(\.numbers[1], 3),
      .set(\.computed, 4), .set(\.table["a"], 5), .set(\.pair.two, 6),
    ]
    for action in nameless {
      let verdict = try verdict { $0.send(.binding(action)) }
      #expect(verdict.hasPrefix("not replayable: 'binding.set.0' was not recorded"), "\(verdict)")
      #expect(verdict.hasSuffix(reason), "\(verdict)")
    }
  }

  nonisolated static let errors: [any Error] = [
    CancellationError(), URLError(.notConnectedToInternet),
    URLError(.badURL, userInfo: [NSURLErrorFailingURLErrorKey: URL(filePath: "/a")]),
    CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "There is none."]),
    POSIXError(.ENOENT), Refused(code: 7),
  ]

  @Test("An error in an action replays as identical", arguments: errors.indices)
  func errors(_ index: Int) throws {
    #expect(try verdict { $0.send(.failed(Self.errors[index])) } == "identical")
  }

  @Test(
    "A value in an AnyHashable state replays, but a value behind any Sendable is refused with a suggested fix"
  )
  func boxes() throws {
    #expect(
      try verdict {
        $0.send(.erase)
        $0.send(.text("a"))
      } == "identical"
    )
    let boxed = try verdict { $0.send(.boxed(1)) }
    #expect(
      boxed
        == "undecodable: 'boxed.0' cannot be read as Any, for the log does not have the type of what is in it: "
        + "declare it with a type that is LogValue or Codable"
    )
  }

  @Test("Shared values stay shared in a replay after a change from outside")
  func shared() throws {
    let verdict = try verdict { store in
      store.send(.open)
      store.state.$row.withLock { $0.title = "changed outside" }
      let id = store.state.screens.ids[0]
      store.send(.screens(.element(id: id, action: .set("b"))))
    }
    #expect(verdict == "identical")
  }
}
