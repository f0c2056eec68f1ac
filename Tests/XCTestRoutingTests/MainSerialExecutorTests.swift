import Foundation
import TCACore
import XCTest

/// Tasks that run one after another.
///
/// This setting affects the entire process, so these tests need a process without other work.
final class MainSerialExecutorTests: XCTestCase {
  @MainActor
  func testDetachedTasksRunInTheOrderOfTheirMaking() async {
    XCTAssertFalse(uncheckedUseMainSerialExecutor)
    await withMainSerialExecutor {
      XCTAssertTrue(uncheckedUseMainSerialExecutor)
      let order = LockIsolated([Int]())
      let tasks = (0..<100).map { number in
        Task.detached {
          XCTAssertTrue(Thread.isMainThread)
          order.withValue { $0.append(number) }
          await Task.yield()
          order.withValue { $0.append(number + 100) }
        }
      }
      for task in tasks { await task.value }
      XCTAssertEqual(order.value, Array(0..<200))
    }
    XCTAssertFalse(uncheckedUseMainSerialExecutor)
  }

  func testTheSynchronousFormHoldsForTheOperation() {
    withMainSerialExecutor { XCTAssertTrue(uncheckedUseMainSerialExecutor) }
    XCTAssertFalse(uncheckedUseMainSerialExecutor)
  }

  /// During one advance, sleepers wake in the order of their deadlines.
  ///
  /// Each runs before the next one wakes.
  @MainActor
  func testOneAdvanceWakesAllInTheOrderOfTheirDeadlines() async {
    await withMainSerialExecutor {
      let clock = TestClock()
      let store = Store(initialState: [String]()) {
        Reduce<[String], String> { state, action in
          state.append(action)
          guard action == "start" else { return .none }
          return .merge(
            .run { send in
              try await clock.sleep(for: .seconds(5))
              await send("5")
            },
            .run { send in
              for second in 1...3 {
                try await clock.sleep(for: .milliseconds(1500))
                await send("1.5 × \(second)")
              }
            },
            .run { send in
              try await clock.sleep(for: .seconds(2))
              await send("2")
            }
          )
        }
      }
      let task = store.send("start")
      await clock.advance(by: .seconds(5))
      await task.finish()
      XCTAssertEqual(store.state, ["start", "1.5 × 1", "2", "1.5 × 2", "1.5 × 3", "5"])
    }
  }
}
