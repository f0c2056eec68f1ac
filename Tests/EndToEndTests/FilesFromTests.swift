import Foundation
import TestSupport
import Testing

/// `run --files-from - --results -`: a program passes one log at a time, and reads each result before the next log.
@Suite struct FilesFromTests {
  private struct Line: Decodable {
    let log: String
    let verdict: String
  }

  @Test("run --files-from writes each result before the next name arrives")
  func lockstep() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.replay.path)
    process.arguments = ["run", "--files-from", "-", "--results", "-", "--jobs", "2"]
    let (input, output, error) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = error
    try process.run()
    var rest = Data()
    func answer() throws -> Line {
      while !rest.contains(0x0A) {
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty, "it ended without an answer")
        rest += more
      }
      let line = rest.prefix { $0 != 0x0A }
      rest = rest.dropFirst(line.count + 1)
      return try JSONDecoder().decode(Line.self, from: line)
    }
    let cases = [
      ("counter.jsonl", "identical"), ("counter-diverged.jsonl", "diverged"),
      ("todos-trap.jsonl", "trapReproduced"), ("none.jsonl", "missing"),
      ("counter.jsonl", "identical"),
    ]
    for (number, (name, verdict)) in cases.enumerated() {
      let line = #"{"path":"\#(Project.sample(name))","log":"log \#(number)"}"#
      input.fileHandleForWriting.write(Data("\(line)\n".utf8))
      let found = try answer()
      #expect(found.log == "log \(number)")
      #expect(found.verdict == verdict)
    }
    try input.fileHandleForWriting.close()
    let report = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 66)
    // Output for users does not mix with the results.
    #expect(rest.isEmpty)
    #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
    #expect(report.hasPrefix("log 0: identical, through action 12\nlog 1: diverged at action 3"))
    #expect(report.hasSuffix("5 logs, 2 failed\n"))
  }

  @Test("run --results - fails with 74 when standard output is closed")
  func closed() throws {
    let result = try Tool.shell.run(
      "-c",
      "'\(Tool.replay.path)' run '\(Project.sample("counter.jsonl"))' --results - >&-"
    )
    #expect(result.status == 74)
    #expect(result.error.contains("standard output"))
  }
}
