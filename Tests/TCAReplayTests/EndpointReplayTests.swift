import ActionLog
import Foundation
import ReplayAnalyses
import ReplayEngine
import TCARecorder
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

@DependencyClient
struct Dice: Sendable {
  var roll: @Sendable (_ sides: Int) -> Int = { _ in 0 }
  var weigh: @Sendable () throws -> Double
}

extension Dice: DependencyKey {
  /// Counts calls of the endpoint, which a replay must not make.
  static let calls = LockIsolated(0)
  static let liveValue = Dice(
    roll: { sides in
      calls.withValue { $0 += 1 }
      return sides
    },
    weigh: {
      calls.withValue { $0 += 1 }
      throw Lost()
    }
  )

  struct Lost: Error {}
}

@Reducer
struct Table: Sendable {
  /// Whether it rolls more often than it did in the recording.
  var rollsAgain = false

  @ObservableState
  struct State: Equatable, Sendable {
    var total = 0
    var text = ""
  }
  enum Action: Sendable {
    case roll
    case weigh
  }

  @Dependency(Dice.self) var dice

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .roll:
        state.total += dice.roll(sides: 6)
        if rollsAgain { state.total += dice.roll(sides: 8) }
      case .weigh:
        do { state.text = "\(try dice.weigh())" } catch { state.text = "\(error)" }
      }
      return .none
    }
  }
}

@MainActor
@Suite("Replayed endpoints", .serialized)
struct EndpointReplayTests {
  private func log(in folder: TemporaryFolder) -> String {
    let path = folder.path + "/log.jsonl"
    let store = Store(initialState: Table.State()) {
      Table().recorded(to: .file(path))
    } withDependencies: {
      $0[Dice.self] = .liveValue
    }
    store.send(.roll)
    store.send(.weigh)
    #expect(store.withState { $0 } == Table.State(total: 6, text: "Lost()"))
    return path
  }

  @Test("A replay uses the recorded results and errors of endpoints and calls no endpoint")
  func identical() throws {
    let folder = try TemporaryFolder()
    let path = log(in: folder)
    let calls = Dice.calls.value
    #expect(try verdict(of: path, replayedWith: Table()) { Table.State() } == .identical)
    #expect(Dice.calls.value == calls)
  }

  @Test("A read of an endpoint that was not recorded returns the default and diverges")
  func unrecorded() throws {
    let folder = try TemporaryFolder()
    let path = log(in: folder)
    let calls = Dice.calls.value
    let found = try verdict(of: path, replayedWith: Table(rollsAgain: true)) { Table.State() }
    #expect(found.at == 1)
    guard case .diverged(let divergence) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(divergence.differences.contains { $0.cause == .reads })
    #expect(Dice.calls.value == calls)
  }
}
