import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayHosts

/// Hosts in processes of their own that pass actions: scripts that do it well, too often, or not to the end.
@MainActor @Suite(.serialized) struct PassingHostTests {
  struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the host does with the log; `pass` passes action 1, `answer` gives every event.
    let passing: String
    var careful = "answer"
    var status: Int32 = 0
    var output = "a.jsonl: identical, through action 16\n"
    /// How often a host is started.
    let starts: Int
  }

  nonisolated static let scripts = [
    Script(testDescription: "passes", passing: "answer | pass 1", starts: 1),
    Script(testDescription: "passes nothing", passing: "answer", starts: 1),
    Script(
      testDescription: "passes what is not to be passed",
      passing: "answer | pass 3",
      starts: 2
    ),
    Script(
      testDescription: "passes what the log does not have",
      passing: "answer | pass 1 | sed -u 's/passed.,.seq.:1/passed\",\"seq\":99/'",
      starts: 2
    ),
    Script(
      testDescription: "is lost, and again",
      passing: "head -n 6 | answer | pass 1; kill -TRAP $$",
      careful: "head -n 10 | answer; kill -TRAP $$",
      status: 1,
      output: "a.jsonl: trapped at action 4 (SIGTRAP), which the recorded app survived\n",
      starts: 2
    ),
    Script(
      testDescription: "is lost, and not again",
      passing: "head -n 10 | answer | pass 1; kill -TRAP $$",
      status: 1,
      output: "a.jsonl: trapped at action 4 (SIGTRAP), which the recorded app survived\n",
      starts: 2
    ),
    Script(
      testDescription: "ends too soon, and not again",
      passing: "head -n 9 | answer | pass 1; exit 3",
      status: 69,
      output:
        "a.jsonl: the host ended with status 3 at action 3; expected it to replay the whole log\n",
      starts: 2
    ),
    Script(
      testDescription: "does something else",
      passing: #"answer | pass 1 | sed -u 's/"value":7/"value":8/'"#,
      status: 1,
      output: "a.jsonl: diverged at action 4: state count\n",
      starts: 1
    ),
  ]

  @Test(arguments: scripts)
  func aHostThatPassesActions(script: Script) async throws {
    let terminal = try Terminal()
    terminal.makeReplayStarter = {
      let keeper = PersistentHost()
      return { log, options in try keeper.start(log, options) }
    }
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
    let path = try terminal.folder.script(
      #"""
      echo x >> "$(dirname "$0")/count"
      answer() {
        sed -u "s/^{\"kind\":\"header\",/&\"replayer\":{\"token\":\"$TCA_REPLAY_CHILD\"},/"
      }
      pass() {
        sed -u -e '/^{"kind":"action","seq":'$1',/d' \
          -e 's/^{"kind":"change","seq":'$1',.*/{"kind":"passed","seq":'$1'}/' \
          -e 's/"replayer":{/&"passes":true,/'
      }
      if [ "$TCA_REPLAY_PASSES" ]; then
        \#(script.passing)
      else
        \#(script.careful)
      fi

      """#,
      named: "host"
    )
    let result = try await terminal.run("run", "a.jsonl", "--host", path, "--timeout", "20")
    #expect(result.status == script.status)
    #expect(result.output.hasPrefix(script.output), "\(result.output)")
    #expect(try terminal.folder.read("count") == String(repeating: "x\n", count: script.starts))
  }
}
