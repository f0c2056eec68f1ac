import ActionLog
import Foundation
import ReplayEngine
import ReplayTestSupport
import TestSupport
import Testing

@testable import TCAReplay
@testable import TCAReplaying

/// A store that continues from a log distinguishes ids with the same text, as the previous store did.
@MainActor
@Suite("Ids that print alike in stores that go on", .serialized)
struct AlikeIDContinuationTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/log.jsonl" }
  private var new: String { folder.path + "/new.jsonl" }

  init() throws { folder = try TemporaryFolder() }

  private struct Continuation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The actions before the store continues.
    let starts: [Loaders.Action]
    /// The following action.
    let stop: Loaders.Action
    /// The effects that it cancels.
    let cancelled: [String]
  }

  private nonisolated static func load(_ ids: String...) -> [Loaders.Action] {
    ids.map { .load($0, under: $0, milliseconds: 900, cancelInFlight: false) }
  }

  /// Returns cases with two effects, one of which an action stops.
  private nonisolated static func pair(_ first: String, _ second: String) -> [Continuation] {
    [(first, "1.0"), (second, "2.0")].map { id, effect in
      Continuation(
        testDescription: id,
        starts: load(first, second),
        stop: .stop(id),
        cancelled: [effect]
      )
    }
  }

  private nonisolated static let continuations: [Continuation] =
    pair("local", "other local") + pair("generic", "other generic") + pair("object 1", "object 2")
    + children + [
      Continuation(
        testDescription: "an id that nothing runs under",
        starts: load("local", "private"),
        stop: .stop("other local"),
        cancelled: []
      ),
      Continuation(
        testDescription: "the id in flight",
        starts: load("local", "other local"),
        stop: .load("new", under: "other local", milliseconds: 9, cancelInFlight: true),
        cancelled: ["2.0"]
      ),
    ]

  private nonisolated static let children = [
    Continuation(
      testDescription: "in the left sheet",
      starts: [.leftSheet(.load), .rightSheet(.load)],
      stop: .leftSheet(.stop),
      cancelled: ["2.0"]
    ),
    Continuation(
      testDescription: "in the right sheet",
      starts: [.leftSheet(.load), .rightSheet(.load)],
      stop: .rightSheet(.stop),
      cancelled: ["4.0"]
    ),
    Continuation(
      testDescription: "the left sheet itself",
      starts: [.leftSheet(.load), .rightSheet(.load)],
      stop: .left(.toggle),
      cancelled: ["2.0"]
    ),
    Continuation(
      testDescription: "the right sheet itself",
      starts: [.leftSheet(.load), .rightSheet(.load)],
      stop: .right(.toggle),
      cancelled: ["4.0"]
    ),
  ]

  @Test(arguments: continuations)
  private func `an action in a restored store cancels the same effects as in the original store`(
    _ continuation: Continuation
  ) async throws {
    var initial = Loaders.State()
    initial.left.sheet = SheetLoader.State()
    initial.right.sheet = SheetLoader.State()
    let steps = continuation.starts + [.loaded("before"), .loaded("last")]
    await record(Loaders(), initialState: initial, steps: steps.map { .send($0) }, to: path)
    try addCheckpoints()
    var store: Store? = try Store(
      replaying: .file(path),
      through: lastAction()
    ) { [new] in
      Loaders().recorded(to: .file(new))
    } withDependencies: {
      $0.continuousClock = TestClock()
    } restarting: { effect in
      .effect(.run(name: effect.name ?? "") { _ in try await Task.never() })
    }
    store?.send(continuation.stop)
    store = nil
    let cancelled = try RecordedRun(new).events.compactMap { event -> String? in
      guard case .effect(let effect) = event, case .cancelled(by: .action, _) = effect.event else {
        return nil
      }
      return effect.id.description
    }
    #expect(cancelled == continuation.cancelled)
    let verdict = try verdict(of: new, replayedWith: Loaders()) { Loaders.State() }
    #expect(verdict == .identical)
  }

  /// Writes a checkpoint after each action, so that the last one lists effects whose ids have the same text.
  private func addCheckpoints() throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let all = try LongLog.withCheckpoints(lines.map(String.init)) { _ in
      ReducerEngine(reducer: { Loaders() }, initialState: { Loaders.State() })
    }
    try (all.joined(separator: "\n") + "\n")
      .write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func lastAction() throws -> Int? {
    try RecordedRun(path).events.compactMap { event in
      if case .action(let action) = event { action.seq } else { nil }
    }.last
  }
}
