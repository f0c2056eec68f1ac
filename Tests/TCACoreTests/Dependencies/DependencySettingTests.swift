import Foundation
import TCACore
import Testing

/// A dependency that exists only in tests.
private struct Sketch: TestDependencyKey {
  var title = ""
  static var testValue: Sketch { Sketch(title: "test") }
}

private enum CounterKey: DependencyKey {
  static var liveValue: LockIsolated<Int> { LockIsolated(0) }
  static var testValue: LockIsolated<Int> { LockIsolated(0) }
}

private enum ModeKey: DependencyKey {
  static let liveValue = "live"
  static let previewValue = "preview"
  static let testValue = "test"
}

extension DependencyValues {
  fileprivate var sketch: Sketch {
    get { self[Sketch.self] }
    set { self[Sketch.self] = newValue }
  }

  fileprivate var counter: LockIsolated<Int> {
    get { self[CounterKey.self] }
    set { self[CounterKey.self] = newValue }
  }

  fileprivate var mode: String {
    get { self[ModeKey.self] }
    set { self[ModeKey.self] = newValue }
  }
}

private struct Failure: Error, CustomStringConvertible {
  var description: String { "It failed." }
}

/// Setting and preparing dependencies.
@Suite struct DependencySettingTests {
  @Test func `prepareDependencies applies to the context of its call only`() {
    withDependencies {
      $0.context = .preview
    } operation: {
      prepareDependencies { $0.mode = "prepared" }
      #expect(DependencyValues._current.mode == "prepared")
    }
    #expect(DependencyValues._current.mode == "test")
  }

  @Test
  func `a test-only dependency reports an issue when it is used live, but not when it is set`() {
    let issues = recordingIssues {
      withDependencies {
        $0.context = .live
        $0.sketch.title += " and more"
      } operation: {
        #expect(DependencyValues._current.sketch.title == "test and more")
      }
    }
    #expect(issues == [])
    let used = recordingIssues {
      withDependencies {
        $0.context = .live
      } operation: {
        _ = DependencyValues._current.sketch
      }
    }
    #expect(used.count == 1)
  }

  @Test(arguments: [
    (DependencyValues.live, "live"), (.preview, "preview"), (.test, "test"),
  ])
  func `assigning the live, preview or test values replaces all overrides`(
    values: DependencyValues,
    mode: String
  ) {
    withDependencies {
      $0.mode = "set"
    } operation: {
      withDependencies {
        $0 = values
      } operation: {
        #expect(DependencyValues._current.mode == mode)
      }
    }
  }

  @Test func `a DependencyKey can report an issue when its default value is used`() {
    let issues = recordingIssues {
      @Dependency(Ledger.self) var ledger
      #expect(ledger.lines == [])
    }
    #expect(issues == ["An empty ledger is used."])
  }

  @Test func `a DependencyKey reports no issue when its default value is only modified`() {
    let issues = recordingIssues {
      withDependencies {
        $0[Ledger.self].lines.append("a")
      } operation: {
        @Dependency(Ledger.self) var ledger
        #expect(ledger.lines == ["a"])
      }
    }
    #expect(issues == [])
  }

  @Test func `each new DependencyValues creates its own default values and keeps them`() {
    @Dependency(\.counter) var counter
    counter.setValue(5)
    withDependencies {
      $0 = DependencyValues()
    } operation: {
      @Dependency(\.counter) var fresh
      #expect(fresh.value == 0)
      fresh.setValue(7)
      #expect(fresh.value == 7, "made once")
      #expect(counter.value == 7, "where it is read counts")
    }
    #expect(counter.value == 5)
  }

  @Test(arguments: [DependencyContext.live, .test])
  func `work of fireAndForget is not canceled with its caller`(context: DependencyContext) async {
    let gate = Gate()
    let isCancelled = AsyncStream<Bool>.makeStream()
    let caller = withDependencies {
      $0.context = context
    } operation: {
      Task {
        @Dependency(\.fireAndForget) var fireAndForget
        await fireAndForget {
          await gate.waitUncancellably()
          isCancelled.continuation.yield(Task.isCancelled)
        }
      }
    }
    caller.cancel()
    gate.open()
    for await isCancelled in isCancelled.stream {
      #expect(!isCancelled)
      break
    }
  }

  @Test func `fireAndForget reports errors of its work except cancellations`() async {
    let issues = await recordingIssues {
      @Dependency(\.fireAndForget) var fireAndForget
      await fireAndForget { throw Failure() }
      await fireAndForget { throw CancellationError() }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("It failed.") == true, "\(issues)")
  }
}

private struct Ledger: TestDependencyKey {
  var lines: [String] = []

  static var testValue: Self {
    if shouldReportUnimplemented { reportIssue("An empty ledger is used.") }
    return Self()
  }
}
