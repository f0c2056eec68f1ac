import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// Recordings of random runs replay identically.
@MainActor
@Suite("Random runs")
struct RandomRunTests {
  @Test(
    "A random run of a counter replays as identical",
    arguments: Thoroughness.seeds(3, thorough: 8)
  )
  func counter(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let actions: [Counter.Action] = [
      .incrementButtonTapped, .decrementButtonTapped, .timerButtonTapped, .timerButtonTapped,
      .dieButtonTapped, .resetButtonTapped,
    ]
    let steps = (0..<60).map { _ -> SampleStep<Counter.Action> in
      if Int.random(in: 0..<3, using: &random) == 0 {
        return .advance(.milliseconds(Int.random(in: 0...2500, using: &random)))
      }
      return .send(actions[Int.random(in: 0..<actions.count, using: &random)])
    }
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(Counter(), initialState: Counter.State(), steps: steps, to: path)
    #expect(
      try verdict(of: path, replayedWith: Counter()) { Counter.State() } == .identical,
      "seed \(seed)"
    )
  }

  @Test(
    "A random run of a to-do list replays as identical",
    arguments: Thoroughness.seeds(3, thorough: 8)
  )
  func todos(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let steps = (0..<80).map { _ in Self.step(using: &random) }
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(Todos(), initialState: Todos.State(), steps: steps, to: path)
    #expect(
      try verdict(of: path, replayedWith: Todos()) { Todos.State() } == .identical,
      "seed \(seed)"
    )
  }

  private static func step(using random: inout SplitMix64) -> SampleStep<Todos.Action> {
    let place = Int.random(in: 0..<5, using: &random)
    let title = ["", "a", "é", "👩‍💻 \"\\\n"][Int.random(in: 0..<4, using: &random)]
    @Sendable func id(in state: JSON) -> UUID? {
      state[JSON.Pointer(["todos", "\(place)", "id"])]?.string.flatMap(UUID.init)
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1, 2: return .send(.addButtonTapped)
    case 3: return .sendFrom { id(in: $0).map { .titleChanged(id: $0, title) } }
    case 4: return .sendFrom { id(in: $0).map { .doneToggled(id: $0) } }
    case 5: return .sendFrom { id(in: $0) == nil ? nil : .deleted(at: place) }
    case 6: return .send(.clearCompletedButtonTapped)
    case 7: return .send(.filterPicked(Todos.Filter.allCases[place % 3]))
    default: return .advance(.milliseconds(Int.random(in: 0...30, using: &random)))
    }
  }

  @Test(
    "A random run of a search replays as identical",
    arguments: Thoroughness.seeds(3, thorough: 8)
  )
  func search(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let queries = ["", "O", "Os", "l1ma", "Lima", "x"]
    let steps = (0..<60).map { _ -> SampleStep<Search.Action> in
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1, 2: .send(.queryChanged(queries[Int.random(in: 0..<6, using: &random)]))
      case 3: .send(.clearButtonTapped)
      default: .advance(.milliseconds(Int.random(in: 0...40, using: &random)))
      }
    }
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(Search(), initialState: Search.State(), steps: steps, to: path)
    #expect(
      try verdict(of: path, replayedWith: Search()) { Search.State() } == .identical,
      "seed \(seed)"
    )
  }
}
