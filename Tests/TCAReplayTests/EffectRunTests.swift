import ActionLog
import Foundation
import ReplayEngine
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// A feature whose effects end in all possible ways.
@Reducer
struct Workshop: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var log: [String] = []
    var parts: Set<String> = []
    var stamp: Date?
    var limits: [Tool: Int??] = [:]
  }

  enum Tool: String, Sendable, CaseIterable { case saw, drill }
  struct Broken: Error {}

  enum Action: Sendable {
    case chain
    case restart
    case cancelFromEffect
    case stubborn
    case fail
    case failQuietly
    case sleep(String)
    case stop
    case stopAndSay
    case both
    case chainedCancel
    case leaveSend
    case sendLate
    case said(String)
  }

  private enum CancelID: Hashable, Sendable {
    case work
    case numbered(Int)
  }

  @MainActor final class LeftBehind: Sendable {
    private var send: Send<Action>?

    func keep(_ send: Send<Action>) { self.send = send }

    func sendLate() { send?(.said("late")) }
  }

  let leftBehind = LeftBehind()
  @Dependency(\.continuousClock) var clock
  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid
  @Dependency(\.withRandomNumberGenerator) var random

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .said(let text):
        state.log.append(text)
        state.parts.insert(text)
        state.limits[random { Tool.allCases.randomElement(using: &$0) } ?? .saw] = .some(nil)
        return .none
      case .chain:
        state.stamp = date.now
        return .concatenate(
          say("a").cancellable(id: CancelID.work, cancelInFlight: true),
          .merge(say("b"), .send(.said("c"))),
          .concatenate(.send(.said("d")), say("e").cancellable(id: CancelID.numbered(1)))
        )
      case .restart:
        _ = uuid()
        return say("restarted").cancellable(id: CancelID.work, cancelInFlight: true)
      case .cancelFromEffect:
        return .run(name: "canceller") { send in
          try await clock.sleep(for: .seconds(1))
          Task.cancel(id: CancelID.work)
          await send(.said("cancelled"))
        }
      case .stubborn:
        return .run(name: "stubborn") { send in
          try? await clock.sleep(for: .seconds(5))
          await send(.said("never"))
        }
        .cancellable(id: CancelID.work)
      case .fail:
        return .run { _ in
          throw Broken()
        } catch: { _, send in
          await send(.said("f"))
        }
      case .failQuietly:
        return .concatenate(
          .run { _ in throw CancellationError() },
          .send(.said("after"))
        )
      case .sleep(let text): return say(text)
      case .stop: return .cancel(id: CancelID.work)
      case .stopAndSay:
        return .merge(.cancel(id: CancelID.work), .send(.said("1")), .send(.said("2")))
      case .both:
        return .merge(say("x"), say("y")).cancellable(id: CancelID.work).cancellable(
          id: CancelID.numbered(2)
        )
      case .chainedCancel:
        return .concatenate(
          say("w").cancellable(id: CancelID.numbered(3), cancelInFlight: true),
          .cancel(id: CancelID.work)
        )
        .cancellable(id: CancelID.numbered(1))
      case .leaveSend: return .run { await leftBehind.keep($0) }
      case .sendLate: return .run { _ in await leftBehind.sendLate() }
      }
    }
  }

  private func say(_ text: String) -> Effect<Action> {
    .run(name: text) { send in
      try await clock.sleep(for: .seconds(1))
      await send(.said(text))
    }
  }
}

/// A replay agrees with the recording for all outcomes of effects.
@MainActor
@Suite("Effect runs")
struct EffectRunTests {
  private static let actions: [Workshop.Action] = [
    .chain, .restart, .cancelFromEffect, .stubborn, .fail, .failQuietly, .sleep("s"), .stop,
    .stopAndSay, .both, .chainedCancel, .leaveSend, .sendLate,
  ]

  @Test(
    "A log with random effects replays as identical",
    arguments: Array(Thoroughness.seeds(15, thorough: 60)) + [61, 228, 311]
  )
  func random(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let clock = TestClock()
    var store: Store? = Store(initialState: Workshop.State()) {
      Workshop().recorded(to: .file(path))
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 1.5))
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(SplitMix64(seed: seed))
    }
    var tasks: [StoreTask] = []
    // A late send is an issue, which stores tolerate.
    await withIssueReporters([]) {
      for _ in 0..<50 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          let action = Self.actions[Int.random(in: 0..<Self.actions.count, using: &random)]
          if let task = store?.send(action) { tasks.append(task) }
        case 5: tasks.randomElement(using: &random)?.cancel()
        default: await clock.advance(by: .milliseconds(Int.random(in: 0...1500, using: &random)))
        }
      }
    }
    store = nil
    let found = try verdict(of: path, replayedWith: Workshop()) { Workshop.State() }
    let log = found == .identical ? "" : try String(contentsOfFile: path, encoding: .utf8)
    #expect(found == .identical, "seed \(seed): \(found)\n\(log)")
  }
}
