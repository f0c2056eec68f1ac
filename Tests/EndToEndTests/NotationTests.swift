import Foundation
import TestSupport
import Testing

/// Texts for users never contain the log's own form.
@Suite struct NotationTests {
  static let logs = [
    "account", "board", "counter-diverged", "counter", "draft", "inspections", "memos",
    "search-effects",
    "search", "signup", "todos-cut", "todos-trap", "todos",
  ]

  /// Payloads without a label, and wrappers of the library.
  private static let traces = [
    #""_0""#, "_0:", "/_0", "{\"", "presented", ".element", "(element", "\"element\"", "element:",
  ]

  private static let paths = logs.map { "SampleLogs/\($0).jsonl" }

  private func check(_ arguments: [String]) throws {
    let run = try Tool.replay.run(arguments, in: Project.folder)
    #expect([0, 1].contains(run.status), "\(arguments): \(run.error)")
    for trace in Self.traces {
      let line = (run.output + run.error).split(separator: "\n").first { $0.contains(trace) }
      #expect(line == nil, "\(arguments) writes \(trace): \(line ?? "")")
    }
  }

  @Test(arguments: logs)
  func `commands print values of a log in Swift notation`(log: String) throws {
    let path = "SampleLogs/\(log).jsonl"
    try check(["show", path])
    try check(["show", path, "-v"])
    try check(["show", path, "--full"])
    try check(["show", path, "--at", "3"])
    try check(["verify", path])
    try check(["mask", path, "--check"])
    try check(["run", path])
    try check(["bisect", path, "--when", "$.seq == 2"])
  }

  @Test(arguments: [
    ["stats"] + paths, ["run", "--format", "junit"] + paths, ["run", "--format", "github"] + paths,
    ["diff", "SampleLogs/counter.jsonl", "SampleLogs/counter-diverged.jsonl"],
    ["diff", "SampleLogs/search.jsonl", "SampleLogs/search-effects.jsonl"],
    ["diff", "SampleLogs/memos.jsonl", "SampleLogs/board.jsonl"],
    ["blame", "SampleLogs/inspections.jsonl", "sites", "--at", "30"],
    ["blame", "SampleLogs/inspections.jsonl", "destination.add.site.name", "--at", "5"],
    ["show", "SampleLogs/inspections.jsonl", "--path", "path[*].site"],
    ["run", "SampleLogs", "--verbose"],
    ["audit", "SampleLogs/search-effects.jsonl", "--runs", "2", "--seed", "1"],
  ])
  func `comparing and analyzing commands print values in Swift notation`(arguments: [String]) throws
  { try check(arguments) }

  @Test func `show --raw prints the values of the log as JSON`() throws {
    let path = "SampleLogs/inspections.jsonl"
    let raw = try Tool.replay.run("show", path, "--raw", in: Project.folder)
    #expect(raw.output.contains(#"{"destination":{"_0":{"presented":{"_0":{"add":"#))
    #expect(raw.output.contains("/path/0/element/site/_0/destination"))
    let swift = try Tool.replay.run("show", path, in: Project.folder)
    #expect(swift.output.contains(".destination.add.binding.set(\\.site.name, "))
    #expect(swift.output.contains("path[#0].site.destination"))
  }

  @Test func `a path in Swift notation selects the same values as a JSON pointer`() throws {
    let path = "SampleLogs/inspections.jsonl"
    let typed = try Tool.replay.run(
      "show",
      path,
      "--path",
      "destination.add.site.name",
      in: Project.folder
    )
    let pointer = try Tool.replay.run(
      "show",
      path,
      "--path",
      "/destination/add/_0/site/name",
      in: Project.folder
    )
    #expect(typed.output == pointer.output)
    #expect(typed.output.contains("binding.set(\\.site.name, "))
    let ignoring = try Tool.replay.run(
      "run",
      "SampleLogs/counter-diverged.jsonl",
      "--ignore",
      "count",
      in: Project.folder
    )
    #expect(ignoring.status == 0, "\(ignoring.output)")
    #expect(ignoring.error == "")
  }
}
