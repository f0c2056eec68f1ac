import Foundation
import TestSupport
import Testing

/// The output and the exit status of the analyses, as scripts see them.
@Suite("Analyses")
struct AnalysisStatusTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    var output = ""
    var error = ""
    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let invariant = "$.state.savedRevision >= $.before.savedRevision"

  private static let cases: [Case] = [
    Case(
      arguments: ["explore", "SampleLogs/draft.jsonl", "--invariant", invariant],
      status: 1,
      output: """
        SampleLogs/draft.jsonl: $.state.savedRevision >= $.before.savedRevision does not hold in every order

          action 7  .saved(revision: 2), sent by effect 6.0, comes after action 38

          $.state.savedRevision >= $.before.savedRevision does not hold after action 38  .saved(revision: 2), which was \
        action 7

        351 transitions, 211 different places

        """
    ),
    Case(
      arguments: [
        "explore", "SampleLogs/draft.jsonl", "--invariant", invariant, "--format", "json",
      ],
      status: 1,
      output: #"""
        {"log":"SampleLogs/draft.jsonl","invariant":"$.state.savedRevision >= $.before.savedRevision","held":false,\#
        "isComplete":false,"seed":0,"transitions":351,"replays":5,"places":211,"unclear":0,"isInMemory":true,"violation":{"seq":38,\#
        "action":{"saved":{"revision":2}},"recordedSeq":7,"moves":[{"seq":7,"origin":{"effect":"6.0"},\#
        "action":{"saved":{"revision":2}},"behind":38}]}}

        """#
    ),
    Case(
      arguments: [
        "explore", "SampleLogs/draft.jsonl", "--invariant", "$.seq > 0", "--transitions", "40",
      ],
      status: 0,
      output: """
        SampleLogs/draft.jsonl: $.seq > 0 holds in all orders that were tried; \
        --transitions ended the search, so there are more
        40 transitions, 28 different places

        """
    ),
    Case(
      arguments: ["explore", "SampleLogs/counter.jsonl", "--invariant", "$.state.count < 1"],
      status: 1,
      output: """
        SampleLogs/counter.jsonl: $.state.count < 1 does not hold in every order

          The recorded order shows it already; 'bisect --when' says more.

          $.state.count < 1 does not hold after action 1  .incrementButtonTapped

        0 transitions, 1 place

        """
    ),
    Case(
      arguments: ["explore", "SampleLogs/counter-diverged.jsonl", "--invariant", "$.seq > 0"],
      status: 65,
      error: """
        tca-replay: SampleLogs/counter-diverged.jsonl does not replay as recorded from action 3 on, so other orders prove \
        nothing; 'run' shows how

        """
    ),
    Case(
      arguments: ["explore", "SampleLogs/draft.jsonl", "--replays", "3"],
      status: 64,
      error: """
        tca-replay: 'explore' has no option '--replays'
        see 'tca-replay explore --help'

        """
    ),
    Case(
      arguments: ["explore", "nothing.jsonl", "--invariant", "$.seq > 0"],
      status: 66,
      error: "tca-replay: there is no file nothing.jsonl\n"
    ),
    Case(
      arguments: ["audit", "Package.swift"],
      status: 65,
      error: "tca-replay: Package.swift: line 1 is not JSON: found '/' where a value was expected,"
        + " at byte 0\n"
    ),
    Case(
      arguments: ["audit", "SampleLogs/todos.jsonl", "--host", "/nowhere"],
      status: 69,
      error: """
        tca-replay: the host /nowhere cannot be started: No such file or directory; expected an executable that was built \
        from a ReplayHost

        """
    ),
    Case(
      arguments: ["audit", "SampleLogs/todos.jsonl", "--runs", "4", "--seed", "9"],
      status: 0,
      output: """
        SampleLogs/todos.jsonl: stable, the same in 4 replays and as recorded; --seed 9 repeats the audit

        """
    ),
    Case(
      arguments: ["bisect", "SampleLogs/counter.jsonl", "--when", "$.state.count > 1000"],
      status: 1,
      output:
        "SampleLogs/counter.jsonl: $.state.count > 1000 holds after none of 12 actions\n"
    ),
    Case(
      arguments: ["bisect", "nothing.jsonl", "--when", "$.seq > 0"],
      status: 66,
      error: "tca-replay: there is no file nothing.jsonl\n"
    ),
    Case(
      arguments: ["minimize", "SampleLogs/counter.jsonl", "--traps", "-o", "/nowhere/log.jsonl"],
      status: 1,
      error: """
        tca-replay: the replay of SampleLogs/counter.jsonl does not show it: nothing to minimize; 'run' and 'bisect --when' \
        show what happens in the log

        """
    ),
    Case(
      arguments: [
        "minimize", "SampleLogs/counter.jsonl", "--when", "$.seq > 0", "-o", "/nowhere/log.jsonl",
      ],
      status: 73,
      error: "tca-replay: cannot write /nowhere/log.jsonl: No such file or directory\n"
    ),
  ]

  @Test(
    "an analysis prints its expected output and exits with its expected status",
    arguments: cases
  )
  func answers(_ test: Case) throws {
    let result = try Tool.replay.run(test.arguments, in: Project.folder)
    #expect(result.output == test.output)
    #expect(result.error == test.error)
    #expect(result.status == test.status)
  }

  @Test("minimize keeps the output of trapping candidates out of its JSON report")
  func minimizeTrap() throws {
    let folder = try TemporaryFolder()
    let output = "\(folder.path)/small.jsonl"
    let result = try Tool.replay.run(
      ["minimize", "SampleLogs/todos-trap.jsonl", "--traps", "-o", output, "--format", "json"],
      in: Project.folder
    )
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(
      result.output.hasPrefix(#"{"log":"SampleLogs/todos-trap.jsonl","output":"\#(output)","#)
    )
    #expect(result.output.contains(#""isMinimal":true"#))
    let run = try Tool.replay.run("run", output)
    #expect(run.status == 0)
    #expect(run.output.contains("trap reproduced at action"))
  }
}
