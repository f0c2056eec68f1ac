import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// `test LOG -o FILE.swift`: generates a test from a log.
///
/// By default, the test expects the replay of the log to match. It contains the log, or refers to the file of a large
/// log. With `--style store`, the test sends the recorded actions to a test store.
package enum TestCommand: Command {
  package static let syntax = CommandSyntax(
    name: "test",
    summary: "write a Swift test from a log",
    operands: [.log],
    options: [
      .log, .output,
      .force("overwrite even a log; any other file is overwritten in any case"),
      CommandSyntax.Option(
        name: "--style",
        value: "replay|store",
        summary: "replay the log, or perform its steps with a TestStore (replay)",
        choices: ["replay", "store"]
      ),
      CommandSyntax.Option(
        name: "--reducer",
        value: "CODE",
        summary: "the code that makes the reducer (the log's feature, such as 'AppFeature()')"
      ),
      .modules,
      CommandSyntax.Option(
        name: "--name",
        value: "NAME",
        summary: "the name of the test function (derived from the log's name)"
      ),
      CommandSyntax.Option(
        name: "--shared",
        value: "MEMBER",
        summary: "this member of the state is a shared value",
        isRepeated: true,
        requires: "--style store"
      ),
      CommandSyntax.Option(
        name: "--shared-reader",
        value: "MEMBER",
        summary: "this member of the state only reads a shared value",
        isRepeated: true,
        requires: "--style store"
      ),
      CommandSyntax.Option(
        name: "--whole",
        value: "MEMBER",
        summary: "assign this member of the state as a whole",
        isRepeated: true,
        requires: "--style store"
      ),
    ],
    examples: [
      CommandSyntax.Example("bug.jsonl -o BugTests.swift", "write a test that replays the log"),
      CommandSyntax.Example(
        "bug.jsonl --style store",
        "write the steps of the log as a test with a TestStore"
      ),
    ],
    discussion: """
      The test needs the product TCAReplay. It contains a log of up to 20 kB; for a larger log it refers to the file,
      which must stay where it is. The test passes as long as the feature does what was recorded. Otherwise it shows the
      first divergence. Update a log of an older schema version with 'migrate' first.

      With '--style store', the test performs the steps of the log with a TestStore instead: each action, the members of
      the state that it changes, and what effects send. It needs the product TCATesting. A log does not contain
      everything about types: if the compiler cannot assign a member, declare what it is with '--shared',
      '--shared-reader' or '--whole'. MEMBER is its name, or the end of the path to it: 'draft', 'account.draft'.
      '--whole "*"' assumes nothing. What cannot be written is named in a comment and on standard error.

      The test of a log from an app on Point-Free's library uses that library's TestStore. Either style then needs the
      adapter's product ComposableReplay instead.
      """
  )

  /// Returns whether a string can be a function name, if necessary in backticks.
  private static func isName(_ text: String) -> Bool {
    text.contains { $0.isLetter || $0.isNumber }
      && !text.contains { $0.isNewline || $0 == "`" || $0 == "\\" }
  }

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    if let name = arguments.value("--name"), !Self.isName(name) {
      throw UsageError.badValue(
        name,
        option: "--name",
        expected: "a name of a function, such as basketIsEmpty or 'the basket is empty'",
        command: syntax.name
      )
    }
    if let reducer = arguments.value("--reducer"), reducer.allSatisfy(\.isWhitespace) {
      throw UsageError.badValue(
        reducer,
        option: "--reducer",
        expected: "the code that makes the reducer, such as 'AppFeature()'",
        command: syntax.name
      )
    }
    try OverwriteGuard.check(arguments.value("--output"), arguments, as: .other)
    let (log, spool) = try context.log(arguments)
    let output = arguments.value("--output")
    if arguments.value("--style") == "store" {
      let test = try storeTest(of: log, arguments)
      withExtendedLifetime(spool) {}
      try context.console.write(to: output) { try $0.write(test.code.utf8) }
      for complaint in test.complaints { context.complain(complaint) }
      return .same
    }
    // A test can refer only to a file that contains nothing but the log.
    let isAlone = spool == nil && log.start == 0 && log.end == nil
    let test = try GeneratedTest(
      log,
      file: isAlone ? path(of: log.path, from: output == "-" ? nil : output) : nil,
      reducer: arguments.value("--reducer"),
      modules: arguments.values("--import"),
      name: arguments.value("--name")
    )
    withExtendedLifetime(spool) {}
    try context.console.write(to: output) { try $0.write(test.code.utf8) }
    if test.refersToLog { context.complain(Wording.testRefers(to: log.name)) }
    return .same
  }

  private static func storeTest(
    of log: LogSlice,
    _ arguments: ParsedArguments
  ) throws -> StoreTest {
    try StoreTest(
      log,
      reducer: arguments.value("--reducer"),
      modules: arguments.values("--import"),
      name: arguments.value("--name"),
      members: StoreTest.StateMemberTraits(
        shared: Set(arguments.values("--shared")),
        readers: Set(arguments.values("--shared-reader")),
        whole: Set(arguments.values("--whole"))
      )
    )
  }

  /// Returns the path of a log relative to the test's folder, or an absolute path if the folder is not known.
  private static func path(of log: String, from test: String?) -> String {
    let file = URL(fileURLWithPath: log).standardizedFileURL.pathComponents
    guard let test else { return URL(fileURLWithPath: log).standardizedFileURL.path }
    let folder = URL(fileURLWithPath: test).standardizedFileURL.pathComponents.dropLast()
    let shared = zip(file, folder).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - shared)
    return (up + file[shared...]).joined(separator: "/")
  }
}

/// The message of `test`.
extension Wording {
  package static func testRefers(to log: String) -> String {
    "\(log) is larger than \(GeneratedTest.most / 1000) kB, so the test refers to it; keep it where it is, or record less"
  }
}
