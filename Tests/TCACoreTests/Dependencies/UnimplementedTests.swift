import TCACore
import Testing

/// Unimplemented functions.
@Suite struct UnimplementedTests {
  private struct Client: Sendable {
    var count: @Sendable (String, Int) -> Int = unimplemented("Client.count", placeholder: 42)
    var close: @Sendable () -> Void = unimplemented("Client.close")
    var load: @Sendable (Int) async throws -> String = unimplemented("Client.load")
    var save: @Sendable (String) throws -> Void = unimplemented("Client.save")
    var wait: @Sendable (Int, Int, Int) async -> Int = unimplemented(placeholder: 1)
    var quiet: @Sendable (Int) async -> Void = unimplemented("Client.quiet")
  }

  private let client = Client()
  private let firstLine = #line - 9

  @Test
  func `an unimplemented function reports its name and arguments and returns the placeholder`() {
    let issues = recordingIssues { #expect(client.count("a", 1) == 42) }
    #expect(
      issues == [
        """
        Unimplemented: 'Client.count'

          Defined at:
            TCACoreTests/UnimplementedTests.swift:\(firstLine)
          Called with:
            "a",
            1
        """
      ]
    )
  }

  @Test func `an unimplemented function without arguments reports its name and its source line`() {
    let issues = recordingIssues { client.close() }
    #expect(
      issues == [
        """
        Unimplemented: 'Client.close'

          Defined at:
            TCACoreTests/UnimplementedTests.swift:\(firstLine + 1)
        """
      ]
    )
  }

  @Test func `unimplemented throwing functions report an issue and throw`() async {
    let issues = await recordingIssues {
      await #expect(throws: Unimplemented("Client.load")) { try await client.load(1) }
      #expect(throws: Unimplemented("Client.save")) { try client.save("") }
    }
    #expect(issues.count == 2)
  }

  @Test func `unimplemented async functions report an issue and return a placeholder`() async {
    let issues = await recordingIssues {
      #expect(await client.wait(1, 2, 3) == 1)
      await client.quiet(1)
    }
    #expect(
      issues.map { $0.prefix { $0 != "\n" } } == [
        "Unimplemented: 'Client'", "Unimplemented: 'Client.quiet'",
      ]
    )
  }

  @Test func `an unimplemented value reports an issue when it is made`() {
    let issues = recordingIssues {
      let value: Int = unimplemented("a number", placeholder: 7)
      #expect(value == 7)
    }
    #expect(issues.map { $0.prefix { $0 != "\n" } } == ["Unimplemented: 'a number'"])
  }
}
