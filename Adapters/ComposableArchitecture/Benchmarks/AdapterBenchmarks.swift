import ComposableArchitecture
import ComposableRecorder
import Foundation

#if canImport(CustomDump)
import CustomDump
#endif

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

/// Actions with effects.
@Reducer @Loggable
struct Effects {
  @ObservableState
  struct State: Equatable { var count = 0 }

  enum Action {
    case counted
    case sent
    case ran
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .counted:
        state.count += 1
        return .none
      case .sent: return .send(.counted)
      case .ran: return .run { send in await send(.counted) }
      }
    }
  }
}

/// A setting that the app stores.
@Reducer @Loggable
struct Settings {
  @ObservableState
  struct State: Equatable {
    var count = 0
    @Shared(.appStorage("stored")) var stored = 0
  }

  enum Action {
    case counted
    case stored
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .counted: state.count += 1
      case .stored: state.$stored.withLock { $0 += 1 }
      }
      return .none
    }
  }
}

/// Measures the cost of recording an action, and of a difference of the states by reflection, with which debug prints
/// show a change.
///
/// Prints the shortest of several runs, because other processes only lengthen a run.
@main struct AdapterBenchmarks {
  @MainActor static func main() async throws {
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
      let plain = shortest { send(actions, count, Store(initialState: state) { Table() }) }
      let recorded = shortest {
        send(
          actions,
          count,
          Store(initialState: state) { Table().recorded(to: .file(file)) }
        )
      }
      let reflective = shortest { diff(max(3, actions / 100), state) }
      let recording = recorded - plain
      print(
        [
          "\(count)", text(plain), text(recorded), text(recording), text(reflective),
          String(format: "%.3f", recording / reflective),
        ]
        .joined(separator: "  ")
      )
    }
    print("action  plain  recorded  recording")
    for (name, action) in [
      ("counted", Effects.Action.counted), ("sent another", .sent), ("ran and sent another", .ran),
    ] {
      await compare(name, action, in: folder, Effects.State()) { Effects() }
    }
    for (name, action) in [
      ("counted beside a setting", Settings.Action.counted), ("stored a setting", .stored),
    ] {
      await compare(name, action, in: folder, Settings.State()) { Settings() }
    }
  }

  /// Prints what an action costs until its effects have ended.
  @MainActor private static func compare<R: Reducer>(
    _ name: String,
    _ action: R.Action,
    in folder: URL,
    _ state: R.State,
    _ reducer: @escaping @MainActor () -> R
  ) async where R.State: Equatable & LogValue, R.Action: Sendable & LogValue {
    let file = folder.appendingPathComponent("\(name).jsonl")
    let plain = await shortest { await perform(action, Store(initialState: state) { reducer() }) }
    let recorded = await shortest {
      await perform(action, Store(initialState: state) { reducer().recorded(to: .file(file)) })
    }
    print([name, text(plain), text(recorded), text(recorded - plain)].joined(separator: "  "))
  }

  private static func text(_ seconds: Double) -> String {
    String(format: "%.1f us", seconds * 1e6)
  }

  /// Returns the shortest of nine runs.
  @MainActor private static func shortest(_ run: @MainActor () -> Double) -> Double {
    (0..<9).map { _ in run() }.min() ?? 0
  }

  /// Returns the shortest of nine runs.
  @MainActor private static func shortest(_ run: @MainActor () async -> Double) async -> Double {
    var shortest = Double.infinity
    for _ in 0..<9 { shortest = min(shortest, await run()) }
    return shortest
  }

  /// Returns the seconds that an action takes until its effects have ended.
  @MainActor private static func perform<State, Action: Sendable>(
    _ action: Action,
    _ store: Store<State, Action>
  ) async -> Double {
    let actions = 500
    await store.send(action).finish()
    let start = ContinuousClock.now
    for _ in 0..<actions { await store.send(action).finish() }
    return seconds(since: start) / Double(actions)
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

  /// Returns the seconds that a difference of two states by reflection takes.
  private static func diff(_ times: Int, _ state: Table.State) -> Double {
    var other = state
    if other.rows.isEmpty { other.count += 1 } else { other.rows[0].title += "." }
    let start = ContinuousClock.now
    for _ in 0..<times {
      #if canImport(CustomDump)
      precondition(CustomDump.diff(state, other) != nil)
      #else
      var (before, after) = ("", "")
      dump(state, to: &before)
      dump(other, to: &after)
      let difference = after.split(separator: "\n").difference(from: before.split(separator: "\n"))
      precondition(!difference.isEmpty)
      #endif
    }
    return seconds(since: start) / Double(times)
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let duration = ContinuousClock.now - start
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
