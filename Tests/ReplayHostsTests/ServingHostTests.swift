import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayEngine
@testable import ReplayHosts

/// Hosts in separate processes that check logs: scripts that succeed, give wrong answers, or do not finish.
@MainActor @Suite(.serialized) struct ServingHostTests {
  struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The behavior of the host when it is asked to serve.
    let serving: String
    var status: Int32 = 0
    let output: String
    /// The number of started hosts.
    var starts = 1
  }

  private nonisolated static let hello =
    #"read -r greeting; echo '{"to":0,"hello":"\#(ServeProtocol.version)"}'; read -r request"#
  private nonisolated static func end(_ seq: Int, _ stop: String) -> String {
    #"echo '{"to":1,"end":{"seq":\#(seq),"unknown":0,"matchedIgnores":[],\#(stop)}}'"#
  }
  /// Returns code that writes the progress of the replay to the page that the host shares with its tool.
  private nonisolated static func progress(_ phase: Int, _ seq: Int) -> String {
    let zeros = String(repeating: #"\000"#, count: 7)
    return #"printf '\00\#(phase)\#(zeros)\00\#(seq)\#(zeros)\00\#(seq)\#(zeros)' >&3"#
  }
  private nonisolated static let difference =
    #"echo '{"to":1,"differences":[{"seq":4,"cause":"state","subject":"/count","expected":1,"actual":2}]}'"#

  nonisolated static let scripts = [
    Script(
      testDescription: "finds nothing",
      serving: "\(hello); \(end(16, #""stop":"ended""#))",
      output: "a.jsonl: identical, through action 16\n"
    ),
    Script(
      testDescription: "finds a difference",
      serving: "\(hello); \(difference); \(end(4, #""stop":"differs""#))",
      status: 1,
      output: "a.jsonl: diverged at action 4: state count\n"
    ),
    Script(
      testDescription: "traps while it reduces",
      serving: "\(hello); \(progress(2, 4)); kill -TRAP $$",
      status: 1,
      output: "a.jsonl: trapped at action 4 (SIGTRAP), which the recorded app survived\n"
    ),
    Script(
      testDescription: "traps after a difference",
      serving: "\(hello); \(difference); \(progress(2, 5)); kill -TRAP $$",
      status: 1,
      output: "a.jsonl: diverged at action 4: state count\n"
    ),
    Script(
      testDescription: "traps while it compares",
      serving: "\(hello); \(progress(3, 4)); kill -TRAP $$",
      status: 69,
      output: "a.jsonl: the host was ended by SIGTRAP at action 4; expected it to replay"
    ),
    Script(
      testDescription: "exits while it reduces",
      serving: "\(hello); \(progress(2, 3)); exit 3",
      status: 69,
      output:
        "a.jsonl: the host ended with status 3 at action 3; expected it to replay the whole log\n"
    ),
    Script(
      testDescription: "hangs while it reduces",
      serving: "\(hello); \(progress(2, 3)); sleep 60",
      status: 69,
      output: "a.jsonl: the host took longer than 2 s and was killed at action 3"
    ),
    Script(
      testDescription: "ends before it begins",
      serving: "\(hello); exit 3",
      status: 69,
      output: "a.jsonl: the host "
    ),
    Script(
      testDescription: "answers rubbish",
      serving: "\(hello); echo rubbish; sleep 60",
      status: 69,
      output: "a.jsonl: the host says something that is no answer"
    ),
    Script(
      testDescription: "answers another request",
      serving: "\(hello); \(end(16, #""stop":"ended""#).replacing(":1,", with: ":7,")); sleep 60",
      status: 69,
      output: "a.jsonl: the host says something that is no answer"
    ),
    Script(
      testDescription: "has no such feature",
      serving:
        #"\#(hello); echo '{"to":1,"failure":{"noFeature":"feature X is not in this host"}}'"#,
      status: 69,
      output: "a.jsonl: feature X is not in this host\n"
    ),
    Script(
      testDescription: "is of another version",
      serving: #"read -r greeting; echo '{"to":0,"hello":"0/0"}'; cat > /dev/null"#,
      output: "a.jsonl: identical, through action 16\n",
      starts: 2
    ),
    Script(
      testDescription: "does not look at its arguments",
      serving: "cat",
      output: "a.jsonl: identical, through action 16\n",
      starts: 2
    ),
    Script(
      testDescription: "only knows the filter",
      serving: "echo 'unknown command serve' >&2; exit 64",
      output: "a.jsonl: identical, through action 16\n",
      starts: 2
    ),
  ]

  @Test(arguments: scripts)
  func `run reports the answers of a serving host, and starts it again when it ends`(
    script: Script
  ) async throws {
    let terminal = try Terminal()
    terminal.makeChecker = { HostedLogChecker.maker() }
    try terminal.folder.write(SampleLog.text + "\n", to: "a.jsonl")
    let path = try terminal.folder.script(
      #"""
      echo x >> "$(dirname "$0")/count"
      if [ "$1" = serve ]; then
        \#(script.serving)
      else
        sed -u "s/^{\"kind\":\"header\",/&\"replayer\":{\"token\":\"$TCA_REPLAY_CHILD\"},/"
      fi

      """#,
      named: "host"
    )
    let timeout = script.testDescription.hasPrefix("hangs") ? "2" : "20"
    let result = try await terminal.run("run", "a.jsonl", "--host", path, "--timeout", timeout)
    #expect(result.status == script.status)
    #expect(result.output.hasPrefix(script.output), "\(result.output)\(result.error)")
    #expect(try terminal.folder.read("count") == String(repeating: "x\n", count: script.starts))
  }
}

/// Hosts that are asked for proofs of ranges.
///
/// The output always equals that for the undivided log.
@MainActor @Suite(.serialized) struct ProvingHostTests {
  struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The behavior of the host when it is asked for a proof.
    let proving: String
    /// Whether it is then asked for the entire log.
    var isAsked = true
  }

  private nonisolated static let proof =
    #"echo "{\"to\":$n,\"proof\":{\"seq\":16,\"ignored\":[]}}""#

  nonisolated static let scripts = [
    Script(testDescription: "proves all", proving: proof, isAsked: false),
    Script(testDescription: "proves nothing", proving: #"echo "{\"to\":$n,\"proof\":null}""#),
    Script(
      testDescription: "proves one stretch alone",
      proving:
        #"case "$request" in *'"from"'*) echo "{\"to\":$n,\"proof\":null}";; *) \#(proof);; esac"#
    ),
    Script(testDescription: "traps", proving: "kill -TRAP $$"),
    Script(
      testDescription: "traps in a stretch while it hangs in the others",
      proving: #"case "$request" in *'"from"'*) kill -TRAP $$;; *) sleep 1000;; esac"#
    ),
    Script(testDescription: "ends", proving: "exit 0"),
    Script(testDescription: "answers rubbish", proving: "echo rubbish"),
    Script(
      testDescription: "answers another request",
      proving: #"echo '{"to":99,"proof":{"seq":16,"ignored":[]}}'"#
    ),
    Script(
      testDescription: "fails",
      proving: #"echo "{\"to\":$n,\"failure\":{\"unreadable\":true}}""#
    ),
    Script(
      testDescription: "answers for the whole log",
      proving:
        #"echo "{\"to\":$n,\"end\":{\"seq\":16,\"unknown\":0,\"matchedIgnores\":[],\"stop\":\"ended\"}}""#
    ),
    Script(testDescription: "writes on standard error", proving: "echo warning >&2; \(proof)"),
    Script(
      testDescription: "answers after a note",
      proving: #"echo "{\"to\":$n,\"notes\":[]}"; \#(proof)"#,
      isAsked: false
    ),
  ]

  init() {
    // As in the tool, because hosts may end while they are written to.
    signal(SIGPIPE, SIG_IGN)
  }

  @Test(arguments: scripts)
  func `run gives the same verdict whether a serving host confirms stretches of the log or fails`(
    script: Script
  ) async throws {
    let terminal = try Terminal()
    terminal.makeChecker = { HostedLogChecker.maker() }
    terminal.makeProver = { HostedLogChecker.prover() }
    terminal.leastStretch = 1
    let lines = try LongLog.lines(seed: 3, actions: 60, effects: 60)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let path = try terminal.folder.script(
      #"""
      [ "$1" = serve ] || exit 64
      read -r greeting
      echo '{"to":0,"hello":"\#(ServeProtocol.version)"}'
      n=0
      while read -r request; do
        n=$((n + 1))
        case "$request" in
        *'"stretch"'*) \#(script.proving) ;;
        *)
          echo x >> "$(dirname "$0")/asked"
          echo "{\"to\":$n,\"end\":{\"seq\":16,\"unknown\":0,\"matchedIgnores\":[],\"stop\":\"ended\"}}"
          ;;
        esac
      done

      """#,
      named: "host"
    )
    try terminal.folder.write("", to: "asked")
    let result = try await terminal.run("run", "a.jsonl", "--host", path, "--timeout", "120")
    #expect(result == .init(status: 0, output: "a.jsonl: identical, through action 16\n"))
    #expect(try terminal.folder.read("asked") == (script.isAsked ? "x\n" : ""))
    let serial = try await terminal.run("run", "a.jsonl", "--host", path, "--serial")
    #expect(serial == result)
  }
}

/// The messages between tool and host read back unchanged.
@Suite struct ServeProtocolTests {
  @Test func `the greeting of the serve protocol is not a check request`() throws {
    #expect(ServeProtocol.isGreeting(try JSON(parsing: ServeProtocol.greeting.dropLast())))
    let check = ServeProtocol.CheckRequest(
      number: 1,
      log: LogSlice(path: "a", name: "a"),
      until: 1,
      isContinuing: false,
      options: LogComparison.Options()
    )
    #expect(!ServeProtocol.isGreeting(try JSON(parsing: check.line.dropLast())))
  }

  @Test func `a check request of the serve protocol reads back from its line`() throws {
    var options = LogComparison.Options(
      ignored: [JSON.Pointer(["a", "*"]), JSON.Pointer(["b/c"])],
      isStrict: true
    )
    options.isInPlace = true
    for (until, end, feature) in [(Int.max, nil, nil), (7, 900, "F")] as [(Int, Int?, String?)] {
      let check = ServeProtocol.CheckRequest(
        number: 3,
        log: LogSlice(path: "/a b\"c", name: "n", start: 5, firstLine: 2, end: end),
        until: until,
        feature: feature,
        isContinuing: end != nil,
        options: options
      )
      #expect(ServeProtocol.CheckRequest(try JSON(parsing: check.line.dropLast())) == check)
    }
  }

  @Test(arguments: [
    LogComparison.Stop.ended, .differs, .replayStops(openAction: nil), .replayStops(openAction: 4),
    .recordingStops(openAction: 3, isReplayed: true),
    .recordingStops(openAction: nil, isReplayed: false),
  ])
  func `an end answer of the serve protocol reads back from its line for every reason to stop`(
    stop: LogComparison.Stop
  ) throws {
    var result = LogComparison.Result()
    (result.seq, result.unknown, result.stop) = (9, 2, stop)
    result.matchedIgnores = [JSON.Pointer(["a", "*"])]
    let line = ServeProtocol.Reply.end(result).line(to: 5)
    let read = try #require(ServeProtocol.Reply.read(JSON(parsing: line.dropLast())))
    guard case (5, .end(let found)) = read else {
      Issue.record("\(read)")
      return
    }
    #expect(found == result)
  }

  @Test(arguments: [
    nil, StretchProof(seq: 7), StretchProof(seq: 0, ignoredParts: [JSON.Pointer(["a", "*"])]),
  ])
  func `a proof answer of the serve protocol reads back from its line, with and without a proof`(
    proof: StretchProof?
  ) throws {
    let line = ServeProtocol.Reply.proof(proof).line(to: 5)
    let read = try #require(ServeProtocol.Reply.read(JSON(parsing: line.dropLast())))
    guard case (5, .proof(let found)) = read else {
      Issue.record("\(read)")
      return
    }
    #expect(found == proof)
  }

  @Test(arguments: [
    LogSlice.Stretch(from: nil, through: 9), LogSlice.Stretch(from: 9, through: 12),
    LogSlice.Stretch(from: 12, through: nil),
  ])
  func `a check request of the serve protocol contains the bounds of its stretch`(
    stretch: LogSlice.Stretch
  ) throws {
    let check = ServeProtocol.CheckRequest(
      number: 3,
      log: LogSlice(path: "a", name: "n", stretch: stretch),
      until: .max,
      isContinuing: false,
      options: LogComparison.Options()
    )
    #expect(ServeProtocol.CheckRequest(try JSON(parsing: check.line.dropLast())) == check)
  }

  @Test func `differences and notes of the serve protocol read back from their lines`() throws {
    var difference = LogDifference(
      seq: 1,
      cause: .effects,
      subject: "1.0",
      member: "name",
      expected: "a",
      actual: .null,
      movedTo: "/b",
      message: "m"
    )
    difference.places = DifferencePathNotation(json: ["rows[3].title", .null])
    let line = ServeProtocol.Reply.differences([difference]).line(to: 1)
    guard
      case .differences(let found)? = ServeProtocol.Reply.read(
        try JSON(parsing: line.dropLast())
      )?.answer
    else {
      Issue.record("no differences")
      return
    }
    #expect(found == [difference])
    #expect(found.map(\.places.json) == [["rows[3].title", .null, .null, .null]])
    let note = LogEvent.Finding(seq: 2, code: .runtimeIssue, subject: "A.swift:1", message: "x")
    let other = ServeProtocol.Reply.notes([note]).line(to: 1)
    guard
      case .notes(let notes)? = ServeProtocol.Reply.read(try JSON(parsing: other.dropLast()))?
        .answer
    else {
      Issue.record("no notes")
      return
    }
    #expect(notes == [note])
  }
}
