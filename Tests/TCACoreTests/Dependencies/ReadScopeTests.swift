import Foundation
import Synchronization
import TCACore
import Testing

/// Answers reads of UUIDs, and stores all keys.
private final class Interceptor: DependencyReadInterceptor {
  private let storage = Mutex<[String]>([])
  var keys: [String] { storage.withLock { $0 } }

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    storage.withLock { $0.append(key) }
    return key == "uuid" ? standIn() : live()
  }
}

@Suite struct ReadScopeTests {
  @Test
  func `reads of uuid, date, random numbers and clocks are intercepted until the scope closes`() {
    let interceptor = Interceptor()
    let scope = ReducerReadScope(interceptor: interceptor, parent: nil)
    let uuid = UUID(7)
    let date = Date(timeIntervalSince1970: 1)
    ReducerReadScope.$current.withValue(scope) {
      // The overrides are inside the scope, as in a child's reducer.
      withDependencies {
        $0.uuid = .constant(uuid)
        $0.date = .constant(date)
        $0.withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())
        $0.continuousClock = TestClock()
      } operation: {
        @Dependency(\.uuid) var makeUUID
        @Dependency(\.date.now) var now
        @Dependency(\.withRandomNumberGenerator) var withGenerator
        @Dependency(\.continuousClock) var clock
        #expect(makeUUID() == UUID(0))
        #expect(now == date)
        _ = withGenerator { $0.next() }
        func readNow(_ clock: some Clock<Duration>) { _ = clock.now }
        readNow(clock)
        #expect(interceptor.keys == ["uuid", "date", "random", "continuousClock.now"])
        scope.close()
        #expect(makeUUID() == uuid)
        #expect(interceptor.keys.count == 4)
      }
    }
  }
}
