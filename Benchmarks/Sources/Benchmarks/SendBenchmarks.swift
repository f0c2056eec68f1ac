import Observation
import TCARecorder

/// The cost of a send without a recorder.
enum SendBenchmarks {
  static let all = [plain, observed, scoped]

  /// A reducer that is called directly, and one that a store calls.
  private static let plain = Comparison(
    title: "sending an action to a plain store",
    benchmarks: [
      Benchmark("the reducer alone", size: 10) {
        let reducer = TableFeature()
        var state = TableFeature.State(rows: 10)
        return Job { _ in _ = reducer._reduce(into: &state, action: .increment) }
      },
      Benchmark("send", size: 10) {
        let store = Store(initialState: TableFeature.State(rows: 10)) { TableFeature() }
        return Job { _ in store.send(.increment) }
      },
    ]
  ) { times in
    [.atMost(1_000, "nanoseconds for a send", times[1])]
  }

  /// A property with a repeated observer, in an observable object and in a store.
  private static let observed = Comparison(
    title: "sending an action to an observed store",
    benchmarks: [
      Benchmark("a plain @Observable object", size: 10) {
        let model = Model()
        return Job { _ in
          withObservationTracking {
            BlackHole.take(model.count)
          } onChange: {
          }
          model.count += 1
        }
      },
      Benchmark("send", size: 10) {
        let store = Store(initialState: TableFeature.State(rows: 10)) { TableFeature() }
        return Job { _ in
          withObservationTracking {
            BlackHole.take(store.count)
          } onChange: {
          }
          store.send(.increment)
        }
      },
      Benchmark("send, while only another property is observed", size: 10) {
        let store = Store(initialState: TableFeature.State(rows: 10)) { TableFeature() }
        withObservationTracking {
          BlackHole.take(store.title)
        } onChange: {
        }
        return Job { _ in store.send(.increment) }
      },
    ]
  ) { times in
    [.atMost(2_000, "nanoseconds for a send, beyond those of the object", times[1] - times[0])]
  }

  /// A feature three levels below the root, and the cost of creating the key paths of three bodies.
  private static let scoped = Comparison(
    title: "sending an action through three scopes",
    benchmarks: [
      Benchmark("three key paths to cases", size: 10) {
        Job { _ in
          BlackHole.take(\Top.Action.Cases.middle)
          BlackHole.take(\Middle.Action.Cases.bottom)
          BlackHole.take(\Bottom.Action.Cases.table)
        }
      },
      Benchmark("send", size: 10) {
        let store = Store(initialState: Top.State()) { Top() }
        let table = store.scope(\.middle, action: \.middle)
          .scope(\.bottom, action: \.bottom)
          .scope(\.table, action: \.table)
        return Job { _ in table.send(.increment) }
      },
    ]
  ) { times in
    [
      .atMost(4_000, "nanoseconds for a send", times[1]),
      .atMost(4_000, "nanoseconds for a send, beyond those of the key paths", times[1] - times[0]),
    ]
  }
}

@Observable
private final class Model {
  var count = 0
}

@Reducer
private struct Top {
  @ObservableState
  struct State { var middle = Middle.State() }
  enum Action { case middle(Middle.Action) }
  var body: some ReducerOf<Self> { Scope(state: \.middle, action: \.middle) { Middle() } }
}

@Reducer
private struct Middle {
  @ObservableState
  struct State { var bottom = Bottom.State() }
  enum Action { case bottom(Bottom.Action) }
  var body: some ReducerOf<Self> { Scope(state: \.bottom, action: \.bottom) { Bottom() } }
}

@Reducer
private struct Bottom {
  @ObservableState
  struct State { var table = TableFeature.State(rows: 10) }
  enum Action { case table(TableFeature.Action) }
  var body: some ReducerOf<Self> { Scope(state: \.table, action: \.table) { TableFeature() } }
}
