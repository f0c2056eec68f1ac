import ActionLog
import Foundation
import SchemaChanges
import TestSupport
import Testing

/// Commands on a log of the previous version have the same results as on a log of the current version.
@Suite struct SchemaCommandTests {
  /// The arguments of commands that terminate and write into their working folder.
  private static let commands: [[String]] = [
    ["run", "log.jsonl", "--format", "text"],
    ["run", "log.jsonl", "--format", "json"],
    ["run", "log.jsonl", "--continue"],
    ["replay", "log.jsonl", "-o", "out.jsonl"],
    ["migrate", "log.jsonl", "-o", "out.jsonl"],
    ["fork", "log.jsonl", "--skip", "3", "-o", "out.jsonl"],
    ["debug", "log.jsonl", "--batch", "--ex", "skip 3"],
    ["minimize", "log.jsonl", "--when", "$.state.limit == 21", "-o", "out.jsonl", "--jobs", "1"],
    ["explore", "log.jsonl"],
    ["fuzz", "log.jsonl", "--runs", "\(Thoroughness.count(2, thorough: 30))"]
      + ["--seed", "1", "--jobs", "1"],
    ["audit", "log.jsonl", "--runs", "2", "--seed", "1", "--jobs", "1"],
    ["view", "log.jsonl", "--replay", "-o", "page.html"],
    ["record", "--from", "log.jsonl", "--until", "8", "--actions", "actions", "-o", "out.jsonl"],
    ["bisect", "log.jsonl", "--good", "first", "--bad", "HEAD"]
      + ["--build", "sh build.sh", "--host", "out/host"],
    ["coverage", "log.jsonl"],
    // The host does not count its lines, as the command states after the replay.
    ["coverage", "log.jsonl", "--lines"],
  ]

  private static let change = "rename a member of the state"

  /// Returns a folder with a log.
  private static func folder(_ lines: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(lines.joined(separator: "\n") + "\n", to: "log.jsonl")
    try folder.write(
      "{\"limitRaised\":{}}\n{\"saveTapped\":{}}\n{\"$finish\":true}\n",
      to: "actions"
    )
    return folder
  }

  /// Turns a folder into a repository with the host.
  ///
  /// The host counts to another number from the last commit on.
  private static func addCommits(to folder: TemporaryFolder) throws {
    let git = try #require(Tool.git)
    // The same in all folders, so that the hashes are equal.
    let environment = [
      "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
      "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_NAME": "Ada",
      "GIT_COMMITTER_EMAIL": "ada@example.com", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    ]
    func run(_ arguments: String...) throws {
      let result = try git.run(arguments, environment: environment, in: folder.path)
      #expect(result.status == 0, "git \(arguments): \(result.error)")
    }
    func commit(_ host: String, _ subject: String) throws {
      try folder.write("#!/bin/sh\n\(host)\n", to: "host.sh")
      try run("add", "host.sh", "build.sh", ".gitignore")
      try run("commit", "--quiet", "--allow-empty", "--message", subject)
    }
    try run("init", "--quiet", "--initial-branch", "main")
    try folder.write("mkdir -p out && cp host.sh out/host && chmod +x out/host\n", to: "build.sh")
    try folder.write("out/\n", to: ".gitignore")
    let host = "'\(Tool.crashingApp.path)' \"$@\""
    try commit("exec \(host)", "begin")
    try run("tag", "first")
    try commit("exec  \(host)", "change a space")
    try commit(#"\#(host) | sed -u 's|"value":21}|"value":41}|'"#, "raise the limit further")
  }

  /// The lines of a recorded log of the current version.
  private static let recording = Result { () throws -> [String] in
    let folder = try TemporaryFolder()
    let environment = ["TCA_SCHEMA_RECORD": folder.path + "/log.jsonl"]
    #expect(try Tool.crashingApp.run([], environment: environment).status == 0)
    return try folder.read("log.jsonl").split(separator: "\n").map(String.init)
  }

  private static func recorded() throws -> [String] { try recording.get() }

  private static func run(
    _ command: [String],
    _ change: String,
    in folder: TemporaryFolder
  ) throws -> Tool.Result {
    try Tool.crashingApp.run(
      command,
      environment: [
        SchemaChange.variable: change, "XDG_CACHE_HOME": folder.path + "/cache",
      ],
      in: folder.path
    )
  }

  private static let note = "note: migrated from schema version 1 to 2"

  /// Returns the output of a command without the note on the migration.
  private static func text(_ result: Tool.Result) -> String {
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { $0 != "  \(note)" }
    return lines.joined(separator: "\n").replacing(",\"notes\":[\"\(note)\"]", with: "")
      .replacing(/"seconds":[0-9.e-]+/, with: "").replacing(/\+[0-9.]+ s/, with: "+… s")
      + (result.status > 1 ? result.error : "")
  }

  /// The cells of the table whose texts differ, with the first different line.
  ///
  /// The values of an action are shown in the order in which they were recorded. The order is also part of the counted
  /// shape.
  private static let open: [String: [String: String]] = [
    "reorder the values of an action": [
      "debug": """
         2    +… s  .lineAdded(name: "Mug", isGift: false)  lines[1]: + (id: 1, … 1 more …, isGift: false), total.cents: 300 → 600, count.value: 2 → 4
         2    +… s  .lineAdded(isGift: false, name: "Mug")  lines[1]: + (id: 1, … 1 more …, isGift: false), total.cents: 300 → 600, count.value: 2 → 4
      """,
      "fuzz": """
      Shop: no fault in 30 sequences out of 1 log, 571 transitions; 841 cases and shapes covered, 37 by the logs
      Shop: no fault in 30 sequences out of 1 log, 565 transitions; 798 cases and shapes covered, 37 by the logs
      """,
    ],
    "reorder the values of an error": [
      "fuzz": """
      Shop: no fault in 30 sequences out of 1 log, 571 transitions; 841 cases and shapes covered, 37 by the logs
      Shop: no fault in 30 sequences out of 1 log, 577 transitions; 828 cases and shapes covered, 37 by the logs
      """
    ],
  ]

  /// Returns the first line that differs between the log of the current version and that of the previous version; `nil`
  /// for equal texts.
  private static func difference(_ expected: String, _ found: String) -> String? {
    let lines = [expected, found].map {
      $0.split(separator: "\n", omittingEmptySubsequences: false)
    }
    for index in 0..<max(lines[0].count, lines[1].count) {
      let pair = lines.map { index < $0.count ? String($0[index]) : "" }
      if pair[0] != pair[1] { return "\(pair[0])\n\(pair[1])" }
    }
    return nil
  }

  /// Compares the output of a command for a log of the previous version with that for a log of the current version.
  private static func compare(
    _ command: [String],
    _ change: SchemaChange,
    _ lines: [String]
  ) throws {
    let (now, before) = (try folder(lines), try folder(change.before(lines)))
    if command[0] == "bisect" { for folder in [now, before] { try addCommits(to: folder) } }
    let expected = try run(command, change.name, in: now)
    let found = try run(command, change.name, in: before)
    let title = Comment(rawValue: "\(change.name): \(command[0])\n\(found.output)\(found.error)")
    #expect(found.status == expected.status, title)
    #expect(difference(text(expected), text(found)) == open[change.name]?[command[0]], title)
    guard command.contains("out.jsonl") else { return }
    let header = try before.read("out.jsonl").prefix { $0 != "\n" }
    #expect(header.contains(#""schemaVersion":2"#), title)
    let again = try run(["run", "out.jsonl"], change.name, in: before)
    #expect(!again.output.contains("note:") && again.status == 0, "\(title)\n\(again.output)")
  }

  @Test(arguments: commands)
  func `every command migrates a log of an older schema in the same manner as run`(
    command: [String]
  ) throws {
    let change = try #require(SchemaChange.all.first { $0.name == Self.change })
    try Self.compare(command, change, try Self.recorded())
  }

  @Test
  func `bisect migrates a log of an older schema to find the commit that changes the behavior`()
    throws
  {
    let change = try #require(SchemaChange.all.first { $0.name == Self.change })
    let folder = try Self.folder(change.before(try Self.recorded()))
    try Self.addCommits(to: folder)
    let command = try #require(Self.commands.first { $0[0] == "bisect" })
    let result = try Self.run(command, change.name, in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("raise the limit further"), "\(result)")
  }

  /// The commands of the hosts that a command starts, in their order.
  @Test(arguments: [
    (["explore"], "replay, serve"),
    (
      ["minimize", "--when", "$.state.limit == 21", "-o", "out.jsonl", "--jobs", "1"],
      "replay, serve"
    ),
    (["audit", "--runs", "2", "--jobs", "1"], "replay, replay"),
    (["run"], "serve"),
  ])
  func `a command does not start a host only to ask for the schema version`(
    command: [String],
    starts: String
  ) throws {
    let folder = try Self.folder(try Self.recorded())
    let host = try folder.script(
      "echo \"$1\" >> '\(folder.path)/starts'\nexec '\(Tool.crashingApp.path)' \"$@\"\n",
      named: "host"
    )
    let result = try Tool.replay.run(
      [command[0], "log.jsonl", "--host", host] + command.dropFirst(),
      environment: [SchemaChange.variable: "none"],
      in: folder.path
    )
    #expect(result.status == 0, "\(result)")
    let found = try folder.read("starts").split(separator: "\n").joined(separator: ", ")
    #expect(found == starts)
  }

  @Test func `commands migrate a log across every change of the schema`() throws {
    let lines = try Self.recorded()
    // All changes with all commands take minutes. `SchemaChangeTests` replay all of them in the process. The kinds of
    // changes repeat, and the step leads to other kinds for each kind of value.
    let commands = Thoroughness.isHigh ? Self.commands : [Self.commands[0]]
    let step = Thoroughness.count(4, thorough: 1)
    for index in stride(from: 0, to: SchemaChange.all.count, by: step) {
      for command in commands { try Self.compare(command, SchemaChange.all[index], lines) }
    }
  }

  @Test func `run reports from which version a log was migrated`() throws {
    let change = try #require(SchemaChange.all.first { $0.name == Self.change })
    let folder = try Self.folder(change.before(try Self.recorded()))
    let result = try Self.run(["run", "log.jsonl"], change.name, in: folder)
    #expect(result.output == "log.jsonl: identical, through action 14\n  \(Self.note)\n")
    let json = try Self.run(["run", "log.jsonl", "--format", "json"], change.name, in: folder)
    #expect(json.output.contains(#""notes":["\#(Self.note)"]"#))
  }

  @Test func `run suggests the schema version for a log without one, and keeps its verdict`() throws
  {
    let change = try #require(SchemaChange.all.first { $0.name == "change the type of a read" })
    var lines = try Self.recorded()
    lines[0] = lines[0].replacing(#""schemaVersion":2,"#, with: "")
    let folder = try Self.folder(lines)
    let result = try Self.run(["run", "log.jsonl"], change.name, in: folder)
    let note =
      "note: the log states no schema version and was read as one of version 1; as one of version 2, the code's, its"
      + " replay is the same: add 'extension Shop.State: SchemaVersioned { public static let schemaVersion = 2 }' to the app"
      + " that records, and '\"schemaVersion\":2,' to the first line of the log"
    let notes = result.output.split(separator: "\n").filter { $0.hasPrefix("  note: ") }
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("log.jsonl: diverged at action 9"), "\(result.output)")
    #expect(notes.first == "  \(note)", "\(result.output)")
    // The log needs only its version and no migration.
    let suggested = try Self.run(["migrate", "log.jsonl", "--suggest"], change.name, in: folder)
    #expect(suggested.output == "" && suggested.status == 1)
    #expect(suggested.error == "CrashingApp: \(note.dropFirst("note: ".count))\n")
  }

  @Test(arguments: [["run", "log.jsonl"], ["migrate", "log.jsonl", "-o", "out.jsonl"]])
  func `the host of --host migrates a log, whatever host the environment names`(
    command: [String]
  ) throws {
    let change = try #require(SchemaChange.all.first { $0.name == Self.change })
    let folder = try Self.folder(change.before(try Self.recorded()))
    let result = try Tool.replay.run(
      command + ["--host", Tool.crashingApp.path],
      environment: [
        SchemaChange.variable: change.name, "TCA_REPLAY_HOST": Tool.replay.path,
      ],
      in: folder.path
    )
    #expect(result.status == 0, "\(result)")
    #expect((result.output + result.error).contains(Self.note))
  }

  @Test(arguments: [
    ["mask", "log.jsonl", "--path", "note", "-o", "out.jsonl"],
    ["verify", "log.jsonl", "--repair", "out.jsonl"],
  ])
  func `mask and verify --repair keep the schema version of the log`(command: [String]) throws {
    let change = try #require(SchemaChange.all.first { $0.name == Self.change })
    let lines = try Self.recorded()
    for (version, lines) in [(2, lines), (1, try change.before(lines))] {
      let folder = try Self.folder(lines)
      let result = try Self.run(command, change.name, in: folder)
      let header = try folder.read("out.jsonl").prefix { $0 != "\n" }
      #expect(header.contains(#""schemaVersion":\#(version)"#), "\(result)")
    }
  }

  @Test func `commands refuse a log of a newer schema version than the host's`() throws {
    var lines = try Self.recorded()
    lines[0] = lines[0].replacing(#""schemaVersion":2,"#, with: #""schemaVersion":3,"#)
    let folder = try Self.folder(lines)
    let message =
      "the log of 'Shop' has schema version 3, this host goes up to 2: use a newer build of the app\n"
    for command in Self.commands where !["view", "debug", "bisect"].contains(command[0]) {
      let result = try Self.run(command, Self.change, in: folder)
      #expect(result.status == 69, "\(command)")
      #expect((result.output + result.error).contains(message.dropLast()), "\(command): \(result)")
    }
  }

  @Test
  func
    `migrate --suggest writes a migration, and migrate names the paths that a migration does not find`()
    throws
  {
    let change = try #require(SchemaChange.all.first { $0.name == "rename an action" })
    let folder = try Self.folder(change.before(try Self.recorded()))
    let suggested = try Self.run(["migrate", "log.jsonl", "--suggest"], "none", in: folder)
    #expect(suggested.status == 1)
    // The host has a step from version 1 that changes no values.
    #expect(
      suggested.output == """
        Migration(
          from: 2,
          action: { action in
            try action.move(from: "/itemAdded", to: "/lineAdded")
          }
        )

        """
    )
    #expect(
      suggested.error
        == "CrashingApp: the migration leads to version 3: 'extension Shop.State: SchemaVersioned {"
        + " public static let schemaVersion = 3 }'\n"
    )
    let other = "rename a shared value"
    let migrated = try Self.run(["migrate", "log.jsonl", "-o", "out.jsonl"], other, in: folder)
    #expect(
      migrated.error
        == "CrashingApp: \(Self.note)\nCrashingApp: note: the migration from schema version 1 finds nothing at"
        + " '/maximum', '/path/*/element/detail/_0/maximum' in states\n"
    )
  }
}
