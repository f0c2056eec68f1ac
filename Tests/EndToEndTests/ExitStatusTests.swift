import Foundation
import TestSupport
import Testing

/// The statuses that `Documentation/CI.md` promises to scripts.
@Suite struct ExitStatusTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let status: Int32
    let arguments: [String]
    var testDescription: String { "\(status): \(arguments.joined(separator: " "))" }
  }

  static let cases: [Case] = [
    Case(status: 0, arguments: ["run", sample("todos")]),
    Case(status: 0, arguments: ["run", sample("counter-diverged"), "--expected"]),
    Case(status: 0, arguments: ["verify", sample("todos")]),
    Case(status: 0, arguments: ["stats", sample("todos")]),
    Case(status: 0, arguments: ["blame", sample("counter"), "/count"]),
    Case(status: 0, arguments: ["migrate", sample("counter")]),
    Case(status: 0, arguments: ["test", sample("counter")]),
    Case(status: 0, arguments: ["mask", sample("todos"), "--path", "/todos/*/title"]),
    Case(status: 0, arguments: ["mask", sample("todos"), "--check"]),
    Case(status: 1, arguments: ["mask", sample("todos"), "--path", "/none"]),
    Case(status: 1, arguments: ["run", sample("counter-diverged"), "--continue"]),
    Case(status: 1, arguments: ["run", sample("counter-diverged")]),
    Case(status: 1, arguments: ["run", sample("counter"), sample("counter-diverged")]),
    Case(status: 1, arguments: ["diff", sample("counter"), sample("todos")]),
    Case(status: 1, arguments: ["blame", sample("counter"), "/none"]),
    Case(status: 1, arguments: ["show", sample("counter"), "--at", "9999"]),
    Case(status: 64, arguments: []),
    Case(status: 64, arguments: ["rum"]),
    Case(status: 64, arguments: ["run", sample("counter"), "--jobs", "none"]),
    Case(status: 65, arguments: ["run", "rubbish.jsonl"]),
    Case(status: 65, arguments: ["run", sample("counter"), "rubbish.jsonl"]),
    Case(status: 65, arguments: ["run", "headless.jsonl"]),
    Case(status: 64, arguments: ["mask", sample("todos")]),
    Case(status: 65, arguments: ["verify", "rubbish.jsonl"]),
    Case(status: 65, arguments: ["mask", "rubbish.jsonl", "--check"]),
    Case(status: 66, arguments: ["run", "nowhere.jsonl"]),
    Case(status: 66, arguments: ["run", "empty"]),
    Case(status: 69, arguments: ["run", sample("counter"), "--host", "/nowhere"]),
    Case(status: 69, arguments: ["run", sample("counter"), "--host", "/bin/cat"]),
    Case(status: 69, arguments: ["run", "unknown.jsonl"]),
    Case(
      status: 73,
      arguments: ["mask", sample("todos"), "--path", "/todos", "-o", "/nowhere/todos.jsonl"]
    ),
    Case(status: 73, arguments: ["test", sample("counter"), "-o", "/nowhere/Test.swift"]),
    Case(status: 73, arguments: ["run", sample("counter"), "--junit", "/nowhere/results.xml"]),
  ]

  private static func sample(_ name: String) -> String { Project.sample("\(name).jsonl") }

  @Test(arguments: cases)
  func statusesAreThoseThatArePromised(testCase: Case) throws {
    let folder = try TemporaryFolder()
    try folder.write("rubbish\n", to: "rubbish.jsonl")
    let counter = try String(contentsOfFile: Self.sample("counter"), encoding: .utf8)
    try folder.write(
      counter.replacing("\"Counter\"", with: "\"Unknown\"")
        .replacing("\"Counter.State\"", with: "\"Unknown.State\""),
      to: "unknown.jsonl"
    )
    let lines = counter.split(separator: "\n")
    try folder.write(
      lines.filter { !$0.contains("checkpoint") }.map { "\($0)\n" }.joined(),
      to: "headless.jsonl"
    )
    try FileManager.default.createDirectory(
      atPath: folder.path + "/empty",
      withIntermediateDirectories: false
    )
    let result = try Tool.replay.run(testCase.arguments, in: folder.path)
    #expect(result.status == testCase.status, "\(result.output)\(result.error)")
    #expect(!result.isSignal)
    // What is not a result says why on standard error or in the result's place.
    #expect(testCase.status == 0 || !(result.output + result.error).isEmpty)
  }

  @Test func aFullDeviceIsAFailedWrite() throws {
    guard FileManager.default.isWritableFile(atPath: "/dev/full") else { return }
    let shell = "\"$0\" show \"$1\" >/dev/full"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", shell, Tool.replay.path, Self.sample("todos")]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
  }
}
