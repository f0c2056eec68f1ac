import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Lines with several events, because the line feeds between them are missing.
@MainActor @Suite("Glued lines") struct GluedLogTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  /// The lines of a valid log.
  private static var lines: [String] {
    SampleLog.text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [[0], [1], [3], [2, 3], [4, 7], [0, 1, 2, 3, 4]])
  func `verify --repair inserts missing line feeds between events`(feeds: [Int]) async throws {
    let lines = Self.lines
    let glued = lines.enumerated().map { $0.element + (feeds.contains($0.offset) ? "" : "\n") }
    try terminal.folder.write(glued.joined(), to: "a.jsonl")
    let output = terminal.folder.path + "/b.jsonl"
    let result = try await terminal.run("verify", "a.jsonl", "--repair", output)
    #expect(result.status == 1)
    let repaired = try terminal.folder.read("b.jsonl").split(separator: "\n").map(String.init)
    #expect(repaired.dropFirst() == lines.dropFirst())
    #expect(try await terminal.run("verify", "b.jsonl").status == 0)
  }

  @Test func `verify reports that a line contains two events`() async throws {
    var lines = Self.lines
    lines[2] += lines.remove(at: 3)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = try await terminal.run("verify", "a.jsonl")
    #expect(
      result.output == """
        a.jsonl:3: error: line 3 is not one event but 2: the line feeds between them are missing; --repair puts them there
        a.jsonl: 1 problem

        """
    )
  }

  @Test(arguments: [#"{"kind":"read","seq":1,"key":"uuid","valu"#, "x", "1"])
  func `what is not whole is left out as ever`(torn: String) async throws {
    var lines = Self.lines
    lines[3] = torn + lines[3]
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = try await terminal.run("verify", "a.jsonl")
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("a.jsonl:4: error: line 4 is not"))
    #expect(
      result.output.contains("; a whole event follows without a line feed before it\n")
    )
  }

  /// Returns a log whose writer stopped in the middle of an event, and one that continues on the same line.
  private func tornLog(_ rest: [String]) -> String {
    let lines = Self.lines
    let torn = String(lines[3].prefix(30))
    return (lines[..<3] + [torn + rest[0]] + rest.dropFirst()).joined(separator: "\n") + "\n"
  }

  @Test(arguments: [0, 1])
  func `verify --repair resumes at the header or checkpoint after a torn event`(
    first: Int
  ) async throws {
    let rest = Array(Self.lines[first...])
    try terminal.folder.write(tornLog(rest), to: "a.jsonl")
    let output = terminal.folder.path + "/b.jsonl"
    let result = try await terminal.run("verify", "a.jsonl", "--repair", output)
    #expect(result.status == 1)
    let repaired = try terminal.folder.read("b.jsonl").split(separator: "\n").map(String.init)
    #expect(repaired.suffix(Self.lines.count - 1) == Self.lines[1...])
    #expect(try await terminal.run("verify", "b.jsonl").status == 0)
  }

  @Test func `verify --repair keeps the events after a torn note`() async throws {
    var lines = Self.lines
    lines[3] = #"{"kind":"note","seq":0,"te"# + lines[3]
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let output = terminal.folder.path + "/b.jsonl"
    let result = try await terminal.run("verify", "a.jsonl", "--repair", output)
    #expect(result.status == 1)
    let repaired = try terminal.folder.read("b.jsonl").split(separator: "\n").map(String.init)
    #expect(repaired.dropFirst() == Self.lines.dropFirst())
  }
}
