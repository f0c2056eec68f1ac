import ActionLog
import Foundation
import Synchronization
import TCAReplay
import TestSupport
import Testing

@testable import ReplayEngine
@testable import TCACore
@testable import TCAReplaying

/// A task that retains the scope of its reads after the action, as one that a reducer has started.
@Reducer
private struct Keeper: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var seen = ""
  }

  enum Action: Sendable {
    case keep
    case look
    case ask
  }

  final class Kept: Sendable {
    let scope = Mutex<ReducerReadScope?>(nil)
  }

  let kept: Kept

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .keep: kept.scope.withLock { $0 = ReducerReadScope.current }
      case .look:
        state.seen = ReducerReadScope.$current.withValue(kept.scope.withLock { $0 }) {
          ReducerReadScope.read("uuid", standIn: "a stand-in", live: { "the world" })
        }
      case .ask:
        state.seen = ReducerReadScope.read("uuid", standIn: "a stand-in", live: { "the world" })
      }
      return .none
    }
  }
}

/// The scope of reads is reused from action to action, and is still closed after each of them.
@Suite struct PassedReadsTests {
  private static let head = [
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"K","feature":"Keeper","stateType":"Keeper.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0.1.0","environment":{},"segment":1}"#,
    #"{"kind":"checkpoint","seq":0,"state":{"seen":""},"effects":[]}"#,
  ]

  private static func verdict(_ lines: [String]) throws -> Verdict? {
    let kept = Keeper.Kept()
    let feature = ReplayFeature("Keeper") {
      Keeper(kept: kept)
    } initialState: {
      Keeper.State()
    }
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    try ((head + lines).joined(separator: "\n") + "\n").write(
      toFile: path,
      atomically: false,
      encoding: .utf8
    )
    return try Verdict.ofReplay(logAt: path) { _ in try feature.entry.makeEngine() }.first
  }

  @Test func `a read scope that a feature retains cannot be used after its action`() throws {
    let verdict = try Self.verdict([
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"keep":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[]}"#,
      #"{"kind":"action","seq":2,"at":2,"origin":"view","action":{"look":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/seen","value":"the world"}]}"#,
      #"{"kind":"end","seq":2,"reason":"closed"}"#,
    ])
    #expect(verdict == .identical)
  }

  @Test func `a read that was not recorded diverges, even if the previous action had no reads`()
    throws
  {
    let verdict = try Self.verdict([
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"keep":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[]}"#,
      #"{"kind":"action","seq":2,"at":2,"origin":"view","action":{"ask":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/seen","value":"a stand-in"}]}"#,
      #"{"kind":"end","seq":2,"reason":"closed"}"#,
    ])
    #expect(verdict?.at == 2)
    #expect(verdict?.divergence?.differences.map(\.cause) == [.reads])
    #expect(verdict?.divergence?.differences.map(\.subject) == ["uuid"])
  }

  @Test func `each action of a replay receives the reads that were recorded for it`() throws {
    let verdict = try Self.verdict([
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"ask":{}}}"#,
      #"{"kind":"read","seq":1,"key":"uuid","value":"A"}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/seen","value":"A"}]}"#,
      #"{"kind":"action","seq":2,"at":2,"origin":"view","action":{"ask":{}}}"#,
      #"{"kind":"read","seq":2,"key":"uuid","value":"B"}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/seen","value":"B"}]}"#,
      #"{"kind":"action","seq":3,"at":3,"origin":"view","action":{"keep":{}}}"#,
      #"{"kind":"change","seq":3,"patch":[]}"#,
      #"{"kind":"end","seq":3,"reason":"closed"}"#,
    ])
    #expect(verdict == .identical)
  }

  @Test func `a read may be missing in the log if the change of its action is torn`() throws {
    let verdict = try Self.verdict([
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"ask":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"rep"# + "\u{0}",
    ])
    #expect(verdict?.isSame == true, "\(String(describing: verdict))")
  }
}
