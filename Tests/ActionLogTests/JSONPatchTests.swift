import ActionLog
import Foundation
import TestSupport
import Testing

@Suite("JSON Patch")
struct JSONPatchTests {
  @Test(
    "makes the patch that a reader expects",
    arguments: [
      (#"{"a":1}"#, #"{"a":2}"#, #"[{"op":"replace","path":"/a","value":2}]"#),
      (#"{"a":1}"#, #"{}"#, #"[{"op":"remove","path":"/a"}]"#),
      (#"{}"#, #"{"a~/b":1}"#, #"[{"op":"add","path":"/a~0~1b","value":1}]"#),
      ("[1,2,3]", "[0,1,2,3]", #"[{"op":"add","path":"/0","value":0}]"#),
      ("[1,2,3]", "[1,3]", #"[{"op":"remove","path":"/1"}]"#),
      ("[1,2,3]", "[1,2,3,4]", #"[{"op":"add","path":"/3","value":4}]"#),
      (
        #"[{"x":1},{"x":2}]"#, #"[{"x":1},{"x":3}]"#, #"[{"op":"replace","path":"/1/x","value":3}]"#
      ),
      ("[]", "{}", #"[{"op":"replace","path":"","value":{}}]"#),
      ("1", "1.0", "[]"),
    ]
  )
  func difference(old: String, new: String, patch: String) throws {
    let made = JSON.Patch(from: try JSON(parsing: old), to: try JSON(parsing: new))
    #expect(made.json.description == patch)
  }

  @Test("turns any value into any other", arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      let old = JSON.random(depth: 4, using: &random)
      let new = JSON.random(depth: 4, using: &random)
      var value = old
      try JSON.Patch(json: JSON.Patch(from: old, to: new).json).apply(to: &value)
      #expect(value == new, "seed \(seed)")
    }
  }

  @Test(
    "names the operation that cannot be applied, and changes nothing",
    arguments: [
      (
        #"[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/x"}]"#,
        #"operation 1, {"op":"remove","path":"/x"}, finds no value at '/x'"#
      ),
      (
        #"[{"op":"replace","path":"/a/5","value":1}]"#,
        #"operation 0, {"op":"replace","path":"/a/5","value":1}, finds no such index in the array at '/a/5'"#
      ),
      (
        #"[{"op":"test","path":"/a","value":1}]"#,
        #"operation 0, {"op":"test","path":"/a","value":1}, finds [1] instead"#
      ),
      (
        #"[{"op":"move","from":"/a","path":"/a/0"}]"#,
        #"operation 0, {"op":"move","from":"/a","path":"/a/0"}, would move a value into itself"#
      ),
    ]
  )
  func refuses(patch: String, message: String) throws {
    var value: JSON = ["a": [1]]
    let patch = try JSON.Patch(json: JSON(parsing: patch))
    #expect {
      try patch.apply(to: &value)
    } throws: {
      String(describing: $0) == message
    }
    #expect(value == ["a": [1]])
  }

  static let suites = ["json-patch-tests.json", "json-patch-spec_tests.json"]

  @Test(
    "agrees with the public suite of RFC 6902",
    .enabled(if: ProcessInfo.processInfo.environment["CONFORMANCE_DIR"] != nil),
    arguments: suites
  )
  func conformance(file: String) throws {
    let folder = try #require(ProcessInfo.processInfo.environment["CONFORMANCE_DIR"])
    let data = try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(file))
    let cases = try #require(JSON(parsing: data).array)
    var ran = 0
    for test in cases where test["disabled"]?.bool != true {
      guard var value = test["doc"], let patch = test["patch"] else { continue }
      let comment = Comment(rawValue: test["comment"]?.string ?? patch.description)
      ran += 1
      if test["error"] == nil {
        try JSON.Patch(json: patch).apply(to: &value)
        #expect(value == test["expected"] ?? value, comment)
      } else {
        #expect(throws: (any Error).self, comment) {
          try JSON.Patch(json: patch).apply(to: &value)
        }
      }
    }
    #expect(ran > 10)
  }
}

@Suite("JSON Pointer")
struct JSONPointerTests {
  @Test(
    "reads and writes the string form of RFC 6901",
    arguments: [
      ("", []), ("/", [""]), ("/a/b", ["a", "b"]), ("/a~1b/m~0n", ["a/b", "m~n"]),
      ("/~01", ["~1"]), ("//", ["", ""]),
    ] as [(String, [String])]
  )
  func stringForm(text: String, tokens: [String]) throws {
    let pointer = try JSON.Pointer(parsing: text)
    #expect(pointer.tokens == tokens)
    #expect(pointer.description == text)
  }

  @Test(
    "refuses what is no pointer",
    arguments: [
      ("a", "'a' is not a JSON Pointer (RFC 6901): it begins with '/' or is empty"),
      ("/~", "'/~' is not a JSON Pointer (RFC 6901): '~' is followed by '0' or '1'"),
      ("/~2", "'/~2' is not a JSON Pointer (RFC 6901): '~' is followed by '0' or '1'"),
    ]
  )
  func refuses(text: String, message: String) {
    #expect {
      try JSON.Pointer(parsing: text)
    } throws: {
      String(describing: $0) == message
    }
  }

  @Test(
    "leads to the examples of RFC 6901, section 5",
    arguments: [
      ("/foo/0", "\"bar\""), ("/a~1b", "1"), ("/m~0n", "8"), ("/ ", "7"), ("/", "0"),
      ("/foo/00", nil),
      ("/foo/2", nil), ("/none", nil),
    ] as [(String, String?)]
  )
  func leads(text: String, value: String?) throws {
    let document = try JSON(
      parsing: #"{"foo":["bar","baz"],"":0,"a/b":1," ":7,"m~n":8}"#
    )
    #expect(document[try JSON.Pointer(parsing: text)]?.description == value)
  }
}
