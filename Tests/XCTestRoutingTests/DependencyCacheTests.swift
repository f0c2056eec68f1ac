import TCACore
import XCTest

private enum CounterKey: TestDependencyKey {
  static var testValue: LockIsolated<Int> { LockIsolated(0) }
}

/// Each test begins without the dependency values of the previous one.
///
/// The tests are equal. Without isolation, the first one would leave its count to the next.
final class DependencyCacheTests: XCTestCase {
  private func count() {
    for expected in 0..<3 {
      @Dependency(CounterKey.self) var counter
      XCTAssertEqual(counter.value, expected)
      counter.withValue { $0 += 1 }
    }
  }

  func testCountsFromZero() { count() }
  func testCountsFromZeroAgain() { count() }
  func testCountsFromZeroInATask() async { count() }
  func testCountsFromZeroInTheEnd() { count() }
}
