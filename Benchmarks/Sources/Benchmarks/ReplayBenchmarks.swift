import ActionLog
import Foundation
import ReplayEngine
import TCAReplaying

/// The cost of replaying a log, compared with usual alternatives.
enum ReplayBenchmarks {
  typealias Action = TableFeature.Action
  typealias State = TableFeature.State

  static let all: [Comparison] = [10, 1_000, 10_000].flatMap { size in
    [RecordingBenchmarks.scalar, RecordingBenchmarks.text].map { comparison($0, size: size) }
  }

  /// The number of actions of a log, large enough that opening the log is negligible.
  private static let actions = 2_000

  private static func comparison(
    _ kind: RecordingBenchmarks.Kind,
    size: Int
  ) -> Comparison {
    // With the largest state, the comparison of entire states takes minutes for so many actions.
    guard size < 10_000 else {
      return Comparison(
        title: "replaying \(actions) actions that change \(kind.name), N = \(size)",
        benchmarks: [decoding(kind, size), replay(kind, size)]
      ) { times in
        [
          .atMost(3, "of decoding and reducing alone", times[1] / times[0]),
          .atMost(.infinity, "microseconds for an action", times[1] / 1e3 / Double(actions)),
        ]
      }
    }
    return Comparison(
      title: "replaying \(actions) actions that change \(kind.name), N = \(size)",
      benchmarks: [
        wholeState(kind, size), decoding(kind, size), replay(kind, size),
      ]
    ) { times in
      [
        .atLeast(25, "the actions per second of the whole state", times[0] / times[2]),
        .atMost(3, "of decoding and reducing alone", times[2] / times[1]),
        .atMost(.infinity, "microseconds for an action", times[2] / 1e3 / Double(actions)),
      ]
    }
  }

  /// Decodes, reduces, encodes the entire state, and compares.
  private static func wholeState(_ kind: RecordingBenchmarks.Kind, _ size: Int) -> Benchmark {
    Benchmark("JSONDecoder, reduce, JSONEncoder, compare", size: size) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let decoder = JSONDecoder()
      // Fewer actions, extrapolated, because large states would need too much memory.
      let count = size > 100 ? 20 : actions
      let reducer = TableFeature()
      var state = State(rows: size)
      let lines = try (0..<count).map { step in
        let action = kind.action(step, size)
        _ = reducer.reduce(into: &state, action: action)
        return (try encoder.encode(action), try encoder.encode(state))
      }
      return Job { _ in
        for _ in 0..<(actions / count) {
          var state = State(rows: size)
          for (action, expected) in lines {
            do {
              let action = try decoder.decode(Action.self, from: action)
              _ = reducer.reduce(into: &state, action: action)
              guard try encoder.encode(state) == expected else { fatalError("not the same") }
            } catch { fatalError("\(error)") }
          }
        }
      }
    }
  }

  /// Decodes and reduces without a comparison.
  private static func decoding(_ kind: RecordingBenchmarks.Kind, _ size: Int) -> Benchmark {
    Benchmark("LogDecoder, reduce", size: size) {
      let lines = (0..<actions).map { JSON(logging: kind.action($0, size)).bytes }
      let reducer = TableFeature()
      return Job { _ in
        var state = State(rows: size)
        for line in lines {
          do {
            let action = try LogDecoder.value(Action.self, from: line)
            _ = reducer.reduce(into: &state, action: action)
          } catch { fatalError("\(error)") }
        }
        BlackHole.take(state)
      }
    }
  }

  /// Reads, replays and compares a log.
  private static func replay(_ kind: RecordingBenchmarks.Kind, _ size: Int) -> Benchmark {
    Benchmark("replay", size: size) {
      let path = PlainFile.newPath()
      let store = Store(initialState: State(rows: size)) {
        TableFeature().recorded(to: .file(path))
      }
      for step in 0..<actions { store.send(kind.action(step, size)) }
      let feature = ReplayFeature("TableFeature") {
        TableFeature()
      } initialState: {
        State(rows: 0)
      }
      return Job { _ in
        do {
          let verdicts = try Verdict.ofReplay(logAt: path) { _ in try feature.entry.makeEngine() }
          guard verdicts.allSatisfy(\.isSame) else { fatalError("\(verdicts)") }
        } catch { fatalError("\(error)") }
      } finish: {
        withExtendedLifetime(store) {}
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }
}
