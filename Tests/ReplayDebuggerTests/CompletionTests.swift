import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugger

/// The completions of a word's arguments.
@MainActor @Suite struct CompletionTests {
  private static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Trips","stateType":"Trips.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0","environment":{},"segment":1}
    {"kind":"checkpoint","seq":0,"state":{"rows":[{"id":"00000000-0000-0000-0000-00000000AC1A","title":"a"}],"votes":{"16":2,"all":3},"path":[{"id":2,"element":{"visit":{"_0":{"seconds":0}}}}]},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"path":{"_0":{"element":{"id":2,"action":{"visit":{"_0":{"tick":{}}}}}}}}}
    {"kind":"change","seq":1,"patch":[]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"path":{"_0":{"element":{"id":2,"action":{"visit":{"_0":{"saved":{}}}}}}}}}
    {"kind":"change","seq":2,"patch":[]}
    {"kind":"end","seq":2,"reason":"closed"}

    """#

  nonisolated static let heads: [(head: String, candidates: [String])] = [
    // Inside brackets.
    ("print path[", ["path[#2]", "path[*]", "path[0]"]), ("print path[#", ["path[#2]"]),
    ("print rows[…", ["rows[…AC1A]"]), ("print votes[", [#"votes["16"]"#, #"votes["all"]"#]),
    // After brackets.
    ("print path[#2].", ["path[#2].visit"]), ("print path[*].visit.s", ["path[*].visit.seconds"]),
    ("print rows[…AC1A].t", ["rows[…AC1A].title"]),
    // Actions.
    ("break .pa", [".path[].visit.saved", ".path[].visit.tick"]),
    (
      "break .path[",
      [
        ".path[2].visit.saved", ".path[2].visit.tick", ".path[].visit.saved", ".path[].visit.tick",
      ]
    ),
    ("break .path[2].visit.s", [".path[2].visit.saved"]), ("break .sa", [".saved"]),
    ("break .visit.t", [".visit.tick"]), ("break .no", []),
  ]

  @Test(arguments: heads)
  func `the debugger completes paths and actions, including text in brackets`(
    head: String,
    candidates: [String]
  )
    throws
  {
    let terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
    let log = try LogSlice.slices(of: terminal.folder.path + "/a.jsonl", name: "a.jsonl")[0]
    let context = CommandContext(
      program: Program(name: "tca-replay", version: "1", executable: "self"),
      features: FeatureCatalog([]),
      console: Console(input: .nullDevice, output: MemorySink(), error: MemorySink()),
      makeReplayStarter: { { _, _ in throw DebugError.cannotFork } }
    )
    let session = try DebugSession(try DebuggedLog(log, cache: nil))
    let shell = DebugShell(session, context: context, style: .plain, isJSON: false)
    #expect(DebugCompleter(shell).completions(of: head).candidates == candidates)
  }
}
