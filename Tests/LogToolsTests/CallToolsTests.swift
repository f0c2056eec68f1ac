import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools

/// The output of the tools for calls of effects.
@MainActor @Suite struct CallToolsTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
  }

  nonisolated private static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"Shop","stateType":"","startedAt":"","recorder":"0.2.0","environment":{},"segment":1}
    {"kind":"checkpoint","seq":0,"state":{"name":""},"effects":[]}
    {"kind":"action","seq":1,"at":10,"origin":"view","action":{"load":{}}}
    {"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"run","name":"load"}],"us":1}
    {"kind":"call","id":"1.0","key":"API.fetch","arguments":[7,{"$some":null}],"result":{"name":"ada@example.org","$$id":1},"at":20,"us":12300}
    {"kind":"call","id":"1.0","key":"API.fetch","arguments":[8,null],"error":{"$error":{"type":"Offline","description":"Offline()"}},"at":20,"us":900}
    {"kind":"call","id":"1.0","key":"API.fetch","arguments":[9,null],"error":{"$error":{"type":"CancellationError","description":"CancellationError()"}},"cancelled":true,"at":20,"us":2500000}
    {"kind":"call","id":"1.0","key":"API.log","arguments":["hi"],"result":{},"at":30,"us":2}
    {"kind":"effect","id":"1.0","event":"finished","sent":0,"at":40}
    {"kind":"call","id":"1.0","key":"API.stream","arguments":[],"at":50,"us":70}
    {"kind":"end","seq":1,"reason":"closed"}
    """# + "\n"

  @Test func `show prints the calls of an effect with arguments, durations and results`()
    async throws
  {
    #expect(
      try await terminal.run("show", "a.jsonl", "--range", "1")
        == .init(
          status: 0,
          output: """
            Shop  log L by recorder 0.2.0
            1  +0.000 s  .load  sent by the view
                effect 1.0 run 'load'
                load 1.0 called API.fetch(7, .some(nil)) for 12.3 ms  (name: "ada@example.org", "$id": 1)
                load 1.0 called API.fetch(8, nil) for 900 µs, threw  Offline()
                load 1.0 called API.fetch(9, nil) for 2.5 s, canceled, threw  CancellationError()
                load 1.0 called API.log("hi") for 2 µs
                load 1.0 finished after 0 actions
                effect 1.0 called API.stream() for 70 µs when the log ended
            1  end, closed

            """
        )
    )
    let json = try await terminal.run("show", "a.jsonl", "--format", "json").output
    #expect(json.contains(#""key":"API.log","arguments":["hi"],"result":{},"at":30,"us":2}"#))
  }

  @Test func `stats counts calls by endpoint, with percentiles of their durations`() async throws {
    let text = try await terminal.run("stats", "a.jsonl").output
    let lines = text.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("  calls") })
    #expect(
      lines[start..<start + 4] == [
        "  calls                p50    p95    max",
        "    API.fetch   3  12.3 ms  2.5 s  2.5 s  1 failed, 1 canceled",
        "    API.log     1     2 µs   2 µs   2 µs",
        "    API.stream  1                         1 not ended",
      ]
    )
    let json = try JSON(
      parsing: Array(try await terminal.run("stats", "a.jsonl", "--format", "json").output.utf8)
    )
    #expect(
      json["logs"]?.array?.first?["calls"] == [
        "API.fetch": [
          "count": 3, "failed": 1, "cancelled": 1, "unended": 0, "timed": 3,
          "microseconds": 2_513_200, "p50": 12_300, "p95": 2_500_000, "longest": 2_500_000,
        ],
        "API.log": [
          "count": 1, "failed": 0, "cancelled": 0, "unended": 0, "timed": 1, "microseconds": 2,
          "p50": 2, "p95": 2, "longest": 2,
        ],
        "API.stream": [
          "count": 1, "failed": 0, "cancelled": 0, "unended": 1, "timed": 0,
        ],
      ]
    )
  }

  @Test func `percentiles of durations are at most half a percent off`() {
    var durations = DurationHistogram()
    #expect(durations.percentile(50) == 0 && durations.longest == 0)
    for duration in 1...10_000 { durations.add(duration) }
    #expect(durations.percentile(50) == 5000)
    #expect(durations.percentile(95) == 9500)
    #expect(durations.percentile(100) == 10_000)
    #expect(durations.longest == 10_000)
    durations.add(123_456)
    #expect(durations.percentile(100) == 123_000 && durations.longest == 123_456)
  }

  @Test func `verify reports a call of an unknown effect, and a call with both result and error`()
    async throws
  {
    #expect(
      try await terminal.run("verify", "a.jsonl")
        == .init(status: 0, output: "a.jsonl: sound, 11 lines, 1 action\n")
    )
    try terminal.folder.write(
      Self.log.replacing(
        #""call","id":"1.0","key":"API.log""#,
        with: #""call","id":"7.0","key":"API.log""#
      )
      .replacing(#""arguments":[],"at""#, with: #""arguments":[],"result":1,"error":2,"at""#),
      to: "b.jsonl"
    )
    #expect(
      try await terminal.run("verify", "b.jsonl").output.hasPrefix(
        """
        b.jsonl:8: error: effect 7.0, which no action before has started
        b.jsonl:10: error: line 10 is not a log event: event 'call' has 2 as 'error'; expected either 'result' or 'error'

        """
      )
    )
  }

  @Test func `diff reports no difference between a log with calls and one without`() async throws {
    let plain = Self.log.split(separator: "\n").filter { !$0.contains(#""kind":"call""#) }
    try terminal.folder.write(plain.joined(separator: "\n") + "\n", to: "plain.jsonl")
    for (first, second) in [("a.jsonl", "plain.jsonl"), ("plain.jsonl", "a.jsonl")] {
      #expect(try await terminal.run("diff", first, second).status == 0)
    }
  }

  @Test func `mask --call-path masks arguments and results of calls`() async throws {
    let masked = try await terminal.run(
      "mask",
      "a.jsonl",
      "--call-path",
      "/API.fetch/result/name",
      "--call-path",
      "/API.log/arguments/0",
      "-o",
      "-"
    )
    #expect(masked.status == 0)
    let lines = masked.output.split(separator: "\n").filter { $0.contains(#""kind":"call""#) }
      .map { $0.replacing(/masked[0-9a-f]{18}/, with: "…") }
    #expect(
      lines[0]
        == #"{"kind":"call","id":"1.0","key":"API.fetch","arguments":[7,{"$some":null}],"result":{"name":"…","$$id":1},"at":20,"us":12300}"#
    )
    #expect(
      lines[3]
        == #"{"kind":"call","id":"1.0","key":"API.log","arguments":["…"],"result":{},"at":30,"us":2}"#
    )
    #expect(
      masked.output.contains(
        #""call":["/API.fetch/result/name","/API.log/arguments/0"]"#
      )
    )
    let unmatched = try await terminal.run(
      "mask",
      "a.jsonl",
      "--call-path",
      "/API.fetch/result/nam",
      "-o",
      "-"
    )
    #expect(unmatched.status == 1)
    #expect(
      unmatched.error.hasPrefix(
        "tca-replay: '/API.fetch/result/nam' matches nothing in calls; did you mean '/API.fetch/result/name'?"
      ),
      "\(unmatched.error)"
    )
  }

  @Test func `mask --check lists the values of calls`() async throws {
    let review = try await terminal.run("mask", "a.jsonl", "--check").output
    #expect(
      review.contains(
        """
        calls of effects (--call-path)
          API.fetch.arguments[0]   3×  Number  7
          API.fetch.arguments[1]   3×  nil  nil
          API.fetch.result.name    1×  String  "ada@example.org"  ← e-mail address
          API.fetch.result["$id"]  1×  Number  1
          API.fetch.error          2×  error  Offline()
          API.log.arguments[0]     1×  String  "hi"
          API.log.result           1×  {}  ()

        """
      ),
      "\(review)"
    )
    #expect(review.contains(#"    call: ["/API.fetch/result/name"]"#))
  }

  @Test func `a generated test lists the calls of effects in its comment`() async throws {
    let code = try await terminal.run("test", "a.jsonl").output
    #expect(
      code.contains(
        """
        /// Replays what was recorded in a.jsonl.
        ///
        /// The replay runs no effects. When it was recorded:
        ///
        /// - effect 1.0 called API.fetch(7, .some(nil)) for 12.3 ms  (name: "ada@example.org", "$id": 1)
        /// - effect 1.0 called API.fetch(8, nil) for 900 µs, threw  Offline()
        /// - effect 1.0 called API.fetch(9, nil) for 2.5 s, canceled, threw  CancellationError()
        /// - effect 1.0 called API.log("hi") for 2 µs
        /// - effect 1.0 called API.stream() for 70 µs when the log ended
        @Test @MainActor func aReplays() async throws {
        """
      ),
      "\(code)"
    )
  }
}
