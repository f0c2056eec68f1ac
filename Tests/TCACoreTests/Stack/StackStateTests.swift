import Foundation
import Synchronization
import TCACore
import Testing

/// Stacks and the ids of their elements.
@MainActor
@Suite struct StackStateTests {
  @Test func `the ids of stack elements in a store are consecutive and never reused`() {
    for _ in 1...2 {
      let store = Store(initialState: Trip.State(path: [Job.State()])) { Trip() }
      store.send(.append(Job.State()))
      store.send(.path(.popFrom(id: 1)))
      store.send(.append(Job.State()))
      #expect(Array(store.path.ids) == [0, 2])
    }
  }

  @Test(arguments: ["a", "b"]) func `stack element ids outside stores start at 0 in each test`(
    name: String
  ) {
    // The ids continue in the cases of one test. Another test starts again.
    let stack = StackState([name])
    #expect(stack.ids.allSatisfy { $0 == 0 || $0 == 1 })
  }

  @Test func `the ids of new stack elements in a store continue after those of the initial stack`()
  {
    let path = StackState([Job.State(), Job.State()])
    #expect(Array(path.ids) == [0, 1])
    let store = Store(initialState: Trip.State(path: path)) { Trip() }
    store.send(.append(Job.State()))
    #expect(Array(store.path.ids) == [0, 1, 2])
  }

  @Test func `a store does not reuse the ids of a stack that was created outside the store`() {
    let path = withDependencies {
      $0.stackElementIDs = StackElementIDs(40)
    } operation: {
      StackState([Job.State()])
    }
    let store = Store(initialState: Trip.State(path: path)) { Trip() }
    store.send(.append(Job.State()))
    #expect(Array(store.path.ids) == [40, 41])
  }

  @Test func `creating an id of a stack element is recorded as a read`() {
    let reads = Reads()
    let store = Store(initialState: Trip.State()) {
      Reduce<Trip.State, Trip.Action> { state, action in
        let scope = ReducerReadScope(interceptor: reads, parent: nil)
        defer { scope.close() }
        return ReducerReadScope.$current.withValue(scope) {
          Trip()._reduce(into: &state, action: action)
        }
      }
    }
    store.send(.append(Job.State()))
    #expect(reads.keys.value == ["stackElementID"])
    #expect(Array(store.path.ids) == [12])
  }

  private final class Reads: DependencyReadInterceptor {
    let keys = LockIsolated<[String]>([])

    func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
      keys.withValue { $0.append(key) }
      return StackElementID(12) as? Value ?? live()
    }
  }

  @Test func `a copy of StackElementIDs counts independently of the original`() {
    let ids = StackElementIDs(3)
    let copy = ids.copy()
    #expect([copy.next(), copy.next(), ids.next()] == [3, 4, 3])
  }

  private func stack(_ elements: [Int], from first: Int = 0) -> StackState<Int> {
    withDependencies {
      $0.stackElementIDs = StackElementIDs(first)
    } operation: {
      StackState(elements)
    }
  }

  @Test func `stack states are equal if their elements and ids are equal`() {
    #expect(stack([1, 2]) == stack([1, 2]))
    #expect(stack([1, 2]) != stack([1, 2], from: 1))
    #expect(stack([1, 2]) != stack([2, 1]))
  }

  @Test func `pop removes the elements from or above an id`() {
    var stack = stack([10, 11, 12, 13])
    stack.pop(to: 2)
    #expect(Array(stack) == [10, 11, 12])
    stack.pop(from: 1)
    #expect(Array(stack.ids) == [0])
    stack.pop(from: 9)
    #expect(Array(stack) == [10])
  }

  @Test
  func `setting an unknown stack id adds an element in tests, but reports an issue when live`() {
    var stack = stack([10, 11, 12])
    stack[id: 1]? += 100
    #expect(Array(stack) == [10, 111, 12])
    stack[id: 0] = nil
    #expect(Array(stack.ids) == [1, 2])
    #expect(Array(stack) == [111, 12])
    stack[id: 7] = 17
    #expect(Array(stack.ids) == [1, 2, 7])
    let issues = recordingIssues {
      withDependencies {
        $0.context = .live
      } operation: {
        stack[id: 9] = 19
      }
    }
    #expect(issues.count == 1)
    #expect(Array(stack.ids) == [1, 2, 7])
  }

  @Test func `removing an element of a stack in place does not affect other elements`() {
    var stack = stack([10, 11, 12, 13])
    func remove(_ element: inout Int?) { element = nil }
    remove(&stack[id: 1])
    #expect(Array(stack.ids) == [0, 2, 3])
    #expect(Array(stack) == [10, 12, 13])
  }

  @Test func `payloads of stack elements are changed by id and case`() {
    var results = StackState<Result<Int, Wrong>>()
    results[id: 5] = .success(1)
    results[id: 5, case: \.success]? += 1
    #expect(results[id: 5] == .success(2))
    #expect(recordingIssues { results[id: 5, case: \.failure] = Wrong() }.count == 1)
    results[id: 5, case: \.success] = nil
    #expect(results.isEmpty)
  }

  private struct Wrong: Error, Equatable {}

  @Test func `stack states and their actions are logged with ids`() throws {
    let stack = stack([10, 11], from: 3)
    let json = JSON(logging: stack)
    #expect(json == [["id": 3, "element": 10], ["id": 4, "element": 11]])
    #expect(try LogDecoder(json).value(StackState<Int>.self) == stack)
    #expect(throws: LogDecodingError.self) {
      try LogDecoder([["id": 3, "element": 10], ["id": 3, "element": 11]])
        .value(StackState<Int>.self)
    }
    let action = Trip.Action.path(.element(id: 1, action: .done("a")))
    #expect(
      JSON(logging: action)
        == ["path": ["_0": ["element": ["id": 1, "action": ["done": ["_0": "a"]]]]]]
    )
  }

  @Test func `a stack state is encoded by Codable as an array of its elements`() throws {
    let coded = try JSONEncoder().encode(stack([10, 11], from: 3))
    #expect(String(decoding: coded, as: UTF8.self) == "[10,11]")
    #expect(try Array(JSONDecoder().decode(StackState<Int>.self, from: coded)) == [10, 11])
  }

  @Test func `case key paths reach actions of stack elements by id`() {
    let action = Trip.Action.path(.element(id: 1, action: .done("a")))
    #expect(action[case: \.path[id: 1].done] == "a")
    #expect(action[case: \.path[id: 2].done] == nil)
    #expect(Trip.Action.path(.popFrom(id: 3))[case: \.path.popFrom] == 3)
    #expect(Trip.Action.path(.push(id: 0, state: Job.State())).is(\.path.push))
  }
}
