import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import TCAReplay
@testable import TCAReplaying

/// Errors in a replay whose types have moved, were removed, or were never in the log.
@MainActor @Suite("Errors of other modules in a replay")
struct MovedErrorTests {
  struct Refused: LocalizedError, Codable, Equatable {
    var code: Int
    var errorDescription: String? { "Refused with \(code)" }
  }

  struct Offline: LocalizedError {
    let host: String
    var errorDescription: String? { "\(host) cannot be reached" }
  }

  @Reducer struct Loader {
    @ObservableState struct State { var text = "" }
    enum Action {
      case failed(any Error)
      case loaded(Result<Int, any Error>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .failed(let error), .loaded(.failure(let error)):
          state.text = (error as? Refused).map { "code \($0.code)" } ?? error.localizedDescription
        case .loaded(.success(let value)): state.text = "\(value)"
        }
        return .none
      }
    }
  }

  /// Checks the replay of a log.
  private func check(
    sending actions: [Loader.Action],
    rewriting rewrite: (String) -> String = { $0 }
  ) throws -> ReplayCheck.Result {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    do {
      let store = Store(initialState: Loader.State()) {
        Loader().recorded(as: "Loader", to: .file(path))
      }
      for action in actions { store.send(action) }
    }
    let text = rewrite(try folder.read("log.jsonl"))
    try folder.write(text, to: "log.jsonl")
    return try ReplayCheck(log: LogSlice(path: path, name: "log.jsonl")).run { _ in
      ReducerEngine(reducer: { Loader() }, initialState: { Loader.State() })
    }
  }

  private static let module = String(String(reflecting: Self.self).prefix { $0 != "." })

  private static func moved(_ text: String) -> String {
    text.replacing("\"symbol\":\"\(module.utf8.count)\(module)", with: "\"symbol\":\"7AppCore")
  }

  @Test func `a log with an error whose type has moved to another module replays as identical`()
    throws
  {
    let result = try check(sending: [
      .failed(Refused(code: 3)), .loaded(.failure(Refused(code: 4))),
    ]) {
      let text = Self.moved($0)
      #expect(text != $0)
      return text
    }
    #expect(result.verdict.name == "identical")
    #expect(result.notReadBack.isEmpty)
  }

  @Test func `a log with an error whose type is missing diverges, and the result names the type`()
    throws
  {
    let result = try check(sending: [.failed(Refused(code: 3))]) {
      $0.replacing("7Refused", with: "4Gone").replacing("Refused\"", with: "Gone\"")
    }
    #expect(result.verdict.name == "diverged")
    #expect(
      result.notReadBack.map { $0.text() } == [
        "MovedErrorTests.Gone in action .failed (this build has no such type)"
      ]
    )
  }

  @Test
  func `a log with a localized error that cannot be decoded replays with the recorded description`()
    throws
  {
    let result = try check(sending: [
      .failed(Offline(host: "example.org")), .loaded(.failure(Offline(host: "b.example"))),
    ])
    #expect(result.verdict.name == "identical")
    #expect(
      result.notReadBack.map(\.type) == ["MovedErrorTests.Offline", "MovedErrorTests.Offline"]
    )
  }
}
