import ActionLog
import Foundation
import TCAReplaying

/// The cost of a move of a timeline, and of recording a session for one.
enum TimelineBenchmarks {
  static let all: [Comparison] = [moves(rows: 10), moves(rows: 1_000), entering]

  /// The number of actions of an app during a long day.
  private static let actions = 100_000

  private static func moves(rows: Int) -> Comparison {
    Comparison(
      title: "moving a timeline among \(actions) actions, N = \(rows) rows",
      benchmarks: [
        Benchmark("any two positions, drawn by lot", size: rows) {
          let timeline = try timeline(rows: rows)
          var random = Lot(state: 53)
          return Job { _ in
            timeline.position = Int(random.next() % UInt64(actions + 1))
            guard timeline.problem == nil else { fatalError("a move has failed") }
          }
        },
        Benchmark("a step back", size: rows) {
          let timeline = try timeline(rows: rows)
          timeline.position = actions
          return Job { step in
            if timeline.position < 10 { timeline.position = actions }
            timeline.step(by: -1)
          }
        },
        Benchmark("a step forward", size: rows) {
          let timeline = try timeline(rows: rows)
          return Job { step in
            if timeline.position > actions - 10 { timeline.position = 0 }
            timeline.step(by: 1)
          }
        },
      ]
    ) { times in
      [
        .atMost(10, "milliseconds for a move between any two positions", times[0] / 1e6),
        .atMost(10, "milliseconds for a step back", times[1] / 1e6),
        .atMost(10, "milliseconds for a step forward", times[2] / 1e6),
      ]
    }
  }

  /// A session that steps back by one action and returns.
  private static let entering = Comparison(
    title: "a session of 10000 actions that goes back and returns",
    benchmarks: [
      Benchmark("back by one and to the present", size: 10) {
        let timeline = StoreTimeline(initialState: RowsFeature.State(rows: 10)) { RowsFeature() }
        for step in 0..<10_000 { timeline.store.send(action(step, 10)) }
        return Job { step in
          timeline.store.send(action(step, 10))
          timeline.step(by: -1)
          timeline.returnToPresent()
        }
      }
    ]
  ) { times in
    [.atMost(10, "milliseconds for both", times[0] / 1e6)]
  }

  private static func action(_ step: Int, _ rows: Int) -> RowsFeature.Action {
    .rows(.element(id: step * 7919 % rows, action: .increment))
  }

  @MainActor
  private static func timeline(
    rows: Int
  ) throws -> StoreTimeline<RowsFeature.State, RowsFeature.Action> {
    let recorder = Recorder(to: .memory(megabytes: 1_000))
    let store = Store(initialState: RowsFeature.State(rows: rows)) {
      RowsFeature().recorded(to: recorder)
    }
    for step in 0..<actions { store.send(action(step, rows)) }
    return try StoreTimeline(replaying: .bytes(try recorder.export())) {
      RowsFeature()
    } initialState: {
      RowsFeature.State(rows: rows)
    }
  }

  /// A xorshift generator, which gives the same positions in each run.
  private struct Lot {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
}
