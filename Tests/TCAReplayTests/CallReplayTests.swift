import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCARecorder
import TCAReplay
import TestSupport
import Testing

@testable import TCAReplaying

/// Logs with the calls of effects replay as logs without them.
@MainActor
@Suite("Replays of logs with calls")
struct CallReplayTests {
  /// Records a user who enters a wrong password, then logs in, and enters the code.
  private func record(to path: String, calls: CallFilter?) async {
    var configuration = RecorderConfiguration(.file(path))
    configuration.calls = calls
    let store = Store(initialState: Account.State()) {
      Account().recorded(to: Recorder(configuration))
    } withDependencies: {
      $0[AccountClient.self] = .liveValue
      $0.continuousClock = ImmediateClock()
    }
    await store.send(.task).finish()
    await store.send(.phase(.login(.view(.binding(.set(\.email, "ada@example.com")))))).finish()
    for password in ["guess", "enigma"] {
      await store.send(.phase(.login(.view(.binding(.set(\.password, password)))))).finish()
      await store.send(.phase(.login(.view(.logInButtonTapped)))).finish()
    }
  }

  private func kinds(_ path: String) throws -> [String] {
    try events(path).map(\.kind)
  }

  private func events(_ path: String) throws -> [LogEvent] {
    var reader = try LogReader(path: path)
    var events: [LogEvent] = []
    while let entry = try reader.next() { events.append(entry.event) }
    return events
  }

  @Test("A log with calls replays as identical, and its replay has the same calls")
  func identical() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(to: path, calls: CallFilter())
    let calls = try events(path).compactMap { event in
      if case .call(let call) = event { call } else { nil }
    }
    #expect(calls.map(\.key).filter { $0 == "AccountClient.logIn" }.count == 2)
    guard case .threw(let error) = calls.first(where: { $0.key == "AccountClient.logIn" })?.outcome
    else { throw CancellationError() }
    #expect(error["$error"]?["type"] == "AccountError")

    let found = try verdict(of: path, replayedWith: Account()) { Account.State() }
    #expect(found == .identical)

    var session = ReplaySession(events: try LogSlice.slices(of: path, name: path)[0].events()) {
      _ in
      ReducerEngine(reducer: { Account() }, initialState: { Account.State() })
    }
    var replayed: [LogEvent.Call] = []
    while let event = try session.next() {
      if case .call(let call) = event { replayed.append(call) }
    }
    #expect(replayed == calls)
  }

  @Test("Recording calls adds call events to a log and changes nothing else")
  func additive() async throws {
    let folder = try TemporaryFolder()
    await record(to: folder.path + "/with.jsonl", calls: CallFilter())
    await record(to: folder.path + "/without.jsonl", calls: nil)
    let with = try kinds(folder.path + "/with.jsonl")
    let without = try kinds(folder.path + "/without.jsonl")
    #expect(with.filter { $0 != "call" } == without && with != without)
  }
}
