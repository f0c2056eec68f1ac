import Foundation
import TestSupport
import Testing

/// valgrind, if it is installed.
private let counter = Tool.inPath("valgrind")

/// The work of commands on logs that are designed to be slow: doubling the log at most doubles the work, or the log is
/// refused.
///
/// Instructions are counted, because they do not depend on the machine's load. A process takes seconds under valgrind,
/// so there is only one row by default. With `Thoroughness.isHigh`, all rows and commands run. Hosts are not
/// followed, except that those of an audit are counted by a separate valgrind.
@Suite(.enabled(if: counter != nil, "valgrind counts instructions"))
struct ComplexityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let log: HostileLog
    let size: Int
    let command: [String]
    var testDescription: String { "\(command[0]): \(log)" }
  }

  private static let table: [(log: HostileLog, size: Int, command: [String])] = [
    (.nestedEffects, 60, ["verify"]), (.wrongNestedEffects, 60, ["verify"]),
    (.unknownMembersOfGroups, 60, ["stats"]), (.copies, 40, ["verify"]),
    (.copiesByAction, 40, ["show"]), (.moves, 600, ["verify"]), (.longPath, 20_000, ["verify"]),
    (.removals, 500, ["verify"]), (.removalsByAction, 100, ["stats"]),
    (.goneMembers, 100, ["replay"]),
    (.headerMembers, 500, ["mask", "--path", "/filter", "-o", "/dev/null"]),
    (.sharedPlaces, 300, ["replay"]),
    (.reads, 200, ["minimize", "--when", "$.seq > 1", "-o", "/dev/null", "--force"]),
  ]

  static let rows: [Row] = {
    // The other kinds terminate, as `HostileLogTests` show in a second.
    let usual: Set<HostileLog> = [.removalsByAction]
    return table.filter { Thoroughness.isHigh || usual.contains($0.log) }.flatMap { row -> [Row] in
      let commands = Thoroughness.isHigh ? [row.command] + everyCommand : [row.command]
      return commands.map { Row(log: row.log, size: row.size, command: $0) }
    }
  }()

  private static let everyCommand = [
    ["show"], ["verify"], ["stats"], ["replay"], ["blame", "filter"], ["coverage"],
    ["test"], ["test", "--style", "store"], ["trace", "-o", "/dev/null"],
    ["view", "-o", "/dev/null"],
    ["mask", "--path", "/filter", "--allow-unmatched", "-o", "/dev/null"],
  ]

  /// The tool without debug information, because valgrind does not support its newer format.
  ///
  /// It is stored next to the tool.
  private static let program: String = {
    let path = Tool.replay.path + "-stripped"
    _ = try? Tool.inPath("strip")?.run("--strip-debug", "-o", path, Tool.replay.path)
    return FileManager.default.isExecutableFile(atPath: path) ? path : Tool.replay.path
  }()

  @Test(arguments: rows)
  func `the work of a command at most doubles for a log of twice the length`(row: Row) throws {
    try expectGrowth(row, of: instructions)
  }

  /// Expects that work grows at most in proportion to the log.
  private func expectGrowth(_ row: Row, of work: (Row, _ size: Int) throws -> Int) throws {
    let counts = try [1, 2, 4].map { try work(row, row.size * $0) }
    let (first, second) = (counts[1] - counts[0], counts[2] - counts[1])
    // Quadratic growth would increase it fourfold. Some work does not depend on the size.
    #expect(
      second < 3 * max(first, 2_000_000),
      "\(counts) instructions with sizes \(row.size), \(row.size * 2), \(row.size * 4)"
    )
  }

  /// Audits whose hosts replay a log and end.
  ///
  /// Serving hosts are killed at the end, before they have written a number.
  static let hostRows: [Row] = [(HostileLog.reads, 100), (.sharedPlaces, 200), (.goneMembers, 200)]
    .filter { _ in Thoroughness.isHigh }
    .map { Row(log: $0.0, size: $0.1, command: ["audit", "--runs", "2"]) }

  @Test(arguments: hostRows)
  func `the work of the hosts of a command at most doubles for a log of twice the length`(
    row: Row
  ) throws {
    try expectGrowth(row, of: instructionsOfHosts)
  }

  /// Returns the instructions of the hosts that a command starts.
  ///
  /// Each host counts its own.
  private func instructionsOfHosts(_ row: Row, size: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let path = try write(row, size: size, to: folder)
    let counter = try #require(counter)
    let host = try folder.write(
      """
      #!/bin/sh
      exec '\(counter.path)' --tool=callgrind --callgrind-out-file=/dev/null \
        --log-file='\(folder.path)/%p.count' '\(Self.program)' "$@"

      """,
      to: "host"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: host)
    let words = [row.command[0], path] + row.command.dropFirst() + ["--host", host]
    let result = try Tool.replay.run(Array(words))
    #expect([0, 1, 65].contains(result.status), "\(result)")
    let counts = try folder.files.filter { $0.hasSuffix(".count") }
      .flatMap { try folder.read($0).matches(of: /Collected : ([0-9]+)/) }
      .compactMap { Int($0.output.1) }
    #expect(!counts.isEmpty, "\(result)")
    return counts.reduce(0, +)
  }

  private func write(_ row: Row, size: Int, to folder: TemporaryFolder) throws -> String {
    let sample = try String(contentsOfFile: "SampleLogs/todos.jsonl", encoding: .utf8)
      .split(separator: "\n").map(String.init)
    return try folder.write(
      row.log.lines(of: size, in: sample).joined(separator: "\n") + "\n",
      to: "a.jsonl"
    )
  }

  private func instructions(_ row: Row, size: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let path = try write(row, size: size, to: folder)
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
