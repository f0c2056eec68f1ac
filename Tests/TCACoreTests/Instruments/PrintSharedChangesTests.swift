import Dispatch
import TCACore
import Testing

private struct Counter: Reducer {
  struct State {
    @Shared var count: Int
    var name = ""
  }

  enum Action: Sendable {
    case increment
    case incrementLater
    case rename
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .increment: state.$count.withLock { $0 += 1 }
      case .incrementLater:
        let count = state.$count
        return .run { _ in count.withLock { $0 += 1 } }
      case .rename: state.name = "Blob"
      }
      return .none
    }
  }
}

/// The output of `_printChanges` for shared values.
@MainActor
@Suite struct PrintSharedChangesTests {
  private let queue = DispatchQueue(label: "test")
  private let printed = LockIsolated<[String]>([])

  private var printer: _ReducerPrinter<Counter.State, Counter.Action> {
    _ReducerPrinter(
      printChange: { [printed] action, old, new in
        printed.withValue { $0.append(PrintChangesFormat.dump(of: action, from: old, to: new)) }
      },
      queue: queue
    )
  }

  @Test func `_printChanges shows each change of a shared value with the value before it`() {
    let store = Store(initialState: Counter.State(count: Shared(value: 0))) {
      Counter()._printChanges(printer)
    }
    // Printed after all of them have been made.
    queue.suspend()
    store.send(.increment)
    store.send(.rename)
    store.send(.increment)
    queue.resume()
    queue.sync {}
    #expect(
      printed.value == [
        """
        received action:
          Counter.Action.increment
          Counter.State(
        -   count: 0,
        +   count: 1,
            name: ""
          )

        """,
        """
        received action:
          Counter.Action.rename
          Counter.State(
            count: 2,
        -   name: ""
        +   name: "Blob"
          )

        """,
        """
        received action:
          Counter.Action.increment
          Counter.State(
        -   count: 1,
        +   count: 2,
            name: "Blob"
          )

        """,
      ]
    )
  }

  @Test func `a test store asserts changes of shared values while they are printed`() async {
    let store = TestStore(initialState: Counted.State(count: Shared(value: 0))) {
      Counted()._printChanges(_ReducerPrinter { _, _, _ in })
    }
    await store.send(1) { $0.$count.withLock { $0 = 1 } }
    await store.send(2) { $0.$count.withLock { $0 = 3 } }
  }
}

private struct Counted: Reducer {
  struct State: Equatable {
    @Shared var count: Int
  }

  func reduce(into state: inout State, action: Int) -> Effect<Int> {
    state.$count.withLock { $0 += action }
    return .none
  }
}
