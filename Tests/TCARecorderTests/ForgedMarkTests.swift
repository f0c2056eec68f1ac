import ActionLog
import Foundation
import TCACore
import Testing

@testable import ActionRecording
@testable import TCARecorder

@Reducer
struct Forger {
  @ObservableState
  struct State: Equatable {
    var secret = ""
    var copy = ""
    var counts: [String: Int] = [:]
    var data = Data()
    var link: URL?
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case set(String)
    case spell
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding: break
      case .set(let text):
        state.secret = text
        state.copy = "it is \(text)"
        state.counts[text, default: 0] += 1
        return .run(name: "set", input: text) { _ in }
      case .spell:
        state.copy = "\([state.secret])"
        state.data = Data(state.secret.utf8)
        var components = URLComponents(string: "https://example.org/")
        components?.queryItems = [URLQueryItem(name: "q", value: state.secret)]
        state.link = components?.url
      }
      return .none
    }
  }
}

/// Values of an app that look like the encoder's marks, and secrets in other spellings.
@MainActor @Suite struct ForgedMarkTests {
  private func log(
    masks: LogMasks,
    _ body: (StoreOf<Forger>, Recorder) -> Void
  ) throws -> MemorySink {
    let sink = MemorySink()
    var configuration = RecorderConfiguration(sink.destination)
    configuration.masks = masks
    let recorder = Recorder(configuration)
    let store = Store(initialState: Forger.State()) { Forger().recorded(to: recorder) }
    body(store, recorder)
    recorder.flush()
    return sink
  }

  @Test(arguments: ["d", "c", "m", "s"])
  func `a text that contains an internal mark of an old version is masked like any other text`(
    kind: String
  ) throws {
    let text = "\u{10FFFD}\(kind)SECRETVALUE"
    let sink = try log(masks: LogMasks(state: ["/secret", "/counts"])) { store, recorder in
      store.send(.set(text))
      store.send(.binding(.set(\.secret, text)))
      recorder.note("it was \(text)")
    }
    #expect(!sink.text.contains("SECRETVALUE"), "\(sink.text)")
  }

  @Test func `an unmasked text that contains an internal mark of an old version remains unchanged`()
    throws
  {
    let text = "\u{10FFFD}cTITLE"
    let sink = try log(masks: LogMasks(state: ["/secret"])) { store, _ in
      store.send(.binding(.set(\.copy, text)))
    }
    #expect(sink.text.contains(#""path":"/copy","value":"\#(text)""#), "\(sink.text)")
    #expect(sink.text.contains(#"{"_0":"copy","_1":"\#(text)"}"#), "\(sink.text)")
  }

  @Test(arguments: ["Zoë \"pass\"/word\n", "correct horse", "Zoe\u{308} naïve"])
  func `a log contains no spelling of a masked text`(secret: String) throws {
    let sink = try log(masks: LogMasks(state: ["/secret"])) { store, recorder in
      store.send(.set(secret))
      store.send(.spell)
      recorder.note(secret.decomposedStringWithCanonicalMapping)
      recorder.note("\([secret.precomposedStringWithCanonicalMapping])")
    }
    let end = secret.suffix(4)
    var forms = [
      secret, String(secret.debugDescription.dropFirst().dropLast()),
      Data(secret.utf8).base64EncodedString(),
      secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
    ]
    forms += forms.map(\.decomposedStringWithCanonicalMapping)
    for form in forms + ["naïve", "horse", "word", String(end)] {
      let written = JSON.string(form).description.dropFirst().dropLast()
      #expect(!sink.text.contains(written), "\(form) in \(sink.text)")
    }
  }

  @Test func `a short masked text is hidden if it is a separate word, but not inside other words`()
    throws
  {
    let sink = try log(masks: LogMasks(state: ["/secret"])) { store, recorder in
      store.send(.set("Eva"))
      recorder.note("Evaluate what Eva said")
    }
    #expect(!sink.text.contains(/\bEva\b/), "\(sink.text)")
    #expect(sink.text.contains("Evaluate what masked"))
  }
}
