import Foundation
import TCARecorder

/// An app with secrets that masks keep out of its log, killed in the middle of an action: `CrashingApp LOG masked-N`.
///
/// It prints each secret before it uses it.
enum MaskedApp {
  @MainActor
  static func run(_ path: String, killedAt last: Int) async {
    var configuration = RecorderConfiguration(.file(path))
    configuration.masks = LogMasks(state: ["/password", "/history/*"], action: ["/ask/_0"])
    let store = Store(initialState: Safe.State()) {
      Safe(last: last).recorded(to: Recorder(configuration))
    }
    for number in 0..<200 {
      let secret = "\(number)-\(UUID().uuidString)"
      FileHandle.standardOutput.write(Data("\(secret)\n".utf8))
      switch number % 3 {
      case 0: store.send(.typed(secret))
      case 1: store.send(.binding(.set(\.password, secret)))
      default: await store.send(.ask(secret)).finish()
      }
    }
  }
}

/// A feature that stores received values, and whose reducer ends the process.
@Reducer
struct Safe: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var password = ""
    var history: [String] = []
    var count = 0
  }

  enum Action: BindableAction, Sendable {
    case binding(BindingAction<State>)
    case typed(String)
    case ask(String)
    case answered(Result<String, any Error>)
  }

  struct Refusal: Error { let text: String }

  /// The action that ends the process.
  let last: Int

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      state.count += 1
      var effect = Effect<Action>.none
      switch action {
      case .binding: state.history.append(state.password)
      case .typed(let text): state.password = text
      case .ask(let text):
        effect = .run(name: "ask", input: text) { send in
          if text.hasSuffix("0") {
            await send(.answered(.failure(Refusal(text: text))))
          } else {
            await send(.answered(.success(text)))
          }
        }
      case .answered(.success(let text)): state.history.append(text)
      case .answered(.failure(let error)): state.password = (error as? Refusal)?.text ?? ""
      }
      if state.count == last { kill(getpid(), SIGKILL) }
      return effect
    }
  }
}
