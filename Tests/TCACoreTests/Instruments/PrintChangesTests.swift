import Dispatch
import Foundation
import TCACore
import Testing

@MainActor
@Suite("Printing of changes")
struct PrintChangesTests {
  @Test func `_printChanges prints each action with its change of state in order`() {
    let queue = DispatchQueue(label: "test")
    let printed = LockIsolated<[String]>([])
    let printer = _ReducerPrinter<Printed.State, Printed.Action>(
      printChange: { action, old, new in
        printed.withValue { $0.append(PrintChangesFormat.dump(of: action, from: old, to: new)) }
      },
      queue: queue
    )
    let store = Store(initialState: Printed.State()) { Printed()._printChanges(printer) }
    store.send(.increment)
    store.send(.child(.rename("Blob")))
    store.send(.chain)
    queue.sync {}
    #expect(
      printed.value == [
        """
        received action:
          Printed.Action.increment
          Printed.State(
        -   count: 0,
        +   count: 1,
            name: ""
          )

        """,
        """
        received action:
          Printed.Action.child(.rename("Blob"))
          Printed.State(
            count: 1,
        -   name: ""
        +   name: "Blob"
          )

        """,
        """
        received action:
          Printed.Action.chain
          (No state changes)

        """,
        """
        received action:
          Printed.Action.increment
          Printed.State(
        -   count: 1,
        +   count: 2,
            name: "Blob"
          )

        """,
      ]
    )
  }

  @Test func `a printer reads dependencies that are set on its reducer`() {
    let queue = DispatchQueue(label: "test")
    let ids = LockIsolated<[String]>([])
    let printer = _ReducerPrinter<Printed.State, Printed.Action>(
      printChange: { _, _, _ in
        @Dependency(\.uuid) var uuid
        ids.withValue { $0.append(uuid().uuidString) }
      },
      queue: queue
    )
    let store = Store(initialState: Printed.State()) {
      Printed()._printChanges(printer).dependency(\.uuid, .incrementing)
    }
    store.send(.increment)
    queue.sync {}
    #expect(ids.value == ["00000000-0000-0000-0000-000000000000"])
  }

  @Test func `printers without a queue share one queue and print in order`() async {
    let printed = LockIsolated<[Int]>([])
    let done = AsyncStream<Void>.makeStream()
    struct Feature: Reducer {
      let printed: LockIsolated<[Int]>
      let done: AsyncStream<Void>.Continuation
      var body: some Reducer<Int, Int> {
        // Created for each action.
        Reduce { state, action in
          state = action
          return .none
        }
        ._printChanges(
          _ReducerPrinter { _, _, new in
            printed.withValue { $0.append(new) }
            if new == 500 { done.finish() }
          }
        )
      }
    }
    let store = Store(initialState: 0) { Feature(printed: printed, done: done.continuation) }
    for number in 1...500 { store.send(number) }
    for await _ in done.stream {}
    #expect(printed.value == Array(1...500))
  }

  @Test func `_printChanges with nil prints nothing and reduces the action`() {
    let store = Store(initialState: Printed.State()) { Printed()._printChanges(nil) }
    store.send(.increment)
    #expect(store.state.count == 1)
  }

  @Test(arguments: labels)
  func `the label of a printed action names its cases without values`(_ label: Label) {
    #expect(PrintChangesFormat.label(of: label.action) == "received action: \(label.text)")
  }

  struct Label: Sendable {
    let action: any Sendable
    let text: String
  }

  nonisolated static let labels: [Label] = [
    Label(action: Printed.Action.increment, text: "Printed.Action.increment"),
    Label(
      action: Printed.Action.child(.rename("secret")),
      text: "Printed.Action.child(.rename(…))"
    ),
    Label(
      action: IdentifiedAction<Int, Printed.Child>.element(id: 1, action: .tap),
      text: "IdentifiedAction.element(id: …, action: .tap)"
    ),
    Label(
      action: PresentationAction<Printed.Child>.presented(.tap),
      text: "PresentationAction.presented(.tap)"
    ),
    Label(
      action: BindingAction<Dumped.Form>.set(\.count, 1),
      text: #"BindingAction.set(\Dumped.Form.count, …)"#
    ),
    Label(action: 7, text: "Int"),
  ]
}

private struct Printed: Reducer {
  struct State: Equatable {
    var count = 0
    var name = ""
  }

  enum Action: Sendable {
    case increment
    case chain
    case child(Child)
  }

  enum Child: Sendable {
    case tap
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment: state.count += 1
      case .chain: return .send(.increment)
      case .child(.tap): break
      case .child(.rename(let name)): state.name = name
      }
      return .none
    }
  }
}
