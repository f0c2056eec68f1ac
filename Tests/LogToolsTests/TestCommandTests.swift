import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayCommands

/// `test`: a Swift test that replays a log.
@MainActor @Suite struct TestCommandTests {
  @Test func `test writes a test that contains the log`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(
      SampleLog.lines.prefix(2).joined(separator: "\n") + "\n"
        + ###"{"kind":"action","seq":1,"at":0,"origin":"view","action":"a\"##b"}"###,
      to: "my bug-12.jsonl"
    )
    #expect(
      try await terminal.run("test", "my bug-12.jsonl", "--import", "AppFeature")
        == .init(
          status: 0,
          output: ####"""
            import AppFeature
            import TCAReplay
            import Testing

            /// Replays what was recorded in my bug-12.jsonl.
            @Test @MainActor func myBug12Replays() async throws {
              try await expectReplay(
                ofLines: ###"""
                  {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Counter","stateType":"CounterState","startedAt":"2026-01-01T00:00:00Z","recorder":"0.1.0","environment":{},"segment":1}
                  {"kind":"checkpoint","seq":0,"state":{"count":0,"id":""},"effects":[]}
                  {"kind":"action","seq":1,"at":0,"origin":"view","action":"a\"##b"}
                  """###
              ) {
                Counter()
              }
            }

            """####
        )
    )
  }

  /// A test with a page of log is readable, but a test with a book is not.
  @Test func `test refers to a large log by its path from the test file`() async throws {
    let terminal = try Terminal()
    let note = #"{"kind":"note","seq":0,"at":0,"text":"\#(String(repeating: "x", count: 20_000))"}"#
    let large = SampleLog.lines.prefix(2) + [note] + SampleLog.lines.dropFirst(2)
    let text = large.joined(separator: "\n") + "\n"
    try terminal.folder.write(text, to: "logs/big \"1\".jsonl")
    try terminal.folder.write("", to: "Tests/AppTests/Place.swift")
    func code(_ arguments: String...) async throws -> String {
      let result = try await terminal.run(["test"] + arguments)
      #expect(result.status == 0)
      #expect(
        result.error == """
          tca-replay: logs/big "1".jsonl is larger than 20 kB, so the test refers to it; keep it where it is, or record less

          """
      )
      return result.output
    }
    let expected = """
      import Foundation
      import TCAReplay
      import Testing

      /// Replays what was recorded in big "1".jsonl.
      @Test @MainActor func big1Replays() async throws {
        try await expectReplay(
          of: URL(filePath: #filePath).deletingLastPathComponent().appending(path: #"../../logs/big "1".jsonl"#)
        ) {
          Counter()
        }
      }

      """
    let place = terminal.folder.path + "/Tests/AppTests/BigTests.swift"
    #expect(try await code("logs/big \"1\".jsonl", "-o", place) == "")
    #expect(try terminal.folder.read("Tests/AppTests/BigTests.swift") == expected)
    // The location of this test is not known.
    let output = try await code("logs/big \"1\".jsonl")
    #expect(output.contains(##"of: URL(filePath: #"logs/big "1".jsonl"#)"##))
    // A log after another one in a file has no separate file.
    try terminal.folder.write(SampleLog.text + "\n" + text, to: "two.jsonl")
    #expect(try await terminal.run("test", "two.jsonl").output.contains("ofLines:"))
    terminal.input = text
    let piped = try await terminal.run("test", "-")
    #expect(piped.error == "")
    #expect(piped.output.contains("ofLines:"))
  }

  /// A log may come from an untrusted source, and a test is code.
  @Test func `test refuses a feature name that is not the name of a type`() async throws {
    let terminal = try Terminal()
    let code = #"Counter() }\nfunc evil() { print(1) }; _ = { Counter"#
    let log = SampleLog.text.replacing(#""Counter","#, with: #""\#(code)","#)
    try terminal.folder.write(log, to: "a.jsonl")
    let refusal =
      #"tca-replay: a.jsonl: the feature is named '\#(code)', which cannot stand in code; expected the name of a type, such as AppFeature. Give the code that makes the reducer with --reducer; '--style store' needs the type's name in the header of the log"#
      + "\n"
    for arguments in [[], ["--style", "store"], ["--style", "store", "--reducer", "Counter()"]] {
      #expect(
        try await terminal.run(["test", "a.jsonl"] + arguments)
          == .init(status: 65, output: "", error: refusal)
      )
    }
    let own = try await terminal.run("test", "a.jsonl", "--reducer", "Counter()")
    #expect(own.status == 0)
    #expect(own.output.hasSuffix("  ) {\n    Counter()\n  }\n}\n"))
  }

  @Test func `test --style store refuses a state type that is not the name of a type`() async throws
  {
    let terminal = try Terminal()
    let log = SampleLog.text.replacing(#""CounterState""#, with: #""Int = 1; evil(); let x: Int""#)
    try terminal.folder.write(log, to: "a.jsonl")
    #expect(
      try await terminal.run("test", "a.jsonl", "--style", "store")
        == .init(
          status: 65,
          output: "",
          error: """
            tca-replay: a.jsonl: the type of the state is named 'Int = 1; evil(); let x: Int', which cannot stand in code; expected the name of a type, such as AppFeature.State. Leave out '--style store': a test that replays the log does not name it

            """
        )
    )
  }

  @Test func `test refuses an empty --reducer`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    #expect(
      try await terminal.run("test", "a.jsonl", "--reducer", " ")
        == .init(
          status: 64,
          output: "",
          error: """
            tca-replay: invalid value ' ' for '--reducer'; expected the code that makes the reducer, such as 'AppFeature()'
            see 'tca-replay test --help'

            """
        )
    )
  }

  @Test(
    arguments: [
      ("Counter", "Counter"), ("App.Counter", "Counter"), ("Row<App.Item>", "Row<App.Item>"),
      ("App.Row<Int, [String: A.B?]>.Cell", "Cell"), ("Pair<(Int, Int)>", "Pair<(Int, Int)>"),
      ("Zähler", "Zähler"),
    ]
  )
  func `SwiftNameConverter gives the name of a type without its modules and outer types`(
    feature: String,
    name: String
  ) throws {
    #expect(try SwiftNameConverter.type(feature, in: "a.jsonl") == name)
  }

  @Test(
    arguments: [
      "A B", "A()", "A;b", "A\nB", "A.", ".A", "A..B", "A<", "A<>", "A<B", "A>", "1A", "A-B",
      "A\u{B}B",
      "A<B>C", "`A`", String(repeating: "[", count: 10_000), "\u{202E}A",
    ]
  )
  func `SwiftNameConverter refuses texts that are not names of a type`(feature: String) {
    #expect(throws: CommandError.notATypeOfFeature("a.jsonl", name: feature)) {
      try SwiftNameConverter.type(feature, in: "a.jsonl")
    }
  }

  /// The label of an error's payload is also a name in the log.
  @Test func `test escapes notes and labels of a log so that they cannot become code`() async throws
  {
    let terminal = try Terminal()
    var lines = SampleLog.lines
    lines[2] = lines[2].replacing(
      #"{"increment":{}}"#,
      with:
        #"{"failed":{"_0":{"$error":{"type":"Bad","description":"x","value":{"no":{"x: evil(), y":1}}}}}}"#
    )
    lines.insert(#"{"kind":"note","seq":0,"at":1,"text":"a\u000bevil()\r\u2028evil()"}"#, at: 2)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a\rb.jsonl")
    let result = try await terminal.run("test", "a\rb.jsonl", "--style", "store")
    #expect(result.status == 0)
    #expect(!result.output.contains("evil(), y:"))
    let code = result.output.split(whereSeparator: \.isNewline).filter { !$0.contains("//") }
    #expect(!code.contains { $0.hasPrefix("evil") || $0.hasPrefix("  evil") })
    #expect(result.output.contains(#"/// Takes the steps that were recorded in a\rb.jsonl."#))
  }
}
