import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Positions in a log.
///
/// All options for one accept the same forms.
@MainActor @Suite struct PositionTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
  }

  /// Three actions at one, two and three seconds.
  nonisolated static let log =
    #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Trips","stateType":"Trips.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0","environment":{},"segment":1}
    {"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]}

    """#
    + (1...3).map { seq in
      """
      {"kind":"action","seq":\(seq),"at":\(seq)000000,"origin":"view","action":{"tick":{}}}
      {"kind":"change","seq":\(seq),"patch":[{"op":"replace","path":"/count","value":\(seq)}]}

      """
    }
    .joined() + #"{"kind":"end","seq":3,"reason":"closed"}"# + "\n"

  nonisolated static let positions: [(position: String, count: Int)] = [
    ("0", 0), ("start", 0), ("2", 2), ("0.5s", 0), ("1s", 1), ("2.5s", 2), ("+2.000 s", 2),
    ("0:03", 3),
    ("1min", 3), ("end", 3),
  ]

  @Test(arguments: positions)
  func `show and blame take a position as a number, a time or end`(
    position: String,
    count: Int
  ) async throws {
    let shown = try await terminal.run("show", "a.jsonl", "--at", position)
    #expect(shown.output == "(count: \(count))\n")
    let blamed = try await terminal.run("blame", "a.jsonl", "count", "--at", position)
    let when = count == 0 ? "before the first action" : "after action \(count)"
    #expect(blamed.output.hasPrefix("count is \(count) \(when)\n"), "\(blamed)")
  }

  nonisolated static let ranges: [(range: String, shown: [Int])] = [
    ("2..3", [2, 3]), ("2", [2]), ("2..", [2, 3]), ("..2s", [1, 2]), ("1.5s..end", [2, 3]),
    ("1s..2s", [1, 2]), ("end", [3]), ("2s", [2]),
  ]

  @Test(arguments: ranges)
  func `show --range takes positions as the ends of a range`(
    range: String,
    shown: [Int]
  ) async throws {
    let result = try await terminal.run(
      "show",
      "a.jsonl",
      "--range",
      range,
      "--format",
      "json"
    )
    let events = try JSON(parsing: result.output.utf8)["events"]?.array ?? []
    #expect(events.filter { $0["kind"] == "action" }.compactMap { $0["seq"]?.int } == shown)
  }

  nonisolated static let bounds: [(options: [String], shown: [Int])] = [
    (["--since", "2"], [2, 3]), (["--since", "1.5s"], [2, 3]), (["--until", "2s"], [1, 2]),
    (["--until", "end"], [1, 2, 3]), (["--since", "start", "--until", "1"], [1]),
  ]

  @Test(arguments: bounds)
  func `show --since and --until take positions`(options: [String], shown: [Int]) async throws {
    let result = try await terminal.run(["show", "a.jsonl", "--format", "json"] + options)
    let events = try JSON(parsing: result.output.utf8)["events"]?.array ?? []
    #expect(events.filter { $0["kind"] == "action" }.compactMap { $0["seq"]?.int } == shown)
  }

  /// Times as printed by `show`, for actions that occur 400 microseconds later, and the number of the last action at
  /// each.
  nonisolated static let shownTimes: [(time: String, count: Int)] = [
    ("0.999s", 0), ("1s", 1), ("+1.000 s", 1), ("1.0003s", 0), ("1.0004s", 1), ("2.999s", 2),
  ]

  @Test(arguments: shownTimes)
  func `show accepts the time that it prints for an action, and finds that action`(
    time: String,
    count: Int
  ) async throws {
    try terminal.folder.write(Self.log.replacing("000000,", with: "000400,"), to: "b.jsonl")
    let shown = try await terminal.run("show", "b.jsonl", "--at", time)
    #expect(shown.output == "(count: \(count))\n")
    let until = try await terminal.run("show", "b.jsonl", "--until", time, "--format", "json")
    let events = try JSON(parsing: until.output.utf8)["events"]?.array ?? []
    #expect(events.filter { $0["kind"] == "action" }.count == count)
  }

  @Test(arguments: [
    ["show", "a.jsonl", "--at", "soon"], ["blame", "a.jsonl", "count", "--at", "soon"],
    ["show", "a.jsonl", "--since", "soon"],
  ])
  func `show and blame list the forms of a position for a text that is none`(
    arguments: [String]
  ) async throws {
    let result = try await terminal.run(arguments)
    #expect(
      result.error.hasPrefix(
        "tca-replay: invalid value 'soon' for '\(arguments[arguments.count - 2])'; expected the number of an"
          + " action, a time from the start such as 1.2s, 5min or 1:12:03, or 'end'\n"
      ),
      "\(result)"
    )
    #expect(result.status == 64)
  }

  @Test func `show refuses a range that ends before it begins`() async throws {
    let result = try await terminal.run("show", "a.jsonl", "--range", "end..1s")
    #expect(
      result.error
        == "tca-replay: the range begins at action 3 and ends at action 1; expected one that ends after it begins\n"
    )
    #expect(result.status == 64)
  }
}
