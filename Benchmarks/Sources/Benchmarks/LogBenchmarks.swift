import ActionLog
import Foundation
import TCARecorder

/// What it costs to read a log: lines, and actions out of them.
enum LogBenchmarks {
  typealias Action = TableFeature.Action

  static let all: [Comparison] = [
    Comparison(
      title: "decoding an action",
      benchmarks: [
        Benchmark("JSONDecoder", size: 1) {
          let data = try JSONEncoder().encode(action)
          let decoder = JSONDecoder()
          return Job { _ in
            do { BlackHole.take(try decoder.decode(Action.self, from: data)) } catch {
              fatalError("\(error)")
            }
          }
        },
        Benchmark("LogDecoder, from text", size: 1) {
          let bytes = JSON(logging: action).bytes
          return Job { _ in
            do {
              BlackHole.take(try LogDecoder.value(Action.self, from: bytes))
            } catch { fatalError("\(error)") }
          }
        },
        Benchmark("LogDecoder, from a tree", size: 1) {
          let bytes = JSON(logging: action).bytes
          return Job { _ in
            do {
              BlackHole.take(try LogDecoder(JSON(parsing: bytes)).value(Action.self))
            } catch { fatalError("\(error)") }
          }
        },
      ]
    ) { [.atLeast(10, "the speed of JSONDecoder", $0[0] / $0[1])] },
    Comparison(
      title: "reading the line of an action",
      benchmarks: [
        Benchmark("JSONSerialization", size: 1) {
          let data = Data(line)
          return Job { _ in
            do { BlackHole.take(try JSONSerialization.jsonObject(with: data)) } catch {
              fatalError("\(error)")
            }
          }
        },
        Benchmark("LogEvent", size: 1) {
          Job { _ in
            do { BlackHole.take(try LogEvent(json: JSON(parsing: line))) } catch {
              fatalError("\(error)")
            }
          }
        },
      ]
    ),
  ]

  private static let action = Action.rename(row: 17, title: "another title, number 42")

  private static let line = LogEvent.action(
    LogEvent.Action(seq: 17, at: 123_456, origin: .view, action: JSON(logging: action))
  ).line
}
