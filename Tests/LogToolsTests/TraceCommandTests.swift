import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// `trace`: logs as Chrome trace events.
@MainActor @Suite struct TraceCommandTests {
  /// All kinds of events, in two segments of one recording.
  private static let log = """
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Shop","stateType":"Shop.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0.2.0","environment":{},"segment":1}
    {"kind":"checkpoint","seq":0,"state":{"cart":[],"total":0},"effects":[]}
    {"kind":"action","seq":1,"at":100,"origin":"view","action":{"load":{}}}
    {"kind":"read","seq":1,"key":"uuid","value":"A-1"}
    {"kind":"change","seq":1,"patch":[{"op":"add","path":"/cart/0","value":{"price":2}}],"effects":[{"id":"1.0","op":"run","name":"fetch","source":"App/Shop.swift:7"},{"op":"concatenate","effects":[{"id":"1.1","op":"run","source":"App/Shop.swift:9"},{"id":"1.2","op":"run","name":"late"}]},{"id":"1.3","op":"send","action":{"opened":{}}}],"us":40}
    {"kind":"action","seq":2,"at":140,"origin":{"effect":"1.3"},"action":{"opened":{}}}
    {"kind":"change","seq":2,"patch":[],"us":0}
    {"kind":"action","seq":3,"at":140,"origin":{"reentrant":2},"action":{"rows":{"_0":{"element":{"id":1,"action":{"go":{}}}}}}}
    {"kind":"change","seq":3,"patch":[{"op":"replace","path":"/total","value":2.5}]}
    {"kind":"call","id":"1.0","key":"API.get","arguments":[1],"result":"ok","at":150,"us":20}
    {"kind":"call","id":"1.0","key":"API.all","error":"no","at":145,"us":30}
    {"kind":"call","id":"1.0","key":"API.tail","result":{},"cancelled":true,"at":160,"us":20}
    {"kind":"effect","id":"1.1","event":"finished","sent":0,"at":180}
    {"kind":"effect","id":"1.2","event":"started","at":181}
    {"kind":"note","seq":3,"at":190,"text":"offline"}
    {"kind":"external","seq":3,"at":200,"patch":[{"op":"replace","path":"/total","value":3}]}
    {"kind":"excluded","seq":4,"at":210,"origin":"view","patch":[],"effects":[{"id":"4.0","op":"run","name":"hidden"}]}
    {"kind":"withheld","seq":5,"at":220,"origin":"parent","cases":["login","typed"]}
    {"kind":"gap","seq":5,"at":300,"dropped":2,"reason":"the disk was full"}
    {"kind":"checkpoint","seq":5,"state":{"cart":[1,2,3],"total":7},"effects":[{"id":"1.0","op":"run","name":"fetch"},{"id":"1.2","op":"run","name":"late"}]}
    {"kind":"end","seq":5,"reason":"segment"}
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Shop","segment":2}
    {"kind":"checkpoint","seq":5,"state":{"cart":[1,2,3],"total":7},"effects":[{"id":"1.0","op":"run","name":"fetch"}]}
    {"kind":"action","seq":6,"at":400,"origin":{"effect":"1.0"},"action":{"done":{}}}
    {"kind":"finding","seq":6,"code":"deadEffect","subject":"1.0","message":"it had ended"}
    {"kind":"change","seq":6,"patch":[{"op":"replace","path":"/cart","value":[]}],"us":3}
    {"kind":"effect","id":"1.0","event":"cancelled","by":{"action":6},"at":410}
    {"kind":"action","seq":7,"at":500,"origin":"view","action":{"boom":{}}}

    """

  @Test func `trace converts every kind of event`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
    let result = try await terminal.run(
      "trace",
      "a.jsonl",
      "--counter",
      "total",
      "--counter",
      "cart[*].price",
      "--counter",
      "cart"
    )
    #expect(result.error == "")
    #expect(result.status == 0)
    #expect(result.output == Self.trace)
    try TraceCheck(result.output).check()
  }

  /// The names, times and arguments of events in the order of the document.
  private static let trace = #"""
    {"traceEvents":[
    {"ph":"M","name":"process_name","pid":1,"tid":11,"args":{"name":"Shop"}},
    {"ph":"M","name":"process_labels","pid":1,"tid":11,"args":{"labels":"log L1, recorded 2026-01-01T00:00:00Z"}},
    {"ph":"M","name":"process_sort_index","pid":1,"tid":11,"args":{"sort_index":1}},
    {"ph":"M","name":"thread_name","pid":1,"tid":11,"args":{"name":"actions"}},
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":11,"args":{"sort_index":0}},
    {"ph":"M","name":"thread_name","pid":1,"tid":12,"args":{"name":"notes"}},
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":12,"args":{"sort_index":1}},
    {"ph":"C","cat":"state","name":"total","pid":1,"tid":11,"ts":0,"args":{"value":0}},
    {"ph":"C","cat":"state","name":"cart[*].price","pid":1,"tid":11,"ts":0,"args":{"value":0}},
    {"ph":"C","cat":"state","name":"cart","pid":1,"tid":11,"ts":0,"args":{"value":0}},
    {"ph":"X","cat":"action","name":".load","pid":1,"tid":11,"ts":100,"dur":40,"args":{"seq":1,"action":".load","sender":"view","reads":["uuid: \"A-1\""],"changes":["cart[0]: + (price: 2)"],"starts":["fetch 1.0","Shop.swift:9 1.1","late 1.2"],"sends":[".opened"]}},
    {"ph":"b","cat":"effect","name":"fetch","pid":1,"tid":11,"ts":100,"id":"1:1.0","args":{"effect":"1.0","source":"App/Shop.swift:7"}},
    {"ph":"b","cat":"effect","name":"Shop.swift:9","pid":1,"tid":11,"ts":100,"id":"1:1.1","args":{"effect":"1.1","source":"App/Shop.swift:9"}},
    {"ph":"C","cat":"state","name":"cart[*].price","pid":1,"tid":11,"ts":140,"args":{"value":2}},
    {"ph":"C","cat":"state","name":"cart","pid":1,"tid":11,"ts":140,"args":{"value":1}},
    {"ph":"X","cat":"action","name":".opened","pid":1,"tid":11,"ts":140,"dur":0,"args":{"seq":2,"action":".opened","sender":"effect 1.3"}},
    {"ph":"s","cat":"cause","name":"cause","pid":1,"tid":11,"ts":100,"id":1},
    {"ph":"f","cat":"cause","name":"cause","pid":1,"tid":11,"ts":140,"id":1,"bp":"e"},
    {"ph":"X","cat":"action","name":".rows[].go","pid":1,"tid":11,"ts":140.01,"dur":0,"args":{"seq":3,"action":".rows[1].go","sender":"action 2","changes":["total: 0 → 2.5"],"untimed":"the log does not say how long the reducer took"}},
    {"ph":"s","cat":"cause","name":"cause","pid":1,"tid":11,"ts":140,"id":2},
    {"ph":"f","cat":"cause","name":"cause","pid":1,"tid":11,"ts":140.01,"id":2,"bp":"e"},
    {"ph":"C","cat":"state","name":"total","pid":1,"tid":11,"ts":140.01,"args":{"value":2.5}},
    {"ph":"b","cat":"effect","name":"API.get","pid":1,"tid":11,"ts":150,"id":"1:1.0","args":{"effect":"1.0","arguments":["1"]}},
    {"ph":"e","cat":"effect","name":"API.get","pid":1,"tid":11,"ts":170,"id":"1:1.0","args":{"result":"\"ok\""}},
    {"ph":"b","cat":"effect","name":"API.all","pid":1,"tid":11,"ts":145,"id":"1:1.0","args":{"effect":"1.0"}},
    {"ph":"e","cat":"effect","name":"API.all","pid":1,"tid":11,"ts":175,"id":"1:1.0","args":{"error":"\"no\""}},
    {"ph":"b","cat":"effect","name":"API.tail","pid":1,"tid":11,"ts":160,"id":"1:1.0/1","args":{"effect":"1.0"}},
    {"ph":"e","cat":"effect","name":"API.tail","pid":1,"tid":11,"ts":180,"id":"1:1.0/1","args":{"result":"()","cancelled":"the task of the call was canceled"}},
    {"ph":"e","cat":"effect","name":"Shop.swift:9","pid":1,"tid":11,"ts":180,"id":"1:1.1","args":{"end":"finished after 0 actions"}},
    {"ph":"b","cat":"effect","name":"late","pid":1,"tid":11,"ts":181,"id":"1:1.2","args":{"effect":"1.2"}},
    {"ph":"i","cat":"note","name":"offline","pid":1,"tid":12,"ts":190,"s":"t"},
    {"ph":"i","cat":"note","name":"changed from outside","pid":1,"tid":12,"ts":200,"s":"t","args":{"changes":["total: 2.5 → 3"]}},
    {"ph":"C","cat":"state","name":"total","pid":1,"tid":11,"ts":200,"args":{"value":3}},
    {"ph":"X","cat":"action","name":"an action that the recording left out","pid":1,"tid":11,"ts":210,"dur":0,"args":{"seq":4,"sender":"view","untimed":"the log does not say how long the reducer took","starts":["hidden 4.0"]}},
    {"ph":"b","cat":"effect","name":"hidden","pid":1,"tid":11,"ts":210,"id":"1:4.0","args":{"effect":"4.0"}},
    {"ph":"X","cat":"action","name":".login.typed","pid":1,"tid":11,"ts":220,"dur":80,"args":{"seq":5,"action":"withheld for the log's masks; its value never came","sender":"parent","cut":"its change is not in the log"}},
    {"ph":"X","cat":"gap","name":"gap","pid":1,"tid":12,"ts":220,"dur":80,"args":{"missing":2,"reason":"the disk was full"}},
    {"ph":"C","cat":"state","name":"total","pid":1,"tid":11,"ts":300,"args":{"value":7}},
    {"ph":"C","cat":"state","name":"cart[*].price","pid":1,"tid":11,"ts":300,"args":{"value":0}},
    {"ph":"C","cat":"state","name":"cart","pid":1,"tid":11,"ts":300,"args":{"value":3}},
    {"ph":"e","cat":"effect","name":"hidden","pid":1,"tid":11,"ts":300,"id":"1:4.0","args":{"cut":"it ended where something is missing from the log"}},
    {"ph":"i","cat":"note","name":"end, segment","pid":1,"tid":12,"ts":300,"s":"t"},
    {"ph":"i","cat":"segment","name":"segment 2","pid":1,"tid":12,"ts":300,"s":"t"},
    {"ph":"C","cat":"state","name":"total","pid":1,"tid":11,"ts":300,"args":{"value":7}},
    {"ph":"C","cat":"state","name":"cart[*].price","pid":1,"tid":11,"ts":300,"args":{"value":0}},
    {"ph":"C","cat":"state","name":"cart","pid":1,"tid":11,"ts":300,"args":{"value":3}},
    {"ph":"e","cat":"effect","name":"late","pid":1,"tid":11,"ts":300,"id":"1:1.2","args":{"cut":"it ended where something is missing from the log"}},
    {"ph":"i","cat":"finding","name":"deadEffect","pid":1,"tid":12,"ts":400,"s":"t","args":{"seq":6,"subject":"1.0","message":"it had ended"}},
    {"ph":"X","cat":"action","name":".done","pid":1,"tid":11,"ts":400,"dur":3,"args":{"seq":6,"action":".done","sender":"fetch 1.0","changes":["cart: [1, 2, 3] → []"]}},
    {"ph":"s","cat":"cause","name":"cause","pid":1,"tid":11,"ts":100,"id":3},
    {"ph":"f","cat":"cause","name":"cause","pid":1,"tid":11,"ts":400,"id":3,"bp":"e"},
    {"ph":"C","cat":"state","name":"cart","pid":1,"tid":11,"ts":403,"args":{"value":0}},
    {"ph":"e","cat":"effect","name":"fetch","pid":1,"tid":11,"ts":410,"id":"1:1.0","args":{"end":"canceled by action 6"}},
    {"ph":"X","cat":"action","name":".boom","pid":1,"tid":11,"ts":500,"dur":0,"args":{"seq":7,"action":".boom","sender":"view","cut":"its change is not in the log"}}
    ]}

    """#

  @Test func `trace -o writes a file and overwrites only traces`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
    let result = try await terminal.run(
      "trace",
      "a.jsonl",
      "-o",
      "\(terminal.folder.path)/t.json",
      "--counter",
      "cart.x"
    )
    #expect(
      result
        == .init(
          status: 0,
          output: "t.json: 6 actions; https://ui.perfetto.dev opens it\n",
          error: """
            tca-replay: --counter cart.x: no state has anything there; 'cart' is []

            """
        )
    )
    let text = try String(contentsOfFile: "\(terminal.folder.path)/t.json", encoding: .utf8)
    #expect(text == (try await terminal.run("trace", "a.jsonl", "--counter", "cart.x")).output)
    // A file that is not a trace is not overwritten.
    let refused = try await terminal.run("trace", "a.jsonl", "-o", "a.jsonl")
    #expect(
      refused
        == .init(
          status: 73,
          output: "",
          error:
            "tca-replay: a.jsonl is a log that 'trace' has not written; expected another name, or --force to write over it\n"
        )
    )
  }

  @Test
  func `trace converts the readable part of a damaged log, and keeps old output without a log`()
    async throws
  {
    let terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
    let lines = Self.log.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var damaged = lines
    damaged[12] = "oops"
    try terminal.folder.write(damaged.joined(separator: "\n"), to: "b.jsonl")
    let result = try await terminal.run(
      "trace",
      "b.jsonl",
      "a.jsonl",
      "-o",
      "\(terminal.folder.path)/t.json"
    )
    #expect(result.status == 65)
    #expect(
      result.error
        == "tca-replay: b.jsonl: line 13 is not JSON: found 'o' where a value was expected, at byte 0\n"
    )
    let text = try String(contentsOfFile: "\(terminal.folder.path)/t.json", encoding: .utf8)
    try TraceCheck(text).check()
    #expect(text.contains("the rest of the log cannot be read"))
    // Without events there is no trace, and an existing file stays.
    let missing = try await terminal.run("trace", "c.jsonl", "-o", "\(terminal.folder.path)/t.json")
    #expect(missing.status == 66)
    #expect(try String(contentsOfFile: "\(terminal.folder.path)/t.json", encoding: .utf8) == text)
  }

  @Test func `trace writes no counters after a patch that does not fit the state`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(
      Self.log.replacing(#""path":"/total","value":2.5"#, with: #""path":"/none","value":2.5"#),
      to: "a.jsonl"
    )
    let result = try await terminal.run("trace", "a.jsonl", "--counter", "total")
    #expect(result.status == 0)
    #expect(
      result.error
        == """
        tca-replay: a.jsonl#1: the patch of action 3 does not fit the state before it: operation 0, \
        {"op":"replace","path":"/none","value":2.5}, finds no value at '/none'; the trace has no counters and \
        no old values from there to the next checkpoint

        """
    )
    try TraceCheck(result.output).check()
  }

  @Test(arguments: SampleLog.lines.indices)
  func `trace writes a valid trace of a log that is cut off at any line`(
    after line: Int
  ) async throws {
    let terminal = try Terminal()
    let text = SampleLog.lines.prefix(line + 1).joined(separator: "\n")
    try terminal.folder.write(text + "\n{\"kind\":\"act", to: "a.jsonl")
    let result = try await terminal.run("trace", "a.jsonl")
    #expect(result.status == 0)
    try TraceCheck(result.output).check()
  }

  // MARK: - The same times as those of stats

  private func agreesWithStatistics(
    _ terminal: Terminal,
    _ log: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let output = try await terminal.run("trace", log).output
    let trace = try TraceCheck(output)
    trace.check(sourceLocation: sourceLocation)
    let json = try await terminal.run("stats", log, "--format", "json").output
    let statistics = try #require(try JSON(parsing: json)["logs"]?.array?.first)
    #expect(
      trace.actions == TraceCheck.sums(statistics["actions"]),
      "\(log)",
      sourceLocation: sourceLocation
    )
    #expect(
      trace.lives(areCalls: false) == TraceCheck.sums(statistics["effects"]),
      "\(log)",
      sourceLocation: sourceLocation
    )
    #expect(
      trace.lives(areCalls: true) == TraceCheck.sums(statistics["calls"]),
      "\(log)",
      sourceLocation: sourceLocation
    )
  }

  private static let samples: [String] = {
    let folder =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path + "/SampleLogs"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { "\(folder)/\($0)" }
  }()

  @Test func `traces of sample logs agree with stats`() async throws {
    #expect(Self.samples.count > 8)
    let terminal = try Terminal()
    for log in Self.samples { try await agreesWithStatistics(terminal, log) }
  }

  @Test(arguments: Thoroughness.seeds(6, thorough: 20))
  func `traces of random logs agree with stats`(seed: UInt64) async throws {
    let terminal = try Terminal()
    // Repeated ids, ends without a beginning, and unknown origins.
    let lines = RandomLog(seed: seed, actions: 60).lines
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    try await agreesWithStatistics(terminal, "a.jsonl")
    // In the form of a recorder.
    try terminal.folder.write(RandomCourse(seed: seed).text, to: "b.jsonl")
    try await agreesWithStatistics(terminal, "b.jsonl")
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `trace writes a valid trace of a log with damaged times`(seed: UInt64) async throws {
    let terminal = try Terminal()
    var random = SplitMix64(seed: seed)
    let times = ["-5", "0", "9223372036854775807", "9007199254740993", "70"]
    let lines = RandomCourse(seed: seed).text.split(separator: "\n").map { line -> String in
      guard Int.random(in: 0..<4, using: &random) == 0 else { return String(line) }
      return String(line).replacing(/"(at|us)":\d+/) { match in
        "\"\(match.1)\":\(times[Int.random(in: 0..<times.count, using: &random)])"
      }
    }
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = try await terminal.run("trace", "a.jsonl")
    // A log with an invalid time is refused. The trace contains all events before it.
    let trace = try TraceCheck(result.output)
    #expect(trace.problems.filter { !$0.hasPrefix("effect 1:") } == [])
  }
}

/// A log of random actions, effects and calls, with times as measured by a recorder.
private struct RandomCourse {
  private var random: SplitMix64
  private var now = 0
  private var events: [LogEvent] = []
  private var running: [EffectID] = []
  private var waiting: [EffectID] = []

  var text: String {
    events.map { String(decoding: $0.line, as: UTF8.self) + "\n" }.joined()
  }

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    events = [
      .header(
        LogEvent.Header(id: "R", feature: "Random", stateType: "", startedAt: "", recorder: "1")
      ),
      .checkpoint(LogEvent.Checkpoint(seq: 0, state: ["count": 0])),
    ]
    for seq in 1...80 { add(seq) }
  }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func add(_ seq: Int) {
    // Often in the same microsecond.
    now += number(3) * number(40)
    let sender = running.randomElement(using: &random)
    let origin: LogEvent.Origin =
      sender.map { .effect($0) } ?? (seq > 1 && number(3) == 0 ? .reentrant(seq: seq - 1) : .view)
    let name = ["load", "save", "tick"][number(3)]
    events.append(
      .action(LogEvent.Action(seq: seq, at: now, origin: origin, action: [name: [:]]))
    )
    let us = number(3) * number(9)
    now += us
    var effects: [EffectDescription] = []
    if number(2) == 0 { effects.append(run(seq, 0)) }
    if number(4) == 0 {
      var group = EffectDescription(.concatenate)
      group.effects = [run(seq, 1), run(seq, 2)]
      effects.append(group)
      waiting.append(EffectID(seq: seq, index: 2))
    }
    running += effects.flatMap(\.flattened).compactMap(\.id).filter { !waiting.contains($0) }
    let patch = JSON.Patch([
      .replace(JSON.Pointer(["count"]), .number(JSON.Number(seq)))
    ])
    let time = number(5) == 0 ? nil : us
    events.append(.change(LogEvent.Change(seq: seq, patch: patch, effects: effects, us: time)))
    for _ in 0..<number(3) { addCall() }
    for _ in 0..<number(3) { addTurn(seq) }
    if number(12) == 0 { addGap(seq) }
  }

  private mutating func run(_ seq: Int, _ index: Int) -> EffectDescription {
    var effect = EffectDescription(.run)
    effect.id = EffectID(seq: seq, index: index)
    effect.name = ["fetch", "watch", nil][number(3)]
    return effect
  }

  private mutating func addCall() {
    guard let id = running.randomElement(using: &random) else { return }
    let length = number(30)
    now += number(3)
    events.append(
      .call(
        LogEvent.Call(
          id: id,
          key: ["API.get", "API.set"][number(2)],
          outcome: number(6) == 0 ? nil : .returned(1),
          at: max(0, now - length),
          us: min(length, now)
        )
      )
    )
  }

  private mutating func addTurn(_ seq: Int) {
    now += number(20)
    if let id = waiting.first, number(3) == 0 {
      waiting.removeFirst()
      running.append(id)
      events.append(.effect(LogEvent.Effect(id: id, event: .started, at: now)))
      return
    }
    guard let id = running.randomElement(using: &random) else { return }
    running.removeAll { $0 == id }
    let turns: [LogEvent.Effect.Event] = [
      .finished(sent: 1), .failed("no"), .cancelled(by: .action(seq: seq)),
    ]
    events.append(.effect(LogEvent.Effect(id: id, event: turns[number(3)], at: now)))
  }

  /// Adds a gap in which the ends of some effects are missing.
  private mutating func addGap(_ seq: Int) {
    now += number(100)
    events.append(.gap(LogEvent.Gap(seq: seq, at: now, dropped: 3, reason: "full")))
    running.removeAll { _ in Bool.random(using: &random) }
    waiting = []
    let alive = running.map { id in
      var effect = EffectDescription(.run)
      effect.id = id
      return effect
    }
    events.append(
      .checkpoint(LogEvent.Checkpoint(seq: seq, state: ["count": 0], effects: alive))
    )
  }
}
