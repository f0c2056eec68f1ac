import Foundation
import TestSupport
import Testing

/// The program that counts, if it is installed.
private let counter = Tool.inPath("valgrind")

/// The work that commands do with logs that are made to take long: twice the log is twice the work, or the log is refused.
///
/// Instructions are counted, which do not depend on the machine's load. A process takes seconds under valgrind, so there are a few rows with one
/// command; with `TCA_REPLAY_ALL_COMMANDS` in the environment there are all rows and commands. Valgrind cannot follow the start of a host, so these are the
/// commands without one.
@Suite(.enabled(if: counter != nil, "valgrind counts instructions"))
struct ComplexityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let log: HostileLog
    let size: Int
    let command: [String]
    var testDescription: String { "\(command[0]): \(log)" }
  }

  private static let table: [(log: HostileLog, size: Int, command: [String])] = [
    (.nestedEffects, 30, ["verify"]), (.wrongNestedEffects, 30, ["verify"]),
    (.unknownMembersOfGroups, 30, ["stats"]), (.copies, 40, ["verify"]),
    (.copiesByAction, 40, ["show"]), (.moves, 600, ["verify"]), (.longPath, 20_000, ["verify"]),
    (.removals, 500, ["verify"]), (.removalsByAction, 300, ["stats"]),
    (.goneMembers, 300, ["replay"]),
    (.headerMembers, 500, ["mask", "--path", "/filter", "-o", "/dev/null"]),
    (.sharedPlaces, 300, ["replay"]),
  ]

  static let rows: [Row] = {
    let isThorough = ProcessInfo.processInfo.environment["TCA_REPLAY_ALL_COMMANDS"] != nil
    // The other kinds end at all, which HostileLogTests show in a second.
    let usual: Set<HostileLog> = [.removalsByAction, .goneMembers]
    return table.filter { isThorough || usual.contains($0.log) }.flatMap { row -> [Row] in
      let commands = isThorough ? [row.command] + everyCommand : [row.command]
      return commands.map { Row(log: row.log, size: row.size, command: $0) }
    }
  }()

  private static let everyCommand = [
    ["show"], ["verify"], ["stats"], ["replay"], ["blame", "filter"], ["coverage"],
    ["test"], ["trace", "-o", "/dev/null"], ["view", "-o", "/dev/null"],
    ["mask", "--path", "/filter", "--allow-unmatched", "-o", "/dev/null"],
  ]

  /// The tool without the information for debuggers, of which valgrind knows no newer form.
  ///
  /// It stays beside the tool.
  private static let program: String = {
    let path = Tool.replay.path + "-stripped"
    _ = try? Tool.inPath("strip")?.run("--strip-debug", "-o", path, Tool.replay.path)
    return FileManager.default.isExecutableFile(atPath: path) ? path : Tool.replay.path
  }()

  @Test(arguments: rows)
  func `twice the log is at most twice the work`(row: Row) throws {
    let counts = try [1, 2, 4].map { try instructions(row, size: row.size * $0) }
    let (first, second) = (counts[1] - counts[0], counts[2] - counts[1])
    // A square would make four times as much of it. Some work has no part in it, whatever the size.
    #expect(
      second < 3 * max(first, 2_000_000),
      "\(counts) instructions with sizes \(row.size), \(row.size * 2), \(row.size * 4)"
    )
  }

  private func instructions(_ row: Row, size: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let sample = try String(contentsOfFile: "SampleLogs/todos.jsonl", encoding: .utf8)
      .split(separator: "\n").map(String.init)
    try folder.write(
      row.log.lines(of: size, in: sample).joined(separator: "\n") + "\n",
      to: "a.jsonl"
    )
    let path = "\(folder.path)/a.jsonl"
    let result = try #require(counter).run(
      [
        "--tool=callgrind", "--callgrind-out-file=/dev/null", Self.program,
        row.command[0], path,
      ] + row.command.dropFirst()
    )
    #expect([0, 1, 65].contains(result.status), "\(result.error)")
    let counts = result.error.matches(of: /Collected : ([0-9]+)/).compactMap { Int($0.output.1) }
    #expect(!counts.isEmpty, "\(result.error)")
    return counts.reduce(0, +)
  }
}
