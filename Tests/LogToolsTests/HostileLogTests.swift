import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Commands that read a log reach its end, or refuse it with status 65 and a message.
@MainActor @Suite struct HostileLogTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  struct Row: Sendable, CustomTestStringConvertible {
    let log: HostileLog
    let size: Int
    /// The status of most commands for a refused log, and their message.
    let status: Int32
    let refusal: String
    var testDescription: String { "\(size) \(log)" }
  }

  nonisolated static let rows: [Row] = [
    Row(log: .nestedEffects, size: 64, status: 0, refusal: ""),
    Row(log: .nestedEffects, size: 250, status: 0, refusal: ""),
    Row(
      log: .wrongNestedEffects,
      size: 64,
      status: 65,
      refusal:
        "line 4 is not a log event: event 'effect description' has 5 as 'priority'; expected a string"
    ),
    Row(log: .unknownMembersOfGroups, size: 64, status: 0, refusal: ""),
    Row(
      log: .copies,
      size: 40,
      status: 65,
      refusal:
        #"{"op":"copy","from":"/a","path":"/a/-"}, would make copies of more than 4 MiB in the state"#
    ),
    Row(
      log: .copiesByAction,
      size: 40,
      status: 65,
      refusal:
        #"{"op":"copy","from":"/a","path":"/a/-"}, would make copies of more than 4 MiB in the state"#
    ),
    Row(log: .moves, size: 500, status: 0, refusal: ""),
    Row(
      log: .moves,
      size: 600,
      status: 65,
      refusal:
        #"{"op":"move","from":"/c","path":"/a/n"}, would nest the state in more than 511 levels"#
    ),
    Row(
      log: .longPath,
      size: 100_000,
      status: 65,
      refusal: "line 4 is not a log event: event 'change' has "
    ),
    Row(log: .removals, size: 2000, status: 0, refusal: ""),
    Row(log: .removalsByAction, size: 500, status: 0, refusal: ""),
  ]

  @Test(.timeLimit(.minutes(30)), arguments: rows)
  func `each command accepts a hostile log, or refuses it with the expected reason`(
    row: Row
  ) async throws {
    let text = row.log.lines(of: row.size).joined(separator: "\n") + "\n"
    try terminal.folder.write(text, to: "a.jsonl")
    let masked = terminal.folder.path + "/b.jsonl"
    for command in [
      ["show", "a.jsonl"], ["show", "a.jsonl", "--at", "1"],
      ["mask", "a.jsonl", "--path", "/b", "--allow-unmatched", "-o", masked, "--force"],
    ] {
      let result = try await terminal.run(command)
      // The state after the first of many copies is small.
      if row.log == .copiesByAction, command.contains("--at") { continue }
      #expect(result.status == row.status, "\(command): \(result.error)")
      #expect(result.error.contains(row.refusal), "\(command): \(result.error)")
    }
    for command in [
      ["verify", "a.jsonl"], ["stats", "a.jsonl"], ["blame", "a.jsonl", "a"], ["run", "a.jsonl"],
      ["diff", "a.jsonl", "a.jsonl"], ["coverage", "a.jsonl"], ["test", "a.jsonl"],
      ["trace", "a.jsonl", "-o", "/dev/null"], ["view", "a.jsonl", "-o", "/dev/null"],
      ["debug", "a.jsonl", "--batch", "-ex", "goto end"],
    ] {
      let result = try await terminal.run(command)
      #expect([0, 1, 65].contains(result.status), "\(command): \(result)")
      #expect(result.status == 0 || !(result.output + result.error).isEmpty, "\(command)")
    }
  }
}
