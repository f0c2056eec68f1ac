import Foundation
import TestSupport
import Testing

/// Standard streams that the caller has closed.
@Suite struct ClosedStreamTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    /// The redirections in the shell.
    let closing: String
    let status: Int32
    var output = ""
    var error = ""
    var testDescription: String { "\(arguments.joined(separator: " ")) \(closing)" }
  }

  private static let closedOutput =
    "tca-replay: standard output is closed; expected a file, a pipe or a terminal\n"

  static let cases: [Case] = [
    Case(arguments: ["--version"], closing: ">&-", status: 74, error: closedOutput),
    Case(
      arguments: ["show", "SampleLogs/counter.jsonl"],
      closing: ">&-",
      status: 74,
      error: closedOutput
    ),
    Case(
      arguments: ["run", "SampleLogs/counter.jsonl"],
      closing: "<&- >&-",
      status: 74,
      error: closedOutput
    ),
    Case(
      arguments: ["replay", "SampleLogs/counter.jsonl"],
      closing: ">&-",
      status: 74,
      error: closedOutput
    ),
    Case(
      arguments: ["run", "SampleLogs/counter.jsonl"],
      closing: "<&- 2>&-",
      status: 0,
      output: "SampleLogs/counter.jsonl: identical, through action 12\n"
    ),
    Case(
      arguments: ["run", "-"],
      closing: "<&-",
      status: 74,
      output: "-: standard input is closed; expected a file, a pipe or a terminal\n"
    ),
  ]

  @Test(arguments: cases)
  func `commands report closed standard streams that they need`(testCase: Case) throws {
    let result = try Tool.shell.run(
      ["-c", "exec \"$0\" \"$@\" \(testCase.closing)", Tool.replay.path] + testCase.arguments,
      in: Project.folder
    )
    #expect(result.output == testCase.output)
    #expect(result.error == testCase.error)
    #expect(result.status == testCase.status)
  }
}
