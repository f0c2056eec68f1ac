import Foundation
import TCACore
import Testing

/// The behavior of the library's keys in tests.
@Suite struct DependencyKeysTests {
  @Dependency(\.self) private var dependencies

  @Test func `fireAndForget awaits its work in tests`() async {
    let done = LockIsolated(0)
    await dependencies.fireAndForget {
      await Task.megaYield()
      done.setValue(1)
    }
    #expect(done.value == 1)
  }

  @Test func `fireAndForget in the live context returns before its work ends`() async {
    let gate = Gate()
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    await withDependencies {
      $0.context = .live
    } operation: {
      @Dependency(\.fireAndForget) var fireAndForget
      await fireAndForget(priority: .high) {
        await gate.wait()
        continuation.yield(1)
      }
    }
    gate.open()
    #expect(await stream.first { _ in true } == 1)
  }

  @Test func `the dependencies for assertions report failures at the caller's line`() {
    let reporter = PlaceCollector()
    withIssueReporters([reporter]) {
      dependencies.assert(true, "holds")
      dependencies.assert(false, "does not hold")
      dependencies.precondition(true)
      dependencies.precondition(1 > 2)
      dependencies.assertionFailure("never here")
      dependencies.assertionFailure()
    }
    let line = #line
    #expect(
      reporter.places.value == [
        "\(#filePath):\(line - 6) \"assert\" failed: does not hold",
        "\(#filePath):\(line - 4) \"precondition\" failed.",
        "\(#filePath):\(line - 3) \"assertionFailure\" failed: never here",
        "\(#filePath):\(line - 2) \"assertionFailure\" failed.",
      ]
    )
  }

  @Test func `each test has its own notification center, and the app has the default one`() {
    #expect(dependencies.notificationCenter !== NotificationCenter.default)
    #expect(dependencies.notificationCenter === dependencies.notificationCenter)
    withDependencies {
      $0.context = .live
    } operation: {
      @Dependency(\.notificationCenter) var center
      #expect(center === NotificationCenter.default)
    }
  }

  @Test func `openURL reports an issue in a test that does not set it`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    let issues = await recordingIssues { #expect(await !dependencies.openURL(url)) }
    #expect(
      issues == [
        """
        "@Dependency(\\.openURL)" was called in a test that did not set it. Set it with "withDependencies".
        """
      ]
    )
    let opened = LockIsolated<[URL]>([])
    await withDependencies {
      $0.openURL = OpenURLEffect { url in
        opened.withValue { $0.append(url) }
        return true
      }
    } operation: {
      @Dependency(\.openURL) var openURL
      #expect(await openURL(url))
    }
    #expect(opened.value == [url])
  }

  @Test func `calendar, locale, time zone, date and uuid have no test values`() {
    let issues = recordingIssues {
      _ = (dependencies.calendar, dependencies.locale, dependencies.timeZone)
      _ = dependencies.preferredLocales
      _ = (dependencies.date, dependencies.uuid)
    }
    #expect(
      issues.map { $0.prefix { $0 != ")" } } == [
        "@Dependency(\\.calendar", "@Dependency(\\.locale", "@Dependency(\\.timeZone",
        "@Dependency(\\.preferredLocales", "@Dependency(\\.date", "@Dependency(\\.uuid",
      ]
    )
  }

  @Test func `the default clocks of tests report each use`() async throws {
    let issues = try await recordingIssues {
      try await dependencies.continuousClock.sleep(for: .seconds(60))
      _ = dependencies.suspendingClock.minimumResolution
    }
    #expect(
      issues.map { $0.prefix { $0 != " " } } == [
        "\"@Dependency(\\.continuousClock).now\"", "\"@Dependency(\\.continuousClock).sleep\"",
        "\"@Dependency(\\.suspendingClock).minimumResolution\"",
      ]
    )
  }

  static let numbers: [(Int, String)] = [
    (0, "00000000-0000-0000-0000-000000000000"),
    (7, "00000000-0000-0000-0000-000000000007"),
    (0x1_2345_6789, "00000000-0000-0000-0000-000123456789"),
    (.max, "00000000-0000-0000-7FFF-FFFFFFFFFFFF"),
    (-1, "00000000-0000-0001-0000-000000000001"),
  ]

  @Test(arguments: numbers) func `UUID can be made from any integer`(number: Int, text: String) {
    #expect(UUID(number).uuidString == text)
  }

  @Test func `constant generators return the same uuid and date for each call`() {
    let date = Date(timeIntervalSince1970: 7)
    withDependencies {
      $0.uuid = .constant(UUID(7))
      $0.date = .constant(date)
    } operation: {
      @Dependency(\.uuid) var uuid
      @Dependency(\.date) var date1
      #expect(uuid() == UUID(7) && uuid() == UUID(7))
      #expect(date1() == date && date1.now == date)
    }
  }
}

/// Collects issues with their source locations.
private final class PlaceCollector: IssueReporter {
  let places = LockIsolated<[String]>([])

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let text = "\(filePath):\(line) \(message() ?? "")"
    places.withValue { $0.append(text) }
  }
}
