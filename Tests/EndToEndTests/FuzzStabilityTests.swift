import ActionLog
import Foundation
import TestSupport
import Testing

/// Searches for differences between processes, with real processes.
@Suite("Fuzz: what is not deterministic", .serialized)
struct FuzzStabilityTests {
  /// A single item is scanned, so the list of shelves has a fixed order.
  private static let actions = """
    {"scanned":{"name":"milk","shelf":"dairy"}}
    {"shelvesButtonTapped":{}}
    {"bookButtonTapped":{}}
    {"footButtonTapped":{}}
    {"printButtonTapped":{}}
    {"ticketButtonTapped":{}}

    """

  struct Fault: Sendable {
    let action: String
    let place: String
    let reason: String
    let words: String

    var text: String { "\(place) is not deterministic (\(words)), action .\(action)" }
  }

  private static let faults = [
    Fault(
      action: "shelvesButtonTapped",
      place: "shelves",
      reason: "unorderedCollection",
      words: "unordered collection"
    ),
    Fault(action: "bookButtonTapped", place: "day", reason: "timeZone", words: "time zone"),
    Fault(action: "footButtonTapped", place: "language", reason: "locale", words: "locale"),
    Fault(
      action: "printButtonTapped",
      place: "printedAt",
      reason: "clock",
      words: "live date or clock"
    ),
    Fault(
      action: "ticketButtonTapped",
      place: "ticket",
      reason: "random",
      words: "random number"
    ),
  ]

  private static func log(in folder: TemporaryFolder) throws -> String {
    try folder.write(actions, to: "actions")
    let result = try Tool.replay.run(
      ["record", "Receipt", "--actions", "actions", "-o", "receipt.jsonl"],
      in: folder.path
    )
    #expect(result.status == 0, "\(result.error)")
    return "receipt.jsonl"
  }

  private static func fuzz(
    _ arguments: [String],
    in folder: TemporaryFolder
  ) throws -> FuzzResult {
    let result = try Tool.replay.run(
      ["fuzz"] + arguments + ["--format", "json"],
      in: folder.path
    )
    #expect(result.error == "")
    return try FuzzResult(result.output)
  }

  /// Returns a report without parts that may differ between searches with the same seed.
  private static func comparable(_ report: FuzzResult) -> FuzzResult {
    var report = report
    // The number of replayed sequences depends on the states. Those of this feature differ between processes.
    report.stability?.sequences = 0
    for index in report.findings.indices { report.findings[index].log = nil }
    return report
  }

  @Test(
    "fuzz finds every planted instability with any number of hosts, and audit explains its cause"
  )
  func faults() throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(in: folder)
    let search = [log, "--runs", "\(Thoroughness.count(30, thorough: 300))"]
    let report = try Self.fuzz(search + ["--jobs", "1", "-o", "out"], in: folder)
    let other = try Self.fuzz(search + ["--jobs", "3"], in: folder)
    #expect(Self.comparable(other) == Self.comparable(report))
    for report in [report, other] { #expect((report.stability?.sequences ?? 0) > 0) }
    #expect(Set(report.findings.map(\.text)) == Set(Self.faults.map(\.text)))
    #expect(report.findings.allSatisfy { $0.kind == "unstable" && $0.isMinimal })
    // Each log differs in each replay.
    let runs = try (1...2).map { _ in
      try Tool.replay.run("run", "out", in: folder.path).output.split(separator: "\n")
    }
    for fault in Self.faults {
      let finding = try #require(report.findings.first { $0.text == fault.text })
      #expect(finding.reasons == [fault.reason])
      #expect(finding.actions == (fault.place == "shelves" ? 3 : 1))
      let path = try #require(finding.log)
      let verdict = "\(path): diverged at action \(finding.actions): state \(fault.place)"
      for lines in runs { #expect(lines.contains(Substring(verdict)), "\(lines)") }
      let audit = try Tool.replay.run("audit", path, "--format", "json", in: folder.path)
      let places = try JSON(parsing: audit.output.trimmingCharacters(in: .newlines))["places"]
      #expect(places?.array?.count == 1)
      #expect(places?.array?.first?["path"] == .string("/\(fault.place)"))
      #expect(places?.array?.first?["reasons"] == [.string(fault.reason)])
      let test = try folder.read(path.replacing(".jsonl", with: ".swift"))
      #expect(test.contains("/// The fault: \(fault.text).\n"), "\(test)")
    }
  }

  @Test("fuzz reports why a value is unstable, and where its log is")
  func text() throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(in: folder)
    let lines = try folder.read(log).split(separator: "\n")
    // Without the last two actions, which differ between searches.
    let kept = lines.prefix { !$0.contains("printButtonTapped") }.joined(separator: "\n")
    try folder.write(kept + "\n", to: "short.jsonl")
    let result = try Tool.replay.run(
      ["fuzz", "short.jsonl", "--runs", "20", "--seed", "4", "-o", "out"],
      in: folder.path
    )
    #expect(result.status == 1)
    let text = result.output
    let part = try #require(text.firstRange(of: "  day is not"))
    let end = text[part.lowerBound...].firstRange(of: "beside it.\n")?.upperBound ?? text.endIndex
    let finding = text[part.lowerBound..<end]
      .replacing(/after \d+ sequences?/, with: "after N sequences")
    #expect(
      finding == """
          day is not deterministic (time zone), action .bookButtonTapped, with 1 action from outside, after N sequences (17abed725fc4f039)
            action 1  .bookButtonTapped
            time zone: it follows the process's zone; ask the dependency 'timeZone' or 'calendar'
            The log is in out/unstable-17abed725fc4f039.jsonl, a test beside it.

        """
    )
  }

  @Test("fuzz with random sequences finds every planted instability")
  func random() throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(in: folder)
    let report = try Self.fuzz([log, "--runs", "100", "--strategy", "random"], in: folder)
    #expect(Set(report.findings.map(\.text)) == Set(Self.faults.map(\.text)))
  }

  @Test(
    "fuzz finds no instability in a feature that reads everything through dependencies",
    arguments: Thoroughness.isHigh
      ? ["counter", "search", "draft", "exchange", "account", "memos", "todos", "inspections"]
      : ["search", "memos", "todos"]
  )
  func deterministic(name: String) throws {
    let folder = try TemporaryFolder()
    let runs = Thoroughness.count(5, thorough: 20)
    let report = try Self.fuzz([Project.sample("\(name).jsonl"), "--runs", "\(runs)"], in: folder)
    #expect(!report.findings.contains { $0.kind == "unstable" }, "\(report.findings)")
    #expect((1...24).contains(report.stability?.sequences ?? 0))
    #expect(report.stability?.endedBy == nil)
  }
}
