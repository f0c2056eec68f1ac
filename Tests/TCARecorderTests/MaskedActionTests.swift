import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder
@testable import TCAReplaying

/// A text that is typed letter by letter, or arrives at once, and ends at a masked path.
@Reducer
struct Profile {
  /// A type whose members have no names in a log.
  struct Card: Codable, Equatable { var number = "" }

  @ObservableState
  struct State: Equatable {
    var email = ""
    var card = Card()
    var name = ""
    var hint = ""
    var isComplete = false
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case entered(String)
    case checked(String)
    case load
    case loaded(Result<[String: String], any Error>)
    case noted(String)
  }

  struct Refused: Error, CustomStringConvertible {
    let email: String
    var description: String { "no account for \(email)" }
  }

  @Dependency(Directory.self) var directory

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding:
        state.isComplete = !state.email.isEmpty
        return .none
      case .entered(let email):
        state.email = email
        state.hint = "We write to \(email)."
        return .none
      case .checked(let email):
        state.email = email
        state.hint = "We write to \(email)."
        return .run(name: "check \(email)", input: email) { _ in throw Refused(email: email) }
          .cancellable(id: email)
      case .load:
        state.email = directory.email()
        let email = state.email
        return .run { send in await send(.loaded(.success([email: "found"]))) }
      case .loaded(let result):
        if case .success(let found) = result, let email = found.keys.first { state.email = email }
        return .none
      case .noted(let text):
        state.hint = text
        return .none
      }
    }
  }
}

@DependencyClient
struct Directory: Sendable {
  var email: @Sendable () -> String = { "" }
}

extension Directory: DependencyKey {
  static let liveValue = Directory(email: { "zoe@example.org" })
}

@Reducer
struct People {
  @Reducer
  enum Path {
    case settings(Profile)
  }

  @ObservableState
  struct State {
    var profile = Profile.State()
    var rows: IdentifiedArrayOf<Contact.State> = []
    var path = StackState<Path.State>()
    var tries: [String: Int] = [:]
  }

  enum Action {
    case profile(Profile.Action)
    case rows(IdentifiedActionOf<Contact>)
    case path(StackActionOf<Path>)
    case open
    case tried(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.profile, action: \.profile) { Profile() }
    Reduce { state, action in
      switch action {
      case .open: state.path.append(.settings(Profile.State()))
      case .tried(let email):
        state.tries[email, default: 0] += 1
        state.profile.email = email
      case .profile, .rows, .path: break
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Contact() }
    .forEach(\.path, action: \.path)
  }
}

@Reducer
struct Contact {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var phone = ""
    var title = ""
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
  }

  var body: some ReducerOf<Self> { BindingReducer() }
}

@MainActor
@Suite("Actions that carry masked values")
struct MaskedActionTests {
  private func record(
    _ masks: LogMasks,
    _ body: (StoreOf<People>, Recorder) async throws -> Void
  ) async throws -> MemorySink {
    let sink = MemorySink()
    var configuration = RecorderConfiguration(sink.destination)
    configuration.masks = masks
    let recorder = Recorder(configuration)
    let store = Store(
      initialState: People.State(rows: [Contact.State(id: 1), Contact.State(id: 2)])
    ) {
      People().recorded(to: recorder)
    } withDependencies: {
      $0[Directory.self] = .liveValue
    }
    try await body(store, recorder)
    return sink
  }

  private func type(_ text: String, _ send: (String) -> Void) {
    for end in text.indices.dropFirst() { send(String(text[..<end])) }
    send(text)
  }

  /// Returns the lines without the first ones.
  private func lines(_ sink: MemorySink) -> String {
    sink.lines.dropFirst().joined(separator: "\n")
  }

  struct Typed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let mask: MaskPath
    let send: @MainActor @Sendable (StoreOf<People>, String) -> Void
  }

  private nonisolated static let typed = [
    Typed(testDescription: "in a nested feature", mask: "/profile/email") {
      $0.send(.profile(.binding(.set(\.email, $1))))
    },
    Typed(testDescription: "in a row", mask: "/rows/*/phone") {
      $0.send(.rows(.element(id: 2, action: .binding(.set(\.phone, $1)))))
    },
    Typed(testDescription: "in an element of a stack", mask: "/path/*/element/settings/_0/email") {
      guard let id = $0.withState(\.path.ids.last) else { return }
      $0.send(.path(.element(id: id, action: .settings(.binding(.set(\.email, $1))))))
    },
    Typed(testDescription: "in a state that is masked as a whole", mask: "/profile") {
      $0.send(.profile(.binding(.set(\.email, $1))))
    },
    Typed(testDescription: "wherever it is", mask: "/**/email") {
      $0.send(.profile(.binding(.set(\.email, $1))))
    },
  ]

  @Test("No part of a text that is typed into a masked field is in the log", arguments: typed)
  func keystrokes(row: Typed) async throws {
    let sink = try await record(LogMasks(state: [row.mask])) { store, _ in
      store.send(.open)
      type("zoë@example.org") { row.send(store, $0) }
    }
    let text = lines(sink)
    #expect(!text.contains("zo"))
    // The value of a binding is masked before it is reduced, so no action is withheld.
    #expect(!text.contains("\"kind\":\"withheld\""))
    #expect(
      text.contains("\"set\":{\"_0\":\"email\",\"_1\":\"masked")
        || text.contains("\"phone\",\"_1\":\"masked")
    )
  }

  @Test("If a mask may cover a binding without a name, its value is not logged")
  func namelessBindings() async throws {
    let sink = try await record(LogMasks(state: ["/profile/card/number"])) { store, _ in
      type("zoë1234") { store.send(.profile(.binding(.set(\.card.number, $0)))) }
    }
    let text = lines(sink)
    #expect(!text.contains("zo"))
    #expect(text.contains(#""set":{"_0":{"$opaque":"WritableKeyPath<Profile.State, String>""#))
  }

  @Test("A binding of an unmasked member is logged in full, with its change")
  func otherMembers() async throws {
    let sink = try await record(LogMasks(state: ["/rows/*/phone"])) { store, _ in
      store.send(.rows(.element(id: 2, action: .binding(.set(\.title, "Friend")))))
    }
    #expect(
      sink.lines.dropFirst() == [
        #"{"kind":"withheld","seq":1,"at":0,"origin":"view","cases":["rows","element","binding"]}"#,
        #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"rows":{"_0":{"element":{"id":2,"action":{"binding":{"_0":{"set":{"_0":"title","_1":"Friend"}}}}}}}}}"#,
        #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/rows/1/title","value":"Friend"}]}"#,
        #"{"kind":"end","seq":1,"reason":"closed"}"#,
      ]
    )
  }

  @Test("An action that brings a masked value is masked, as are its effects and errors")
  func payloads() async throws {
    let sink = try await record(LogMasks(state: ["/profile/email"])) { store, recorder in
      await withKnownIssue {
        await store.send(.profile(.checked("zoe@example.org"))).finish()
      } matching: {
        "\($0)".contains("that nothing caught")
      }
      recorder.note("zoe@example.org called")
    }
    let text = lines(sink)
    #expect(!text.contains("zoe"))
    #expect(text.contains(#""cases":["profile","checked"]"#))
    #expect(text.contains(#""name":"check masked"#))
    #expect(text.contains(#""description":"no account for masked"#))
    #expect(text.contains(#""value":"We write to masked"#))
    #expect(text.contains(" called"))
  }

  @Test("In a log with masks, the reads of an action are masked and precede its change")
  func reads() async throws {
    let sink = try await record(LogMasks(state: ["/profile/email"])) { store, _ in
      await store.send(.profile(.load)).finish()
    }
    let text = lines(sink)
    #expect(!text.contains("zoe"))
    let kinds = sink.lines.dropFirst().map { $0.prefix { $0 != "," } }
    #expect(
      kinds == [
        #"{"kind":"action""#, #"{"kind":"read""#, #"{"kind":"change""#, #"{"kind":"withheld""#,
        #"{"kind":"action""#, #"{"kind":"change""#, #"{"kind":"effect""#, #"{"kind":"end""#,
      ]
    )
  }

  @Test("A masked key of a dictionary is hidden, and a member of that name keeps its name")
  func keys() async throws {
    let sink = try await record(LogMasks(state: ["/profile/email"])) { store, _ in
      store.send(.tried("hint"))
      store.send(.tried("open"))
    }
    let text = lines(sink)
    #expect(!text.contains("open"))
    #expect(text.contains(#""path":"/tries/masked"#))
    // The member keeps its name. A key that equals the name of a member is not a secret.
    #expect(!text.contains("/tries/hint"))
  }

  @Test(
    "If an action path has carried a masked value, later actions are masked at that path"
  )
  func carriers() async throws {
    let sink = try await record(LogMasks(state: ["/profile/email"])) { store, _ in
      store.send(.profile(.entered("ann@example.org")))
      store.send(.profile(.entered("bob")))
      store.send(.profile(.entered("cyd@example.org")))
    }
    let text = lines(sink)
    for name in ["ann", "bob", "cyd"] { #expect(!text.contains("entered\":{\"_0\":\"\(name)")) }
    #expect(text.matches(of: /"kind":"withheld"/).count == 1)
  }

  @Test("An action whose path is excluded from masking is logged before its reducer runs")
  func cleared() async throws {
    let masks = LogMasks(state: ["/profile/email"], cleared: ["/profile/_0/noted/_0"])
    let sink = try await record(masks) { store, _ in store.send(.profile(.noted("a note"))) }
    #expect(
      sink.lines[1]
        == #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"profile":{"_0":{"noted":{"_0":"a note"}}}}}"#
    )
  }

  @Test("The header of a log with masks requires support for withheld actions")
  func requirement() async throws {
    let sink = try await record(LogMasks(state: ["/profile/email"])) { store, _ in store.send(.open)
    }
    guard case .header(let header) = try sink.events().first else {
      Issue.record("no header")
      return
    }
    #expect(header.requires == ["withheld"])
  }
}

@MainActor
@Suite("Masked forms")
struct MaskedFormTests {
  private func verdict(_ log: String) throws -> Verdict? {
    let folder = try TemporaryFolder()
    let path = try folder.write(log, to: "log.jsonl")
    return try Verdict.ofReplay(logAt: path) { _ in
      ReducerEngine(reducer: { People() }, initialState: { People.State() })
    }.first
  }

  private func record(_ body: (StoreOf<People>) -> Void) -> MemorySink {
    let sink = MemorySink()
    var configuration = RecorderConfiguration(sink.destination)
    configuration.masks = LogMasks(
      state: ["/profile/email", "/path/*/element/settings/_0/email", "/tries"]
    )
    var store: StoreOf<People>? = Store(initialState: People.State()) {
      People().recorded(to: Recorder(configuration))
    }
    if let store { body(store) }
    store = nil
    return sink
  }

  @Test("A masked form whose fields are typed and emptied repeatedly replays as identical")
  func form() throws {
    let sink = record { store in
      store.send(.open)
      for text in ["a", "ad", "ada", "ada@", "ada@x", "", "b", "bob@", ""] {
        store.send(.profile(.binding(.set(\.email, text))))
        store.send(.profile(.binding(.set(\.name, text.isEmpty ? "nobody" : "somebody"))))
      }
      store.send(.tried("ada@"))
    }
    #expect(try verdict(sink.text) == .identical)
  }

  @Test("A log whose state contains a masked word in a text of the code replays as identical")
  func wordsOfCode() throws {
    let sink = record { store in
      store.send(.profile(.entered("writ")))
      store.send(.profile(.entered("eml!")))
    }
    #expect(!sink.text.contains("We write to"))
    #expect(try verdict(sink.text) == .identical)
  }

  @Test("A log that ends within a withheld action is replayed up to the action before it")
  func cut() throws {
    let sink = record { store in
      store.send(.open)
      store.send(.profile(.noted("a note")))
    }
    let lines = sink.text.split(separator: "\n")
    let index = try #require(lines.firstIndex { $0.contains("\"kind\":\"withheld\"") })
    #expect(try verdict(lines[...index].joined(separator: "\n") + "\n") == .cut(at: 1))
    #expect(try verdict(sink.text) == .identical)
  }
}
