import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayEngine

/// Dictionaries whose keys look like the indexes of elements, in commands that take paths.
@MainActor @Suite("Keys that look like numbers") struct NumericKeyTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    for (name, prefix) in [("numbers.jsonl", ""), ("names.jsonl", "k")] {
      try terminal.folder.write(Self.log(prefix), to: name)
    }
  }

  /// Returns a log of a dictionary, and of rows that contain one, with keys that start with a prefix.
  static func log(_ prefix: String) -> String {
    #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L2","feature":"Votes","stateType":"Votes.State"}
    {"kind":"checkpoint","seq":0,"state":{"votes":{},"rows":[]},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"voted":{"id":16}}}
    {"kind":"change","seq":1,"patch":[{"op":"add","path":"/votes/\#(prefix)16","value":1}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"voted":{"id":16}}}
    {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/votes/\#(prefix)16","value":2}]}
    {"kind":"action","seq":3,"at":3,"origin":"view","action":{"voted":{"id":7}}}
    {"kind":"change","seq":3,"patch":[{"op":"add","path":"/votes/\#(prefix)7","value":1}]}
    {"kind":"action","seq":4,"at":4,"origin":"view","action":{"added":{}}}
    {"kind":"change","seq":4,"patch":[{"op":"add","path":"/rows/0","value":{"\#(prefix)3":"a"}}]}
    {"kind":"action","seq":5,"at":5,"origin":"view","action":{"added":{}}}
    {"kind":"change","seq":5,"patch":[{"op":"add","path":"/rows/0","value":{"\#(prefix)3":"b"}}]}
    {"kind":"action","seq":6,"at":6,"origin":"view","action":{"closed":{}}}
    {"kind":"change","seq":6,"patch":[{"op":"remove","path":"/votes/\#(prefix)7"},{"op":"add","path":"/rows/1/\#(prefix)1","value":"c"}]}
    {"kind":"end","seq":6,"reason":"closed"}
    """#
  }

  /// A path, the action after which it is examined, and the action that changed it.
  nonisolated static let places: [(place: String, at: Int, action: Int)] = [
    (#"votes["P16"]"#, 1, 1), (#"votes["P16"]"#, 2, 2), (#"votes["P16"]"#, 3, 2),
    (#"votes["P16"]"#, 6, 2), ("/votes/P16", 6, 2), (#"votes["P7"]"#, 5, 3),
    (#"rows[0]["P3"]"#, 4, 4), (#"rows[1]["P3"]"#, 6, 4), (#"rows[0]["P3"]"#, 6, 5),
    (#"rows[1]["P1"]"#, 6, 6),
  ]

  @Test(arguments: places)
  func `blame finds the same action for dictionary keys that are numbers as for other keys`(
    place: String,
    at: Int,
    action: Int
  ) async throws {
    for (name, prefix) in [("numbers.jsonl", ""), ("names.jsonl", "k")] {
      let place = place.replacing("P", with: prefix)
      let result = try await terminal.run("blame", name, place, "--at", "\(at)", "--format", "json")
      let changed = try JSON(parsing: result.output)["changed"]
      #expect(changed?["seq"]?.int == action, "\(place) in \(name)")
    }
  }

  @Test func `blame prints dictionary keys that are numbers in quotation marks`() async throws {
    let result = try await terminal.run("blame", "numbers.jsonl", #"rows[1]["3"]"#)
    #expect(
      result
        == .init(
          status: 0,
          output: """
            rows[1]["3"] is "a" after action 6

            last changed by
              action 4  .added
                sent by the view

              rows[0]["3"]
                + "a"

            """
        )
    )
  }

  @Test func `bisect suggests a dictionary key that is a number in quotation marks`() async throws {
    let result = try await terminal.run(
      "bisect",
      "numbers.jsonl",
      "--when",
      #"$.state.rows[0]["4"] == 'a'"#
    )
    #expect(
      result.error == """
        tca-replay: --when: no state of the log has anything at '$.state.rows[0]["4"]'; did you mean '$.state.rows[0]["3"]'?

        """
    )
  }

  @Test
  func `mask --check prints keys that are numbers in quotation marks, and mask accepts that form`()
    async throws
  {
    let places = try await terminal.run("mask", "numbers.jsonl", "--check").output
    for place in [#"votes["16"]"#, #"votes["7"]"#, #"rows[*]["3"]"#, #"rows[*]["1"]"#] {
      #expect(places.contains("\n  \(place) "), "\(places)")
    }
    let output = terminal.folder.path + "/masked.jsonl"
    let result = try await terminal.run(
      "mask",
      "numbers.jsonl",
      "--path",
      #"rows[*]["3"]"#,
      "-o",
      output
    )
    #expect(result == .init(status: 0, output: ""))
    let masked = try terminal.folder.read("masked.jsonl")
    #expect(!masked.contains(#""3":"a""#))
    #expect(!masked.contains(#""3":"b""#))
    #expect(masked.contains(#""path":"/rows/1/1","value":"c""#))
  }

  @Test func `run --ignore with a dictionary key in the path does not match another key`() throws {
    func missing(_ place: String) throws -> Bool {
      let place = try ValuePath(parsing: place)
      let places = UnmatchedIgnoredPaths.IgnoredPath.places(place, source: .option)
      let paths = UnmatchedIgnoredPaths(places)
      let path = terminal.folder.path + "/numbers.jsonl"
      paths.scan(through: LogSlice(path: path, name: path), until: .max, matched: [])
      return !paths.missing.places.isEmpty
    }
    #expect(try !missing(#"votes["7"]"#))
    #expect(try missing(#"votes["8"]"#))
    #expect(try !missing(#"rows[0]["3"]"#))
    #expect(try missing(#"rows[0]["5"]"#))
    // An element moves.
    #expect(try !missing(#"rows[1]["1"]"#))
  }
}
