import ActionLog
import Synchronization
import TCACore
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder

private enum Plan: String, Sendable {
  case free
  case family = "correct horse"
}

@Reducer
private struct Shop {
  @ObservableState
  struct State: Equatable {
    var secret = ""
    var plan = Plan.free
    var plans: [String: [Plan?]] = [:]
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case chosen(Plan, String)
    case entered(String)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding: return .none
      case .chosen(let plan, let key):
        state.plan = plan
        state.plans[key] = [nil, plan]
        return .run(name: "order", input: [plan]) { _ in }
      case .entered(let text):
        state.secret = text
        return .none
      }
    }
  }
}

/// Raw values of enums, which masks leave in a recording.
@MainActor @Suite struct RawValueMaskTests {
  private func record(
    _ body: (StoreOf<Shop>) -> Void
  ) throws -> (log: MemorySink, complaints: [String]) {
    let sink = MemorySink()
    var configuration = RecorderConfiguration(sink.destination)
    configuration.masks = LogMasks(state: ["/secret"])
    let complaints = Mutex<[String]>([])
    configuration.complain = { text in complaints.withLock { $0.append(text) } }
    let recorder = Recorder(configuration)
    let store = Store(initialState: Shop.State()) { Shop().recorded(to: recorder) }
    body(store)
    recorder.flush()
    return (sink, complaints.withLock { $0 })
  }

  private static func warning(_ subject: String, _ path: String) -> String {
    "the log of Shop has the raw value of an enum in the \(subject) at \(path) that is equal to a masked text or contains one."
      + " Masks leave raw values as they are; add the pattern to the \(subject) masks if the value is secret."
  }

  @Test(arguments: ["correct horse", "horse"])
  func `an unmasked raw value that reveals a masked text is reported once for each path`(
    secret: String
  ) throws {
    let (log, complaints) = try record { store in
      store.send(.entered(secret))
      store.send(.chosen(.family, "a"))
      store.send(.chosen(.free, "a"))
      store.send(.chosen(.family, "b"))
    }
    #expect(
      Set(complaints) == [
        Self.warning("state", "/plan"), Self.warning("state", "/plans/*/*"),
        Self.warning("action", "/chosen/_0"), Self.warning("effect", "/input/*"),
      ]
    )
    #expect(complaints.count == 4)
    #expect(log.text.contains("correct horse"))
  }

  @Test func `raw values without a masked text and names of properties are not reported`() throws {
    let (_, complaints) = try record { store in
      store.send(.entered("secret"))
      store.send(.chosen(.family, "a"))
      store.send(.binding(.set(\.secret, "battery")))
      store.send(.chosen(.free, "b"))
    }
    #expect(complaints == [])
  }

  @Test func `a text beside a raw value in an action is not masked as the value of a binding`()
    throws
  {
    let (log, _) = try record { store in
      store.send(.chosen(.family, "staple"))
      store.send(.chosen(.family, "battery"))
    }
    #expect(log.text.contains(#""chosen":{"_0":"correct horse","_1":"battery"}"#), "\(log.text)")
  }
}
