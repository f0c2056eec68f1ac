import ActionLog
import Foundation
import TestSupport
import Testing

/// Logs that are long enough to be divided by the built tool.
@Suite("Stretches of long logs", .serialized) struct StretchTests {
  private let place: WorkPlace

  init() throws { place = try WorkPlace() }

  /// Writes a log of a list whose filter changes.
  ///
  /// It has a checkpoint in each megabyte and consists mostly of notes. It is just long enough for two stretches.
  private func write(to name: String, _ change: (inout [String]) -> Void = { _ in }) throws {
    let note = String(repeating: "note ", count: 200_000)
    var lines = [
      #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"Todos","stateType":"Todos.State","#
        + #""startedAt":"2026-01-01T00:00:00Z","recorder":"0.2.0","environment":{},"segment":1}"#
    ]
    func checkpoint(_ seq: Int, _ filter: String) {
      lines.append(
        #"{"kind":"checkpoint","seq":\#(seq),"state":{"todos":[],"filter":"\#(filter)","isSaving":false,"saveError":null,"#
          + #""titles":{}},"effects":[]}"#
      )
    }
    checkpoint(0, "all")
    for seq in 1...17 {
      let filter = seq % 2 == 0 ? "active" : "completed"
      lines += [
        #"{"kind":"action","seq":\#(seq),"at":\#(seq),"origin":"view","action":{"filterPicked":{"_0":"\#(filter)"}}}"#,
        #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"/filter","value":"\#(filter)"}]}"#,
        #"{"kind":"note","seq":\#(seq),"at":\#(seq),"text":"\#(note)"}"#,
      ]
      checkpoint(seq, filter)
    }
    lines.append(#"{"kind":"end","seq":17,"reason":"closed"}"#)
    change(&lines)
    try place.work.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  /// Returns a host that counts its requests to serve.
  private func countingHost() throws -> String {
    try place.work.script(
      """
      [ "$1" = serve ] && echo x >> '\(place.work.path)/starts'
      exec '\(Tool.replay.path)' "$@"

      """,
      named: "host"
    )
  }

  private func starts() throws -> Int {
    defer { try? FileManager.default.removeItem(atPath: place.work.path + "/starts") }
    return try place.work.read("starts").split(separator: "\n").count
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: Int32
    let output: String
    /// The replacement in the line that contains a text.
    var change: (line: String, from: String, to: String)?
    /// The number of serving hosts: two for ranges, one for an undivided log.
    let starts: Int
  }

  static let cases = [
    Case(
      testDescription: "the same",
      status: 0,
      output: "a.jsonl: identical, through action 17\n",
      starts: 2
    ),
    Case(
      testDescription: "another change",
      status: 1,
      output: "a.jsonl: diverged at action 15: state filter\n",
      change: (#""kind":"change","seq":15,"#, #""value":"completed""#, #""value":"all""#),
      starts: 3
    ),
    Case(
      testDescription: "a trap",
      status: 1,
      output: "a.jsonl: trapped at action 15",
      change: (
        #""kind":"action","seq":15,"#, #"{"filterPicked":{"_0":"completed"}}"#,
        #"{"deleted":{"at":9}}"#
      ),
      starts: 3
    ),
    Case(
      testDescription: "no end",
      status: 0,
      output: "a.jsonl: cut after action 17, the same as far as it goes\n",
      change: (#""kind":"end""#, #""kind":"end""#, #""kind":"note","at":1,"text":"""#),
      starts: 1
    ),
  ]

  @Test(arguments: cases)
  func `run prints the same for a long log with and without stretches`(testCase: Case) throws {
    try write(to: "a.jsonl") { lines in
      guard let change = testCase.change else { return }
      for index in lines.indices where lines[index].contains(change.line) {
        lines[index].replace(change.from, with: change.to)
      }
    }
    let host = try countingHost()
    func run(_ arguments: String...) throws -> Tool.Result {
      try Tool.replay.run(
        arguments,
        environment: place.environment,
        in: place.work.path
      )
    }
    let result = try run("run", "a.jsonl", "--host", host, "--jobs", "2")
    #expect(result.status == testCase.status)
    #expect(result.output.hasPrefix(testCase.output), "\(result.output) \(result.error)")
    #expect(try starts() == testCase.starts)
    let serial = try run("run", "a.jsonl", "--host", host, "--jobs", "2", "--serial")
    #expect(try starts() == 1)
    #expect(serial.output == result.output)
    #expect(serial.error == result.error)
    #expect(serial.status == result.status)
    // Commands that do not replay the log treat one with another change or a trap like the first.
    guard testCase.status == 0 else { return }
    for command in ["verify", "stats"] {
      let (stretched, serial) = (
        try run(command, "a.jsonl"), try run(command, "a.jsonl", "--serial")
      )
      #expect(stretched.output == serial.output)
      #expect(stretched.status == serial.status)
    }
  }

  @Test("an interrupted run ends the hosts that replay stretches of a long log")
  func interrupt() throws {
    try write(to: "a.jsonl")
    let sign = place.sign()
    let host = try place.work.script(
      """
      [ "$1" = serve ] || exit 64
      read -r greeting
      echo "{\\"to\\":0,${greeting#?}"
      read -r request
      case "$request" in *'"from"'*) ;; *) echo x > '\(sign.path)' ;; esac
      sleep 1000

      """,
      named: "host"
    )
    let tool = try place.start(["run", "a.jsonl", "--jobs", "2", "--host", host])
    try sign.wait()
    #expect(tool.interrupt(by: SIGINT))
    #expect(tool.output == "0 logs, none passed, 1 not replayed; interrupted by SIGINT\n")
    #expect(tool.error == "tca-replay: interrupted by SIGINT: the result is partial\n")
    #expect(place.processesAtLast().isEmpty)
    #expect(try place.leftovers().isEmpty)
  }
}
