import ComposableArchitecture
import ComposableRecorder
import Foundation

/// Rows, one of which changes with each action.
@Reducer @Loggable
struct Table {
  @ObservableState
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row> = []
    var count = 0
  }

  enum Action {
    case incremented
    case renamed(id: Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incremented: state.count += 1
      case .renamed(let id): state.rows[id: id]?.title += "."
      }
      return .none
    }
  }
}

@LogValue
struct Row: Equatable, Identifiable {
  let id: Int
  var title: String
  var isDone: Bool
  var weight: Double
}

/// Measures the cost of recording an action, and of a debug print of the same state by reflection.
@main struct AdapterBenchmarks {
  @MainActor static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("b-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    print("rows  plain  recorded  recording  reflective diff  ratio")
    for count in [0, 10, 100, 1000] {
      var state = Table.State()
      for id in 0..<count {
        state.rows.append(Row(id: id, title: "row \(id)", isDone: false, weight: 0.5))
      }
      let actions = count == 0 ? 2000 : 20_000 / count
      let file = folder.appendingPathComponent("\(count).jsonl")
      let plain = median { send(actions, count, Store(initialState: state) { Table() }) }
      let recorded = median {
        send(
          actions,
          count,
          Store(initialState: state) { Table().recorded(to: .file(file)) }
        )
      }
      let reflective = median { diff(max(3, actions / 100), state) }
      let recording = recorded - plain
      print(
        [
          "\(count)", text(plain), text(recorded), text(recording), text(reflective),
          String(format: "%.3f", recording / reflective),
        ]
        .joined(separator: "  ")
      )
    }
  }

  private static func text(_ seconds: Double) -> String {
    String(format: "%.1f us", seconds * 1e6)
  }

  /// Returns the median of five runs.
  @MainActor private static func median(_ run: @MainActor () -> Double) -> Double {
    (0..<5).map { _ in run() }.sorted()[2]
  }

  /// Returns the seconds that an action takes.
  @MainActor private static func send(
    _ actions: Int,
    _ rows: Int,
    _ store: Store<Table.State, Table.Action>
  ) -> Double {
    store.send(.incremented)
    let start = ContinuousClock.now
    for number in 0..<actions {
      store.send(rows == 0 ? .incremented : .renamed(id: number % rows))
    }
    return seconds(since: start) / Double(actions)
  }

  /// Returns the seconds for dumping two states by reflection and comparing the lines.
  private static func diff(_ times: Int, _ state: Table.State) -> Double {
    var other = state
    other.count += 1
    let start = ContinuousClock.now
    for _ in 0..<times {
      var (before, after) = ("", "")
      dump(state, to: &before)
      dump(other, to: &after)
      let difference = after.split(separator: "\n").difference(from: before.split(separator: "\n"))
      precondition(!difference.isEmpty)
    }
    return seconds(since: start) / Double(times)
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let duration = ContinuousClock.now - start
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
