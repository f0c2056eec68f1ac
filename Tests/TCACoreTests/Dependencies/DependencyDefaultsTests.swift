import Foundation
import TCACore
import Testing

private enum CounterKey: TestDependencyKey {
  static var testValue: LockIsolated<Int> { LockIsolated(0) }
  static var previewValue: LockIsolated<Int> { LockIsolated(100) }
}

private enum LiveKey: DependencyKey {
  static var liveValue: LockIsolated<Int> { LockIsolated(0) }
}

/// A key whose default takes until another task may have requested it.
private enum SlowKey: DependencyKey {
  /// The number of created values by test and context.
  static let made = LockIsolated<[String?: Int]>([:])

  static var liveValue: LockIsolated<Int> { make() }
  static var previewValue: LockIsolated<Int> { make() }
  static var testValue: LockIsolated<Int> { make() }

  private static func make() -> LockIsolated<Int> {
    let context = TestContext.current.map { "\($0) \(DependencyValues._current.context)" }
    made.withValue { $0[context, default: 0] += 1 }
    for _ in 0..<2_000 { sched_yield() }
    return LockIsolated(0)
  }
}

private enum InnerKey: TestDependencyKey {
  static var testValue: Int {
    for _ in 0..<100 { sched_yield() }
    return 1
  }
}

private enum OuterKey: TestDependencyKey {
  static var testValue: Int {
    for _ in 0..<100 { sched_yield() }
    return DependencyValues._current[InnerKey.self] + 1
  }
}

private struct Client: DependencyKey {
  var name: String
  static var liveValue: Client { Client(name: "live") }
}

extension DependencyValues {
  fileprivate var counter: LockIsolated<Int> {
    get { self[CounterKey.self] }
    set { self[CounterKey.self] = newValue }
  }

  fileprivate var untested: LockIsolated<Int> {
    get { self[LiveKey.self] }
    set { self[LiveKey.self] = newValue }
  }
}

/// The default values of dependencies.
@Suite struct DependencyDefaultsTests {
  private func count(in context: DependencyContext = .test) -> Int {
    @Dependency(\.counter) var counter
    return withDependencies {
      $0.context = context
    } operation: {
      counter.withValue { counter in
        counter += 1
        return counter
      }
    }
  }

  // Both tests are equal. Without isolation, the first one would leave its count to the second.
  @Test func `within a test, all reads of a dependency return the same default value`() {
    #expect((1...3).map { _ in count() } == [1, 2, 3])
  }

  @Test func `a default value of a dependency is not kept from one test to the next`() {
    #expect((1...3).map { _ in count() } == [1, 2, 3])
  }

  @Test func `a task started in a test reads the default values of that test`() async {
    #expect(count() == 1)
    #expect(await Task { count() }.value == 2)
  }

  @Test func `each context has its own default values`() {
    #expect(count() == 1)
    #expect(count(in: .preview) == 101)
    #expect(count() == 2)
    #expect(count(in: .preview) == 102)
  }

  @Test func `TestContext names the running test of Swift Testing`() throws {
    #expect(TestContext.current?.isSwiftTesting == true)
    guard case .swiftTesting(let testing?) = TestContext.current else {
      Issue.record("\(String(describing: TestContext.current))")
      return
    }
    #expect(testing.test.id.rawValue == Test.current.map { "\($0.id)" })
  }

  @Test func `TestContext of a detached task is Swift Testing without a test`() async {
    #expect(await Task.detached { TestContext.current }.value == .swiftTesting(nil))
  }

  // MARK: Issues

  @Test func `a dependency without a test value reports an issue at its first use`() {
    @Dependency(\.untested) var untested
    let line = #line - 1
    let issues = recordingIssues {
      untested.withValue { $0 += 1 }
      #expect(untested.value == 1)
    }
    #expect(
      issues == [
        """
        @Dependency(\\.untested) has no test implementation, but was accessed from a test context:

          Location:
            TCACoreTests/DependencyDefaultsTests.swift:\(line)
          Key:
            LiveKey
          Value:
            LockIsolated<Int>

        A test may not fall back on what the app uses. Set the dependency in the test, with \
        "withDependencies" or where its store is made, or give the key a "testValue" that suits every test.
        """
      ]
    )
  }

  @Test
  func `the issue of a missing test value contains the key type as it is written in the code`() {
    @Dependency(Client.self) var client
    let line = #line - 1
    let issues = recordingIssues { #expect(client.name == "live") }
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasPrefix(
        """
        @Dependency(Client.self) has no test implementation, but was accessed from a test context:

          Location:
            TCACoreTests/DependencyDefaultsTests.swift:\(line)
          Dependency:
            Client


        """
      ) == true
    )
  }

  @Test func `setting a member of a dependency without a test value reports no issue`() {
    let date = Date(timeIntervalSince1970: 1)
    let issues = recordingIssues {
      withDependencies {
        $0.date.now = date
      } operation: {
        @Dependency(\.date.now) var now
        #expect(now == date)
      }
    }
    #expect(issues == [])
  }

  @Test func `a default read in the closure of withDependencies is kept for the operation`() {
    @Dependency(\.untested) var untested
    let taken = LockIsolated<LockIsolated<Int>?>(nil)
    let issues = recordingIssues {
      withDependencies {
        let counter = $0.untested
        taken.setValue(counter)
        counter.setValue(5)
      } operation: {
        #expect(untested.value == 5)
      }
      #expect(untested === taken.value, "also outside")
    }
    #expect(issues == [])
  }

  @Test func `a dependency without a live value reports an issue when it is used in an app`() {
    @Dependency(\.counter) var counter
    let issues = recordingIssues {
      withDependencies {
        $0.context = .live
      } operation: {
        #expect(counter.value == 0)
      }
    }
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasPrefix(
        "@Dependency(\\.counter) has no live implementation, but was accessed from a live context:"
      ) == true
    )
  }

  @Test(arguments: [DependencyContext.live, .replay])
  func `changing a default without a live value reports no issue, but its first use does`(
    context: DependencyContext
  ) {
    @Dependency(\.counter) var counter
    withDependencies {
      $0.context = context
    } operation: {
      let setting = recordingIssues {
        withDependencies {
          $0.counter.setValue(5)
          #expect($0.counter.value == 5)
        } operation: {
        }
      }
      #expect(setting == [])
      let uses = recordingIssues {
        #expect(counter.value == 5)
        #expect(counter.value == 5)
      }
      #expect(uses.count == 1)
      #expect(uses.first?.hasPrefix("@Dependency(\\.counter) has no live implementation") == true)
    }
  }

  // MARK: Made once

  @Test(arguments: [DependencyContext.live, .preview, .test, .replay])
  func `a default that many tasks read concurrently is made once`(context: DependencyContext) async
  {
    let values = await withDependencies {
      $0.context = context
    } operation: {
      await withTaskGroup(of: ObjectIdentifier.self) { group in
        for _ in 0..<50 {
          group.addTask { ObjectIdentifier(DependencyValues._current[SlowKey.self]) }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
    }
    #expect(values.count == 1)
    #expect(SlowKey.made.value[TestContext.current.map { "\($0) \(context)" }] == 1)
  }

  @Test func `creating defaults that depend on each other concurrently causes no deadlock`() async {
    let values = await withTaskGroup(of: Int.self) { group in
      for number in 0..<50 {
        group.addTask {
          number.isMultiple(of: 2)
            ? DependencyValues._current[OuterKey.self] : DependencyValues._current[InnerKey.self]
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(values == [1, 2])
  }

  // MARK: Preparing

  @Test func `prepareDependencies sets the default of the current context only`() {
    let answer = prepareDependencies {
      $0.counter = LockIsolated(40)
      $0.counter = LockIsolated(41)
      return 42
    }
    #expect(answer == 42)
    #expect(count() == 42)
    #expect(count(in: .preview) == 101)
  }

  @Test func `prepareDependencies sets the context and that context's default`() {
    prepareDependencies {
      $0.context = .preview
      $0.counter = LockIsolated(7)
    }
    @Dependency(\.counter) var counter
    @Dependency(\.context) var context
    #expect(context == .preview)
    #expect(counter.value == 7)
  }

  @Test func `prepareDependencies can set a member of a default`() {
    let date = Date(timeIntervalSince1970: 1)
    #expect(recordingIssues { prepareDependencies { $0.date.now = date } } == [])
    @Dependency(\.date.now) var now
    #expect(now == date)
  }

  @Test func `prepareDependencies reports an issue for a dependency that was already used`() {
    #expect(count() == 1)
    let issues = recordingIssues { prepareDependencies { $0.counter = LockIsolated(7) } }
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasPrefix("@Dependency(\\.counter) has been accessed or prepared before:")
        == true
    )
    #expect(count() == 2)
  }

  @Test func `prepareDependencies replaces a used dependency in previews the first time only`() {
    withDependencies {
      $0.context = .preview
    } operation: {
      #expect(count(in: .preview) == 101)
      let issues = recordingIssues {
        prepareDependencies { $0.counter = LockIsolated(7) }
        #expect(count(in: .preview) == 8)
        prepareDependencies { $0.counter = LockIsolated(70) }
        #expect(count(in: .preview) == 9)
      }
      #expect(issues == [])
    }
  }

  @Test func `a replay uses dependencies that were prepared for the app`() {
    prepareDependencies {
      $0.context = .live
      $0.untested = LockIsolated(7)
    }
    @Dependency(\.untested) var untested
    withDependencies {
      $0.context = .replay
    } operation: {
      #expect(untested.value == 7)
    }
  }
}
