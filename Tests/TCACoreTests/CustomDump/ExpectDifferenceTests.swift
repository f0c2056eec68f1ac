import Foundation
import TCACore
import Testing

@Suite("Expectations of differences")
struct ExpectDifferenceTests {
  @Test func `expectNoDifference reports nothing for equal values`() {
    #expect(recordingIssues { expectNoDifference(1, 1) } == [])
  }

  @Test func `expectNoDifference reports unequal values with their difference`() {
    let found = recordingIssues {
      expectNoDifference(
        Dumped.User(id: 1, name: "a"),
        Dumped.User(id: 1, name: "b"),
        "The user was saved."
      )
    }
    let expected = """
      The user was saved.

      Two values were expected to be equal and differ:

          \u{2007} Dumped.User(
          \u{2007}   id: 1,
          −   name: "a",
          +   name: "b",
          \u{2007}   favorites: []
          \u{2007} )

      (First: −, second: +)
      """
    #expect(found == [expected])
  }

  @Test func `expectNoDifference reports an error that its expression throws`() {
    func expectation() { expectNoDifference(try failing(), 1) }
    let found = recordingIssues(expectation)
    #expect(
      found == [
        "An error was thrown where none was expected: ExpectDifferenceTests.Failure(code: 3)"
      ]
    )
  }

  @Test func `expectDifference reports nothing if the value changes as expected`() {
    var counter = Dumped.Counter()
    let found = recordingIssues {
      expectDifference(counter) {
        counter.count += 1
      } changes: {
        $0.count = 1
      }
    }
    #expect(found == [])
  }

  @Test func `expectDifference reports a change that differs from the expected one`() {
    var counter = Dumped.Counter()
    let found = recordingIssues {
      expectDifference(counter) {
        counter.count += 1
      } changes: {
        $0.count = 2
      }
    }
    let expected = """
      A value did not change as expected:

          − Dumped.Counter(count: 2)
          + Dumped.Counter(count: 1)

      (Expected: −, actual: +)
      """
    #expect(found == [expected])
  }

  @Test func `expectDifference awaits an asynchronous operation before it compares`() async {
    let counter = LockIsolated(0)
    let found = await recordingIssues {
      await expectDifference(counter.value) {
        await Task.yield()
        counter.withValue { $0 += 1 }
      } changes: {
        $0 = 1
      }
      await expectDifference(counter.value) {
        await Task.yield()
      } changes: {
        $0 = 5
      }
    }
    let expected = """
      A value did not change as expected:

          − 5
          + 1

      (Expected: −, actual: +)
      """
    #expect(found == [expected])
  }

  @Test func `diff marks lines with the signs of the chosen format`() {
    #expect(diff(1, 2, format: .proportional) == "\u{2212} 1\n+ 2")
    #expect(diff(1, 2, format: DiffFormat(first: "<", second: ">", both: "=")) == "< 1\n> 2")
    #expect(diff((1, [1]), (1, [2]), format: .default)?.hasPrefix("  (\n") == true)
  }

  @Test func `customDump writes to a stream with a name and an indentation`() {
    var text = ""
    let value = customDump(["a": 1], to: &text, name: "value", indent: 2)
    #expect(value == ["a": 1])
    #expect(text == "  value: [\n    \"a\": 1\n  ]")
  }

  private struct Failure: Error {
    var code = 3
  }

  private func failing() throws -> Int { throw Failure() }
}
