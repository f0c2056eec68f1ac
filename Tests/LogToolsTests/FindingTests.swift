import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Actions, paths and conditions in the form in which users type them, on a log with children.
@MainActor @Suite("Finding by name") struct FindingTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
  }

  static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Trips","stateType":"Trips.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0","environment":{},"segment":1}
    {"kind":"checkpoint","seq":0,"state":{"isSaving":false,"orders":[{"total":5}],"path":[{"id":2,"element":{"visit":{"_0":{"seconds":0}}}}]},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"path":{"_0":{"element":{"id":2,"action":{"visit":{"_0":{"tick":{}}}}}}}}}
    {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/path/0/element/visit/_0/seconds","value":1}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"path":{"_0":{"element":{"id":2,"action":{"visit":{"_0":{"saved":{"_0":{"success":{"_0":1}}}}}}}}}}}
    {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/isSaving","value":true},{"op":"replace","path":"/orders/0/total","value":2500}]}
    {"kind":"end","seq":2,"reason":"closed"}

    """#

  /// A pattern, and the matching actions.
  nonisolated static let patterns: [(pattern: String, actions: [Int])] = [
    (".saved", [2]), (".visit.saved", [2]), (".saved(.success)", [2]), (".saved(.failure)", []),
    (".visit", [1, 2]), (".path[2]", [1, 2]), (".path[2].visit.tick", [1]), (".path[1]", []),
  ]

  @Test(arguments: patterns)
  func `show --action finds a case anywhere in the path of an action`(
    pattern: String,
    actions: [Int]
  ) async throws {
    let result = try await terminal.run("show", "a.jsonl", "--action", pattern, "--format", "json")

    let events = try JSON(parsing: result.output.utf8)["events"]?.array ?? []
    let shown = events.filter { $0["kind"] == "action" }.compactMap { $0["seq"]?.int }
    #expect(shown == actions)
  }

  @Test func `show --action suggests the action that was meant`() async throws {
    let result = try await terminal.run("show", "a.jsonl", "--action", ".visit.svaed")
    #expect(
      result.error == """
        tca-replay: no action of the log meets the filters; leave one out to see more
        tca-replay: no action is .visit.svaed; did you mean .path[].visit.saved?

        """
    )
  }

  @Test(arguments: ["--effect", "--origin"])
  func `show --effect and --origin suggest the effect that was meant`(option: String) async throws {
    try terminal.folder.write(
      Self.log.replacing(
        #"{"kind":"change","seq":1,"patch":"#,
        with:
          #"{"kind":"change","seq":1,"effects":[{"id":"1.0","op":"run","name":"upload"}],"patch":"#
      ),
      to: "b.jsonl"
    )
    let result = try await terminal.run("show", "b.jsonl", option, "uplaod")
    #expect(
      result.error == """
        tca-replay: no action of the log meets the filters; leave one out to see more
        tca-replay: no effect is uplaod; did you mean upload?

        """
    )
  }

  /// Commands that take a path, and their errors for a path without a value.
  nonisolated static let places: [(arguments: [String], error: String)] = [
    (
      ["blame", "a.jsonl", "total"],
      "the state after action 2 has nothing at 'total'; did you mean 'orders[*].total'?"
    ),
    (
      ["show", "a.jsonl", "--at", "1", "--path", "visit.seconds"],
      "the state after action 1 has nothing at 'visit.seconds'; did you mean 'path[*].visit.seconds'?"
    ),
    (
      ["show", "a.jsonl", "--path", "secnds"],
      "no state of the log has anything at 'secnds'; did you mean 'path[*].visit.seconds'?"
    ),
    (
      ["show", "a.jsonl", "--path", "path.seconds"],
      "no state of the log has anything at 'path.seconds'; did you mean 'path[*].visit.seconds'?"
    ),
  ]

  /// Commands that do their work, and their warnings for a path without a value.
  nonisolated static let doubtedPlaces: [(arguments: [String], error: String)] = [
    (
      ["trace", "a.jsonl", "--counter", "seconds"],
      "--counter seconds: no state has anything there; did you mean 'path[*].visit.seconds'?"
    ),
    (
      ["trace", "a.jsonl", "--counter", "orders.totl"],
      "--counter orders.totl: no state has anything there; did you mean 'orders[*].total'?"
    ),
    (
      ["diff", "a.jsonl", "a.jsonl", "--ignore", "total"],
      "--ignore total: no state of the 2 logs has anything there; did you mean 'orders[*].total'?"
    ),
  ]

  @Test(arguments: doubtedPlaces)
  func `trace and diff warn of a path that matches nothing, and suggest one of the log`(
    arguments: [String],
    error: String
  ) async throws {
    let result = try await terminal.run(arguments)
    #expect(result.error == "tca-replay: \(error)\n")
    #expect(result.status == 0)
  }

  @Test(arguments: places)
  func `a command refuses a path that does not exist, and suggests one of the log`(
    arguments: [String],
    error: String
  ) async throws {
    let result = try await terminal.run(arguments)
    #expect(result.error == "tca-replay: \(error)\n")
    #expect(result.status == 1)
  }

  @Test(arguments: [
    "orders[0].total", "/orders/0/total", "$.state.orders[0].total", ".orders[0].total",
  ])
  func `blame takes a path in each notation`(place: String) async throws {
    let result = try await terminal.run("blame", "a.jsonl", place)
    #expect(result.output.hasPrefix("orders[0].total is 2500 after action 2\n"), "\(result)")
  }

  @Test func `show --changes suggests the path that was meant`() async throws {
    let result = try await terminal.run("show", "a.jsonl", "--changes", "total")
    #expect(
      result.error == """
        tca-replay: no action of the log meets the filters; leave one out to see more
        tca-replay: the last state has nothing at 'total'; did you mean 'orders[*].total'?

        """
    )
  }

  /// A condition, the action after which it first holds, and its warnings.
  nonisolated static let conditions: [(condition: String, first: Int?, error: String)] = [
    ("isSaving", 2, ""), ("path[0].visit.seconds > 0", 1, ""), ("orders[*].total > 2000", 2, ""),
    (".saved", 2, ""), ("orders.count > 1", nil, ""),
    (
      "isSvaing", nil,
      "tca-replay: --when: no state of the log has anything at 'isSvaing'; did you mean 'isSaving'?\n"
    ),
    (
      "$.state.path[0].visit.seconds > 0", nil,
      "tca-replay: --when: no state of the log has anything at '$.state.path[0].visit.seconds'; did you mean 'path[0].visit.seconds'?\n"
    ),
    (
      "$.state.path[1].visit.seconds > 0", nil,
      "tca-replay: --when: no state of the log has anything at '$.state.path[1].visit.seconds'; did you mean 'path[*].visit.seconds'?\n"
    ),
    (
      "orders.length > 1", nil,
      "tca-replay: --when: no state of the log has anything at 'orders.length'; did you mean 'orders.count'?\n"
    ),
    (
      "$.action.visit.saved", nil,
      "tca-replay: --when: no action of the log has anything at '$.action.visit.saved'; did you mean '.visit.saved'?\n"
    ),
    (
      "$.action.path.svaed", nil,
      "tca-replay: --when: no action of the log has anything at '$.action.path.svaed'; did you mean '.path[].visit.saved'?\n"
    ),
    (
      "orders.count == 'a'", nil,
      "tca-replay: --when: 'orders.count' is never a string in the log, so 'orders.count == \"a\"' is never true; it is a number such as 1\n"
    ),
  ]

  @Test(arguments: conditions)
  func `bisect finds a condition, or suggests the one that was meant`(
    condition: String,
    first: Int?,
    error: String
  ) async throws {
    let result = try await terminal.run(
      "bisect",
      "a.jsonl",
      "--when",
      condition,
      "--format",
      "json"
    )
    #expect(result.error == error)
    #expect(result.status == (first == nil ? 1 : 0))
    #expect(first == nil || result.output.contains("\"seq\":\(first ?? 0)"))
  }

  @Test func `bisect suggests the short form for a query that only asks whether a value exists`()
    async throws
  {
    let result = try await terminal.run("bisect", "a.jsonl", "--when", "$.state.isSaving")
    #expect(
      result.error
        == "tca-replay: --when: '$.state.isSaving' asks whether there is a value, not whether it is true; 'isSaving' asks for its truth\n"
    )
  }
}
