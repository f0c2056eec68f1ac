import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import Testing

/// A value whose writing takes long.
private struct SlowText: Equatable, LogValue {
  var text: String

  func encode(to encoder: inout LogEncoder) {
    Thread.sleep(forTimeInterval: 0.05)
    encoder.value(text)
  }

  static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    Self(text: try decoder.value(String.self))
  }

  static var _$isWellFormed: Bool { true }
}

/// A feature that cancels its work with an action whose change is slow to write.
@Reducer @Loggable
private struct Worker {
  @ObservableState
  struct State: Equatable {
    var note = SlowText(text: "")
    var isRunning = false
  }

  enum Action {
    case startTapped
    case started
    case stopTapped
  }

  private enum CancelID { case work }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .startTapped:
        return .run { send in
          await send(.started)
          try await Task.sleep(for: .seconds(600))
        }
        .cancellable(id: CancelID.work)
      case .started:
        state.isRunning = true
        return .none
      case .stopTapped:
        state.note.text = "stopped"
        return .cancel(id: CancelID.work)
      }
    }
  }
}

/// Effects that end on other threads.
@Suite @MainActor
struct EffectEndTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  /// Records a session whose last action cancels an effect.
  private func record(to log: URL) async throws {
    let recorder = Recorder(to: .file(log))
    let store = Store(initialState: Worker.State()) {
      Worker().recorded(as: "Worker", to: recorder)
    }
    store.send(.startTapped)
    try await wait { store.state.isRunning }
    store.send(.stopTapped)
    try await wait {
      recorder.flush()
      let text = try? String(contentsOf: log, encoding: .utf8)
      return text?.contains(#""id":"1.0","event":"finished""#) == true
    }
  }

  @Test func `an effect that ends while a change is written ends after it in the log`() async throws
  {
    let log = folder.log("log.jsonl")
    try await record(to: log)
    let feature = ReplayFeature("Worker") {
      Worker()
    } initialState: {
      Worker.State()
    }
    let replay = try #require(try ReplayedLog.check(logsAt: log.path, of: feature.entry).first)
    #expect(
      replay.text.split(separator: "\n").first == "\(log.path): identical, through action 3"
    )
  }
}
