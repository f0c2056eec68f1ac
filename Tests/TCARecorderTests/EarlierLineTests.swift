import ActionLog
import Synchronization
import TCACore
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder

@Reducer
private struct Notebook {
  @ObservableState
  struct State: Equatable {
    var secret = ""
    var notes: [String: String] = [:]
  }

  enum Action {
    case entered(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .entered(let text): state.secret = text
      }
      return .none
    }
  }
}

/// Commands that a recorder suggests.
@MainActor @Suite struct EarlierLineTests {
  @Test(
    arguments: [
      ("log.jsonl", "a", "LOG", "/notes/a"),
      ("a b; touch X.jsonl", "`k; touch X;`", "'LOG'", "'/notes/`k; touch X;`'"),
      ("it's.jsonl", "a$(k)", #"'FOLDER/it'\''s.jsonl'"#, "'/notes/a$(k)'"),
    ]
  )
  func `the mask command that a warning suggests quotes the file and the path`(
    name: String,
    key: String,
    quotedFile: String,
    quotedPath: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(name)"
    let messages = Mutex<[String]>([])
    var configuration = RecorderConfiguration(.file(path))
    configuration.masks = LogMasks(state: ["/secret"])
    configuration.complain = { message in messages.withLock { $0.append(message) } }
    let store = Store(initialState: Notebook.State(notes: [key: "a new friend"])) {
      Notebook().recorded(to: Recorder(configuration))
    }
    store.send(.entered("a new friend"))
    let file = quotedFile.replacing("LOG", with: path).replacing("FOLDER", with: folder.path)
    #expect(
      messages.withLock { $0 } == [
        "line 2 of \(path) shows a text that is masked by now: it was written before the text came to a masked place."
          + " 'tca-replay mask \(file) --path \(quotedPath) -o masked.jsonl' makes a log without it."
      ]
    )
  }
}
