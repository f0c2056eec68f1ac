import Foundation
import TCACore
import Testing

private enum NumberKey: DependencyKey {
  static let liveValue = 0
  static let testValue = 0
}

extension DependencyValues {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}

private struct Numbered: Reducer {
  func reduce(into state: inout [Int], action: Void) -> Effect<Void> {
    @Dependency(\.number) var number
    state.append(number)
    return .none
  }
}

private struct Exhausted: Error {}

/// Smaller tools for dependencies.
@MainActor
@Suite struct DependencyToolTests {
  @Test func `a dependency can be read as its concrete type`() async throws {
    let set = TestClock()
    try await withDependencies {
      $0.continuousClock = set
    } operation: {
      @Dependency(\.continuousClock, as: TestClock<Duration>.self) var clock
      #expect(clock === set)
      try await clock.checkSuspension()
    }
    withDependencies {
      $0.number = 3
    } operation: {
      @Dependency(NumberKey.self, as: Int.self) var number
      #expect(number == 3)
    }
  }

  @Test func `if several dependency operators set one value, the innermost takes precedence`() {
    let reducer = Numbered().dependency(\.number, 42).dependency(\.number, 1729)
      .transformDependency(\.number) { $0 += 1 }
    let fused: DependencyReducer<Numbered> = reducer
    let store = Store(initialState: [Int]()) { fused }
    store.send(())
    #expect(store.withState { $0 } == [42])
    let transformed = Store(initialState: [Int]()) {
      Numbered().transformDependency(\.number) { $0 += 1 }.dependency(\.number, 7)
    }
    transformed.send(())
    #expect(transformed.withState { $0 } == [8])
  }

  @Test func `withRandomNumberGenerator rethrows an error of its operation`() {
    @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
    withDependencies {
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())
    } operation: {
      #expect(throws: Exhausted.self) {
        try withRandomNumberGenerator { _ in throw Exhausted() }
      }
      #expect((0..<6).contains(withRandomNumberGenerator { Int.random(in: 0..<6, using: &$0) }))
    }
  }

  @Test func `an unimplemented clock reports its name`() async {
    let clock: some Clock<Duration> = .unimplemented("Meeting.clock")
    let issues = await recordingIssues { try? await clock.sleep(for: .zero) }
    #expect(issues.contains { $0.contains("Meeting.clock") })
    let unnamed: some Clock<Duration> = .unimplemented()
    #expect(await recordingIssues { try? await unnamed.sleep(for: .zero) }.count > 0)
  }

  @Test func `code with deprecated names of dependency tools compiles and runs`() async {
    let code: any FormerCode = FormerNames()
    await code.run()
  }
}

/// Code that uses former names, called through a protocol so that the tests have no warnings.
private protocol FormerCode {
  func run() async
}

private struct FormerNames: FormerCode {
  @available(*, deprecated)
  func run() async {
    DependencyValues.withValues {
      $0.number = 1
    } operation: {
      #expect(DependencyValues._current.number == 1)
    }
    await DependencyValues.withValues {
      $0.number = 2
    } operation: {
      await Task.yield()
      #expect(DependencyValues._current.number == 2)
    }
    DependencyValues.withValue(\.number, 3) {
      #expect(DependencyValues._current.number == 3)
    }
    let count: @Sendable (String) -> Int = XCTUnimplemented("Search.count", placeholder: 5)
    let clear: @Sendable () async throws -> Void = XCTUnimplemented("Search.clear")
    let issues = await recordingIssues {
      #expect(count("a") == 5)
      await #expect(throws: Unimplemented("Search.clear")) { try await clear() }
    }
    #expect(issues.count == 2)
  }
}
