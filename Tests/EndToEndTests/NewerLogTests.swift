import Foundation
import TestSupport
import Testing

/// Logs of later builds.
///
/// Commands that need their code refuse them with advice, and commands that only read logs work if they can.
@Suite struct NewerLogTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    var output = ""
    var error = ""
    var testDescription: String { arguments.joined(separator: " ") }
  }

  /// Returns a folder with the log, and a copy of the log with another start of its header.
  private func folder(_ header: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: Project.sample("counter.jsonl"), encoding: .utf8)
    try folder.write(text, to: "old.jsonl")
    try folder.write(
      text.replacing(
        #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"#,
        with: header
      ),
      to: "new.jsonl"
    )
    return folder
  }

  private func check(_ test: Case, in folder: TemporaryFolder) throws {
    let result = try Tool.replay.run(test.arguments, in: folder.path)
    #expect(result.output == test.output)
    #expect(result.error == test.error)
    #expect(result.status == test.status)
  }

  // MARK: - A newer schema

  private static let newerSchema =
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"schemaVersion":2,"#
  private static let refusal =
    "the log of 'Counter' has schema version 2, this host goes up to 1: use a newer build of the app\n"

  /// Commands that run the code of the log's feature.
  static let refusing: [Case] = [
    Case(arguments: ["run", "new.jsonl"], status: 69, output: "new.jsonl: " + refusal),
    Case(arguments: ["replay", "new.jsonl"], status: 69, error: "tca-replay: " + refusal),
    Case(arguments: ["migrate", "new.jsonl"], status: 69, error: "tca-replay: " + refusal),
    Case(arguments: ["audit", "new.jsonl"], status: 69, error: "tca-replay: " + refusal),
    Case(
      arguments: ["minimize", "new.jsonl", "--when", "$.seq == 1", "-o", "-"],
      status: 69,
      error: "tca-replay: " + refusal
    ),
    Case(
      arguments: ["explore", "new.jsonl", "--invariant", "$.seq > 0"],
      status: 69,
      error: "tca-replay: " + refusal
    ),
  ]

  @Test(arguments: refusing)
  func `commands that run the code refuse a log of a newer schema`(test: Case) throws {
    try check(test, in: folder(Self.newerSchema))
  }

  @Test func `run replays the other logs after one of a newer schema`() throws {
    let test = Case(
      arguments: ["run", "new.jsonl", "old.jsonl"],
      status: 69,
      output: """
        new.jsonl: \(Self.refusal)\
        old.jsonl: identical, through action 12
        2 logs, 1 failed

        """
    )
    try check(test, in: folder(Self.newerSchema))
  }

  /// Commands that only read the log give the same output as for a log without a version.
  static let reading = [
    ["show"], ["show", "--at", "3"], ["verify"], ["stats"], ["blame", "/count"], ["test"],
    ["mask", "--path", "/count"], ["mask", "--check"], ["bisect", "--when", "$.seq == 3"],
  ]

  @Test(arguments: reading)
  func `commands that do not run code accept a log of a newer schema`(arguments: [String]) throws {
    let folder = try folder(Self.newerSchema)
    let results = try ["old.jsonl", "new.jsonl"].map { name in
      var arguments = arguments
      arguments.insert(name, at: 1)
      return try Tool.replay.run(arguments, in: folder.path)
    }
    #expect(results.map(\.status) == [0, 0])
    #expect(!results[0].output.isEmpty)
    func plain(_ text: String) -> String {
      // Each log has its own substitutes for masked values.
      text.replacing("new.jsonl", with: "old.jsonl").replacing("newReplays", with: "oldReplays")
        .replacing(#""schemaVersion":2,"#, with: "")
        .replacing(/"count":-?\d+|"value":-?\d+|header .*\d bytes/, with: "")
    }
    #expect(plain(results[0].output) == plain(results[1].output))
    #expect(plain(results[0].error) == plain(results[1].error))
  }

  @Test
  func `diff finds no difference between two versions of a log that differ only in the schema`()
    throws
  {
    let test = Case(
      arguments: ["diff", "old.jsonl", "new.jsonl"],
      status: 0,
      output: "no difference, through action 12\n"
    )
    try check(test, in: folder(Self.newerSchema))
  }

  // MARK: - A newer format

  struct Refused: Sendable, CustomTestStringConvertible {
    let header: String
    let message: String
    var testDescription: String { message }
  }

  static let formats = [
    Refused(
      header: #"{"kind":"header","format":"tca-replay","version":2,"requires":[],"#,
      message:
        "line 1: the log has format version 2, this program reads up to version 1: use a newer tca-replay\n"
    ),
    Refused(
      header: #"{"kind":"header","format":"tca-replay","version":1,"requires":["zip"],"#,
      message:
        "line 1: the log requires zip, which this program does not know: use a newer tca-replay\n"
    ),
  ]

  static let commands: [Case] = [
    Case(arguments: ["run", "new.jsonl"], status: 65, output: "new.jsonl: "),
    Case(arguments: ["verify", "new.jsonl"], status: 65, error: "tca-replay: new.jsonl: "),
    Case(arguments: ["stats", "new.jsonl"], status: 65, error: "tca-replay: new.jsonl: "),
    Case(arguments: ["show", "new.jsonl"], status: 65, error: "tca-replay: new.jsonl: "),
    Case(
      arguments: ["show", "new.jsonl", "--at", "3"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
    Case(
      arguments: ["diff", "new.jsonl", "old.jsonl"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
    Case(
      arguments: ["diff", "old.jsonl", "new.jsonl"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
    Case(
      arguments: ["blame", "new.jsonl", "/count"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
    Case(arguments: ["test", "new.jsonl"], status: 65, error: "tca-replay: new.jsonl: "),
    Case(
      arguments: ["mask", "new.jsonl", "--check"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
    Case(
      arguments: ["mask", "new.jsonl", "--path", "/count"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
    Case(arguments: ["replay", "new.jsonl"], status: 65, error: "tca-replay: new.jsonl: "),
    Case(arguments: ["migrate", "new.jsonl"], status: 65, error: "tca-replay: new.jsonl: "),
    Case(arguments: ["audit", "new.jsonl"], status: 65, error: "tca-replay: new.jsonl: "),
    Case(
      arguments: ["bisect", "new.jsonl", "--when", "$.seq == 1"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
    Case(
      arguments: ["minimize", "new.jsonl", "--traps", "-o", "-"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
    Case(
      arguments: ["explore", "new.jsonl", "--invariant", "$.seq > 0"],
      status: 65,
      error: "tca-replay: new.jsonl: "
    ),
  ]

  @Test(arguments: commands, formats)
  func `every command refuses a log of a newer format, or with an unknown requirement`(
    test: Case,
    format: Refused
  ) throws {
    let expected = Case(
      arguments: test.arguments,
      status: test.status,
      output: test.output.isEmpty ? "" : test.output + format.message,
      error: test.error.isEmpty ? "" : test.error + format.message
    )
    try check(expected, in: folder(format.header))
  }
}
