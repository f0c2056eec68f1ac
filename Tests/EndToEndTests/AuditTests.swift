import ActionLog
import Foundation
import TestSupport
import Testing

/// Audits of real processes, with a feature that makes every mistake.
@Suite("Audit")
struct AuditTests {
  private static let actions = """
    {"scanned":{"name":"milk","shelf":"dairy"}}
    {"scanned":{"name":"bread","shelf":"bakery"}}
    {"scanned":{"name":"apples","shelf":"fruit"}}
    {"scanned":{"name":"soap","shelf":"household"}}
    {"scanned":{"name":"pens","shelf":"paper"}}
    {"shelvesButtonTapped":{}}
    {"printButtonTapped":{}}
    {"ticketButtonTapped":{}}
    {"bookButtonTapped":{}}
    {"footButtonTapped":{}}

    """

  private func audit(_ log: String, _ arguments: String...) throws -> (status: Int32, json: JSON) {
    let result = try Tool.replay.run(["audit", log, "--format", "json"] + arguments)
    #expect(result.error == "")
    return (result.status, try JSON(parsing: result.output.trimmingCharacters(in: .newlines)))
  }

  @Test("audit reports each unstable value with its action, path and reason")
  func namesEachMistake() throws {
    let folder = try TemporaryFolder()
    let log = "\(folder.path)/receipt.jsonl"
    let actions = try folder.write(Self.actions, to: "actions")
    let recorded = try Tool.replay.run("record", "Receipt", "--actions", actions, "-o", log)
    #expect(recorded.status == 0, "\(recorded.error)")
    // Simulates an old recording. Replays within one second agree on the time, but not with the log.
    let text = try String(contentsOfFile: log, encoding: .utf8)
    let aged = text.replacing(/"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d \+0000"/) { _ in
      "\"2020-01-01 00:00:00 +0000\""
    }
    #expect(aged != text)
    try aged.write(toFile: log, atomically: false, encoding: .utf8)

    let first = try audit(log, "--seed", "7")
    #expect(first.status == 1)
    #expect(first.json["stable"] == false)
    #expect(first.json["isSeeded"] == true)
    let places = first.json["places"]?.array ?? []
    var found: [String: [JSON]] = [:]
    for place in places {
      found["\(place["seq"] ?? "") \(place["path"]?.string ?? "")"] = place["reasons"]?.array
    }
    #expect(
      found == [
        "6 /shelves": ["unorderedCollection"],
        "7 /printedAt": ["clock"],
        "8 /ticket": ["random"],
        "9 /day": ["timeZone"],
        "10 /language": ["locale"],
      ]
    )
    // The same seed gives the same orders. Only nondeterministic values differ.
    let second = try audit(log, "--seed", "7")
    let shelves = { (json: JSON) in
      json["places"]?.array?.first { $0["path"] == "/shelves" }?["values"]
    }
    #expect(shelves(first.json) == shelves(second.json))
  }

  @Test(
    "audit finds no unstable value in a feature that reads everything through dependencies",
    arguments: ["todos", "search", "draft"]
  )
  func stable(name: String) throws {
    let result = try audit(Project.sample("\(name).jsonl"), "--runs", "10")
    #expect(result.status == 0)
    #expect(result.json["places"] == [])
  }

  @Test("audit succeeds for a log that traps in every replay")
  func traps() throws {
    let result = try audit(Project.sample("todos-trap.jsonl"), "--runs", "4")
    #expect(result.status == 0)
  }
}
