import ActionLog
import Foundation
import TCARecorder

/// The cost of reading a log: lines, and actions from lines.
enum LogBenchmarks {
  typealias Action = TableFeature.Action

  static let all: [Comparison] = [
    decoding("an action", action),
    decoding("a case without payload", ScreenAction.refresh),
    decoding("one payload", ScreenAction.select(17)),
    decoding("a struct", ScreenAction.add(ScreenAction.Item(id: 4, title: "the title of item 4"))),
    decoding("three levels of cases", ScreenAction.panel(.field(.changed("what the user types")))),
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

  private static func decoding<Value: Codable & LogValue & Sendable>(
    _ shape: String,
    _ action: Value
  ) -> Comparison {
    Comparison(
      title: "decoding \(shape)",
      benchmarks: [
        Benchmark("JSONDecoder", size: 1) {
          let data = try JSONEncoder().encode(action)
          let decoder = JSONDecoder()
          return Job { _ in
            do { BlackHole.take(try decoder.decode(Value.self, from: data)) } catch {
              fatalError("\(error)")
            }
          }
        },
        Benchmark("LogDecoder, from text", size: 1) {
          let bytes = JSON(logging: action).bytes
          return Job { _ in
            do {
              BlackHole.take(try LogDecoder.value(Value.self, from: bytes))
            } catch { fatalError("\(error)") }
          }
        },
        Benchmark("LogDecoder, from a tree", size: 1) {
          let bytes = JSON(logging: action).bytes
          return Job { _ in
            do {
              BlackHole.take(try LogDecoder(JSON(parsing: bytes)).value(Value.self))
            } catch { fatalError("\(error)") }
          }
        },
      ]
    ) { [.atLeast(10, "the speed of JSONDecoder", $0[0] / $0[1])] }
  }

  private static let action = Action.rename(row: 17, title: "another title, number 42")

  private static let line = LogEvent.action(
    LogEvent.Action(seq: 17, at: 123_456, origin: .view, action: JSON(logging: action))
  ).line
}

/// The shapes of actions.
@CasePathable
enum ScreenAction: Codable {
  case refresh
  case select(Int)
  case add(Item)
  case panel(Panel)

  struct Item: Codable {
    var id: Int
    var title: String
    var isDone = false
    var weight = 1.5
  }

  enum Panel: Codable {
    case close
    case field(Field)
  }

  enum Field: Codable {
    case cleared
    case changed(String)
  }
}
