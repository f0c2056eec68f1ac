import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayEngine

/// `blame`: the action that last changed a value.
@MainActor @Suite struct BlameCommandTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    try terminal.folder.write(Self.rows, to: "rows.jsonl")
  }

  /// Rows that are added, changed, moved and removed.
  static let rows = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L2","feature":"Rows"}
    {"kind":"checkpoint","seq":0,"state":{"rows":[{"t":"x"}],"n":1,"m":{"5":"five"}},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"add":{}}}
    {"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/1","value":{"t":"a"}}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"insert":{}}}
    {"kind":"change","seq":2,"patch":[{"op":"add","path":"/rows/0","value":{"t":"b"}},{"op":"replace","path":"/n","value":2}]}
    {"kind":"action","seq":3,"at":3,"origin":{"effect":"2.0"},"action":{"edit":{}}}
    {"kind":"change","seq":3,"patch":[{"op":"replace","path":"/rows/2/t","value":"c"}]}
    {"kind":"action","seq":4,"at":4,"origin":"view","action":{"drop":{}}}
    {"kind":"change","seq":4,"patch":[{"op":"remove","path":"/rows/1"}]}
    {"kind":"action","seq":5,"at":5,"origin":"view","action":{"swap":{}}}
    {"kind":"change","seq":5,"patch":[{"op":"move","from":"/rows/1","path":"/rows/0"}]}
    {"kind":"action","seq":6,"at":6,"origin":"view","action":{"all":{}}}
    {"kind":"change","seq":6,"patch":[{"op":"replace","path":"","value":{"rows":[{"t":"c"},{"t":"b"}],"n":3,"m":{"5":"V"}}}]}
    {"kind":"end","seq":6,"reason":"closed"}
    """#

  @Test func `blame names the action that last changed a value, and the actions that led to it`()
    async throws
  {
    #expect(
      try await terminal.run("blame", "rows.jsonl", "/rows/0/t")
        == .init(
          status: 0,
          output: """
            rows[0].t is "c" after action 6

            last changed by
              action 3  .edit
                sent by effect 2.0 of action 2  .insert
                action 2 sent by the view

              rows[2].t
                − "a"
                + "c"

            """
        )
    )
  }

  @Test(
    arguments: [
      ("/rows/1/t", nil, 2, "/rows/0/t"), ("/rows/1", nil, 2, "/rows/0"),
      ("/rows/1/t", 1, 1, "/rows/1/t"), ("/rows/2", 2, 1, "/rows/1"),
      ("/rows/2", 3, 3, "/rows/2"), ("/rows", 5, 5, "/rows"), ("/n", nil, 6, "/n"),
      ("/n", 5, 2, "/n"), ("/m/5", nil, 6, "/m/5"), ("", 5, 5, ""), ("", nil, 6, ""),
    ] as [(String, Int?, Int, String)]
  )
  func `blame follows an element that moves`(
    path: String,
    at: Int?,
    seq: Int,
    place: String
  ) async throws {
    let position = at.map { ["--at", String($0)] } ?? []
    let result = try await terminal.run(
      ["blame", "--format", "json", "rows.jsonl", path] + position
    )
    let changed = try JSON(parsing: result.output)["changed"]
    #expect(changed?["seq"]?.int == seq, "\(result)")
    #expect(changed?["path"]?.string == place)
  }

  @Test func `blame reports a value that no action has changed since the first checkpoint`()
    async throws
  {
    #expect(
      try await terminal.run("blame", "rows.jsonl", "/rows/1/t", "--at", "2")
        == .init(
          status: 0,
          output: """
            rows[1].t is "x" after action 2
            as it was in the first checkpoint: no action has changed it

            """
        )
    )
  }

  @Test(
    arguments: [
      (
        ["blame", "rows.jsonl", "/none"], 1,
        "the state after action 6 has nothing at '/none'; the state has \"rows\", \"n\", \"m\"; 'show LOG --path"
          + " /none' shows whether it ever had"
      ),
      (
        ["blame", "rows.jsonl", "/n", "--at", "9"], 1,
        "there is no action 9: the log has actions up to 6"
      ),
      (
        ["blame", "rows.jsonl", "n["], 64,
        "invalid PLACE 'n['; expected a place such as todos[0].title or /todos/0/title; found the end, expected an index, '*', "
          + "'#' and an id, '…' and the end of an id, or a key in quotes, at column 3 of n[\nsee 'tca-replay blame --help'"
      ),
      (["blame", "rows.jsonl"], 64, "'blame' needs PLACE\nsee 'tca-replay blame --help'"),
    ] as [([String], Int32, String)]
  )
  func `blame refuses a path or an action that does not exist, and suggests what exists`(
    arguments: [String],
    status: Int32,
    message: String
  ) async throws {
    #expect(
      try await terminal.run(arguments)
        == .init(status: status, output: "", error: "tca-replay: \(message)\n")
    )
  }
}

/// `blame` reads a log backwards in ranges.
///
/// The boundaries do not affect the result.
@Suite struct BackwardBlameTests {
  private static let paths = ["", "/a", "/rows/0", "/rows/1", "/rows/2", "/text", "/é", "/x~1y~0"]

  @Test(
    "blame finds the same action however the log is divided into stretches",
    arguments: Thoroughness.seeds(3, thorough: 80)
  )
  func stretches(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var lines = RandomLog(seed: seed, actions: 40).lines
    if seed.isMultiple(of: 3) {
      // Lines before a gap are not read.
      let checkpoint = lines.lastIndex { $0.hasPrefix(#"{"kind":"checkpoint""#) } ?? 1
      lines.insert(#"{"kind":"gap","seq":1,"at":1,"dropped":1,"reason":"x"}"#, at: checkpoint)
    }
    // A second log in the file is ignored.
    lines += SampleLog.lines
    let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let log = try LogSlice.slices(of: path, name: "a")[0]
    for text in Self.paths {
      let pointer = try JSON.Pointer(parsing: text)
      for at in [nil, 0, 1, 17, 40, 41] as [Int?] {
        let results = [1, 500, Int.max].map { stretch in
          Result {
            try Blame(
              log: log,
              place: ValuePath(pointer),
              at: at,
              stretch: stretch,
              smallestFile: stretch == .max ? .max : 0
            )
            .run()
          }
        }
        let texts = results.map { result in
          switch result {
          case .success(let found): "\(found)"
          case .failure(let error): "\(error)"
          }
        }
        #expect(
          Set(texts).count == 1,
          "seed \(seed), \(text), \(at.map(String.init) ?? "end"): \(texts)"
        )
      }
    }
  }

  @Test("reading one stretch of a long log reads only the bytes of that stretch")
  func bounds() throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(
      RandomLog(seed: 1, actions: 400).lines.joined(separator: "\n") + "\n",
      to: "a.jsonl"
    )
    let slice = LogSlice(path: log, name: "a")
    let stretches = try LogLineRanges(of: slice, atLeast: 2000)
    let all = stretches.indices(through: .max)
    #expect(all.count > 10)
    var lines: [Int] = []
    for index in all {
      let events = try stretches.events(in: index)
      var bytes = 0
      while let entry = try events() {
        lines.append(entry.line)
        bytes += entry.bytes
      }
      // The read ends at the start of the next line.
      #expect(bytes < 2000 + 4000)
    }
    #expect(lines == Array(1...lines.count))
  }
}
