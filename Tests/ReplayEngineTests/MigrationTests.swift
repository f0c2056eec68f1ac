import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayEngine
@testable import ReplayHosts

/// Logs of older builds: their migrations, and the messages if there is none.
@MainActor @Suite struct MigrationTests {
  /// The counter's log from an older build with other names for everything.
  private static let oldLines = SampleLog.lines.map {
    $0.replacing("/count\"", with: "/number\"").replacing("\"count\":", with: "\"number\":")
      .replacing("{\"increment\":{}}", with: "{\"plus\":{}}")
      .replacing("{\"third\":{}}", with: "{\"3rd\":{}}")
  }

  private static let toTwo = Migration(from: 1) { state in
    try state.move(from: "/number", to: "/count")
  } action: { action in
    try action.move(from: "/plus", to: "/increment")
  }

  private static let toThree = Migration(
    from: 2,
    action: { action in try action.move(from: "/3rd", to: "/third") }
  )

  private static func feature(_ version: Int?, _ migrations: [Migration]) -> FeatureEntry {
    FeatureEntry(
      name: "Counter",
      stateType: "CounterState",
      schemaVersion: version,
      migrations: migrations
    ) {
      CounterEngine()
    }
  }

  private func check(_ lines: [String], _ feature: FeatureEntry) throws -> ReplayedLog? {
    let folder = try TemporaryFolder()
    let path = try folder.write(lines.joined(separator: "\n"), to: "a.jsonl")
    return try ReplayedLog.check(logsAt: path, of: feature).first
  }

  @Test func `migrations apply to states, actions, patches and effects`() throws {
    let current = Self.feature(3, [Self.toTwo, Self.toThree])
    #expect(try check(Self.oldLines, current)?.verdict == .identical)
    let mended = try check(
      Self.oldLines.map {
        $0.replacing(#""path":"/number","value":9}"#, with: #""path":"/number","value":19}"#)
      },
      current
    )
    #expect(mended?.verdict?.at == 8)
    #expect(mended?.text.contains("    count\n      − 19\n      + 9\n") == true)
    #expect(try check(Self.oldLines, Self.feature(nil, []))?.verdict?.name == "undecodable")
  }

  @Test
  func `a migration notes a path that exists in no value, once for each step of the migration`()
    async throws
  {
    let terminal = try Terminal()
    terminal.schemaVersion = 3
    terminal.migrations = [
      Migration(from: 1) { state in
        try state.move(from: "/number", to: "/count")
        try state.remove(at: "/gone")
        try state.wrap("/rows/*/name", in: "text")
      } action: { action in
        try action.move(from: "/plus", to: "/increment")
        try action.move(from: "/minus", to: "/decrement")
      },
      Self.toThree,
    ]
    try terminal.folder.write(Self.oldLines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = try await terminal.run("migrate", "a.jsonl", "-o", "-")
    #expect(
      result.error == """
        tca-replay: note: migrated from schema version 1 to 3
        tca-replay: note: the migration from schema version 1 finds nothing at '/gone', '/rows/*/name' in states, \
        at '/minus' in actions

        """
    )
  }

  @Test func `a migration refuses a value that lacks a required path, and names its action`() throws
  {
    let step = Migration(from: 1) { state in
      try state.move(from: "/number", to: "/count", isRequired: true)
    } action: { action in
      try action.move(from: "/plus", to: "/increment", isRequired: true)
    }
    #expect(
      try check(Self.oldLines, Self.feature(2, [step]))?.text.split(separator: "a.jsonl: ").last
        == "the migration from schema version 1 refuses a value of action 2: there is no value at '/plus', where the"
        + " migration requires one; found {\"add\":{}}\n"
    )
  }

  struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edit: @Sendable (inout JSON) throws -> Void
    let result: JSON
  }

  nonisolated static let edits: [Edit] = [
    Edit(
      testDescription: "move in each row",
      edit: { try $0.move(from: "/rows/*/a", to: "/rows/*/c") },
      result: ["rows": [["b": 2, "c": 1], ["b": 4, "c": 3]], "dates": ["x": ["d": 5]]]
    ),
    Edit(
      testDescription: "remove each row",
      edit: { try $0.remove(at: "/rows/*") },
      result: ["rows": [], "dates": ["x": ["d": 5]]]
    ),
    Edit(
      testDescription: "set in each row, in the members of a dictionary",
      edit: {
        try $0.set(0, at: "/rows/*/a")
        try $0.set(true, at: "/dates/*/e")
      },
      result: [
        "rows": [["a": 0, "b": 2], ["a": 0, "b": 4]], "dates": ["x": ["d": 5, "e": true]],
      ]
    ),
    Edit(
      testDescription: "wrap and change",
      edit: {
        try $0.wrap("/dates/*/d", in: "value")
        try $0.change("/rows/*/a") { $0 = .string("\($0.int ?? 0)") }
      },
      result: [
        "rows": [["a": "1", "b": 2], ["a": "3", "b": 4]], "dates": ["x": ["d": ["value": 5]]],
      ]
    ),
    Edit(
      testDescription: "places that are not there",
      edit: {
        try $0.move(from: "/none/*/a", to: "/none/*/b")
        try $0.remove(at: "/rows/7")
        try $0.wrap("/rows/*/z", in: "value")
      },
      result: ["rows": [["a": 1, "b": 2], ["a": 3, "b": 4]], "dates": ["x": ["d": 5]]]
    ),
  ]

  @Test(arguments: edits)
  func `a migration changes the values at all paths that its pattern matches`(
    edit: Edit
  ) throws {
    var value: JSON = ["rows": [["a": 1, "b": 2], ["a": 3, "b": 4]], "dates": ["x": ["d": 5]]]
    try edit.edit(&value)
    #expect(value == edit.result)
  }

  @Test func `migrations begin at the schema version of the log`() throws {
    let lines = SampleLog.lines.map {
      $0.replacing("{\"third\":{}}", with: "{\"3rd\":{}}")
        .replacing(#"{"kind":"header","#, with: #"{"kind":"header","schemaVersion":2,"#)
    }
    let never = Migration(from: 1) { _ in throw LogDecodingFailure(action: .null) }
    #expect(try check(lines, Self.feature(3, [never, Self.toThree]))?.verdict == .identical)
    #expect(try check(lines, Self.feature(3, [Self.toThree]))?.verdict == .identical)
  }

  /// States and actions in other events, with shared values whose key the step changes.
  private static let inputs = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"Counter","stateType":"CounterState"}
    {"kind":"checkpoint","seq":0,"state":{"number":0,"id":""},"effects":[{"id":"0.0","op":"run","action":{"plus":{}}}],"shared":[{"root":0,"at":"/number"},{"root":0,"at":"/id"}]}
    {"kind":"external","seq":0,"at":1,"patch":[{"op":"replace","path":"/number","value":4}],"shared":[{"root":0,"at":"/number","part":["a"]}]}
    {"kind":"excluded","seq":1,"at":2,"origin":"view","patch":[{"op":"replace","path":"/number","value":5}],"effects":[{"id":"1.0","op":"send","action":{"plus":{}}}],"shared":[{"root":0,"at":"/number"}]}
    {"kind":"action","seq":2,"at":3,"origin":{"effect":"1.0"},"action":{"plus":{}}}
    {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/number","value":6}]}
    {"kind":"gap","seq":2,"at":3,"dropped":2,"reason":"full"}
    {"kind":"checkpoint","seq":2,"state":{"number":7,"id":""},"effects":[]}
    {"kind":"action","seq":3,"at":4,"origin":"view","action":{"plus":{}}}
    {"kind":"change","seq":3,"patch":[{"op":"replace","path":"/number","value":8}]}
    {"kind":"end","seq":3,"reason":"closed"}
    """#.split(separator: "\n").map(String.init)

  @Test func `migrations apply to external changes and shared values`() async throws {
    let terminal = try Terminal()
    terminal.schemaVersion = 2
    terminal.migrations = [Self.toTwo]
    try terminal.folder.write(Self.inputs.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = try await terminal.run("migrate", "a.jsonl")
    let expected = Self.inputs.map {
      $0.replacing("/number", with: "/count").replacing("\"number\":", with: "\"count\":")
        .replacing("{\"plus\":{}}", with: "{\"increment\":{}}")
    }
    let lines = try result.output.split(separator: "\n").map {
      try JSON(parsing: String($0).replacing("\"schemaVersion\":2,", with: ""))
    }
    // In the form of this version, with its order of members.
    #expect(try Self.written(lines) == Self.written(expected.map { try JSON(parsing: $0) }))
    try terminal.folder.write(result.output, to: "b.jsonl")
    #expect(
      try await terminal.run("run", "b.jsonl").output == "b.jsonl: identical, through action 3\n"
    )
  }

  private static func written(_ lines: [JSON]) throws -> [JSON] {
    try lines.map { try JSON(parsing: String(decoding: LogEvent(json: $0).line, as: UTF8.self)) }
  }

  @Test func `migrate writes the migrated log with the new schema version`() async throws {
    let terminal = try Terminal()
    terminal.schemaVersion = 3
    terminal.migrations = [Self.toTwo, Self.toThree]
    try terminal.folder.write(Self.oldLines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let output = terminal.folder.path + "/b.jsonl"
    #expect(
      try await terminal.run("migrate", "a.jsonl", "-o", output)
        == .init(
          status: 0,
          output: "",
          error: "tca-replay: note: migrated from schema version 1 to 3\n"
        )
    )
    let lines = try terminal.folder.read("b.jsonl").split(separator: "\n").map {
      try JSON(
        parsing: String($0).replacing("\"schemaVersion\":3,", with: "")
          .replacing(",\"writtenBy\":\"migrate\"", with: "")
      )
    }
    #expect(try lines == SampleLog.lines.map { try JSON(parsing: $0) })
    #expect(try await terminal.run("run", "b.jsonl").status == 0)
  }

  struct Plan: Sendable, CustomTestStringConvertible {
    let version: Int?
    let steps: [Int]
    let message: String
    var testDescription: String { message }
  }

  nonisolated static let wrong: [Plan] = [
    Plan(
      version: nil,
      steps: [1],
      message:
        "feature 'Counter' has migrations and its state has no schema version; add 'extension"
        + " CounterState: SchemaVersioned { public static let schemaVersion = 2 }'"
    ),
    Plan(
      version: 4,
      steps: [1, 3],
      message: "feature 'Counter' has no migration from schema version 2; expected one for each"
        + " version up to the code's: add Migration(from: 2); 'migrate LOG --suggest' writes it as far as a log tells"
    ),
    Plan(
      version: 4,
      steps: [1, 2],
      message: "feature 'Counter' has no migration from schema version 3; expected one for each"
        + " version up to the code's: add Migration(from: 3); 'migrate LOG --suggest' writes it as far as a log tells"
    ),
    Plan(
      version: 3,
      steps: [1, 1, 2],
      message: "feature 'Counter' has two migrations from schema version 1; expected one for each"
        + " version: make them one"
    ),
    Plan(
      version: 3,
      steps: [2, 1],
      message: "feature 'Counter' has its migration from schema version 1 after the one from 2;"
        + " expected them in the order of their versions"
    ),
    Plan(
      version: 2,
      steps: [1, 2],
      message:
        "feature 'Counter' has a migration from schema version 2, but the code has version 2;"
        + " expected the last one from 1: raise the schemaVersion of its state, or remove the migration"
    ),
  ]

  @Test(arguments: wrong)
  func `a host refuses migrations that do not lead to its schema version`(plan: Plan) async throws {
    let terminal = try Terminal()
    terminal.schemaVersion = plan.version
    terminal.migrations = plan.steps.map { Migration(from: $0) }
    #expect(
      try await terminal.run("features")
        == .init(status: 69, output: "", error: "tca-replay: \(plan.message)\n")
    )
  }

  @Test func `a host reports a log of a newer schema version with a finding`()
    async throws
  {
    let terminal = try Terminal()
    terminal.schemaVersion = 3
    terminal.migrations = [Self.toThree]
    terminal.environment = [ReplayHandshake.variable: "token"]
    let header = #"{"kind":"header","schemaVersion":4,"#
    try terminal.folder.write(
      SampleLog.text.replacing(#"{"kind":"header","#, with: header),
      to: "a.jsonl"
    )
    let result = try await terminal.run("replay", "a.jsonl")
    let lines = result.output.split(separator: "\n")
    // An answer is a log that names its author.
    guard case .header(let head) = try LogEvent(json: JSON(parsing: String(lines[0]))) else {
      Issue.record("\(result.output)")
      return
    }
    #expect(head.rest["replayer"]?["token"]?.string == "token")
    // The parent reads it from there and reports it for the log.
    let finding = LogEvent.Finding(
      seq: 0,
      code: .unknownFeature,
      subject: "",
      message:
        "the log of 'Counter' has schema version 4, this host goes up to 3: use a newer build of the app"
    )
    #expect(try LogEvent(json: JSON(parsing: String(lines[1]))) == .finding(finding))
    #expect(lines.count == 2)
    #expect(result.status == 69 && result.error.isEmpty)
  }

  @Test func `a log for which no migration fits is refused with the reason`() throws {
    func text(_ version: Int, _ feature: FeatureEntry) throws -> String? {
      let header = #"{"kind":"header","schemaVersion":\#(version),"#
      return try check(
        SampleLog.lines.map { $0.replacing(#"{"kind":"header","#, with: header) },
        feature
      )?.text.split(separator: "a.jsonl: ").last.map(String.init)
    }
    let feature = Self.feature(3, [Self.toThree])
    #expect(
      try text(4, feature)
        == "the log of 'Counter' has schema version 4, this host goes up to 3: use a newer build of the app\n"
    )
    #expect(
      try text(1, feature)
        == "the log of 'Counter' has schema version 1, this host has migrations from 2 on: add Migration(from: 1), or"
        + " record the log again\n"
    )
    let refusing = Migration(from: 2, action: { throw LogDecodingFailure(action: $0) })
    #expect(
      try text(2, Self.feature(3, [refusing]))
        == "the migration from schema version 2 refuses a value of action 1: no such action: {\"increment\":{}}; found"
        + " {\"increment\":{}}\n"
    )
  }
}
