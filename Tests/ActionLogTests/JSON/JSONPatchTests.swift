import Foundation
import TestSupport
import Testing

@testable import ActionLog

@Suite("JSON Patch")
struct JSONPatchTests {
  @Test(
    "A patch between two values is the smallest that keeps structures readable",
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
      // Cases in which replacing the entire value is shorter.
      (#"{"a":[]}"#, #"{"a":[1,2]}"#, #"[{"op":"replace","path":"/a","value":[1,2]}]"#),
      (#"{"a":[]}"#, #"{"a":[1]}"#, #"[{"op":"add","path":"/a/0","value":1}]"#),
      (#"{"a":[1,2]}"#, #"{"a":[]}"#, #"[{"op":"replace","path":"/a","value":[]}]"#),
      (#"{"a":[1,2]}"#, #"{"a":[3,4]}"#, #"[{"op":"replace","path":"/a","value":[3,4]}]"#),
      (
        #"{"a":{}}"#, #"{"a":{"b":1,"c":2}}"#,
        #"[{"op":"replace","path":"/a","value":{"b":1,"c":2}}]"#
      ),
      // Members of a structure stay readable.
      (
        #"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":3,"c":4}}"#,
        #"[{"op":"replace","path":"/a/b","value":3},{"op":"replace","path":"/a/c","value":4}]"#
      ),
    ]
  )
  func difference(old: String, new: String, patch: String) throws {
    let made = JSON.Patch(from: try JSON(parsing: old), to: try JSON(parsing: new))
    #expect(made.json.description == patch)
  }

  @Test("A patch turns any random value into any other", arguments: [1, 2, 3] as [UInt64])
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
    "A patch that fails names the failed operation and leaves the value unchanged",
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
    "Applying a JSON Patch agrees with the public suite of RFC 6902",
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
    "A JSON Pointer reads and writes the string form of RFC 6901",
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
    "A JSON Pointer refuses texts without a leading slash or with an invalid escape",
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
    "A JSON Pointer finds the values of the examples of RFC 6901, section 5",
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

@Suite("A splice")
struct SpliceTests {
  private static let long = String(repeating: "0123456789abcdef", count: 128)

  @Test(
    "A splice covers only the changed part of a long text",
    arguments: [
      ("appended", long + "!", 2048, 0, "!"),
      ("put in front", "¡" + long, 0, 0, "¡"),
      ("put between", long.replacing("9abc", with: "9–abc", maxReplacements: 1), 10, 0, "–"),
      ("removed", String(long.dropLast(3)), 2045, 3, ""),
      ("replaced", "ß" + long.dropFirst(), 0, 1, "ß"),
    ]
  )
  func parts(name: String, new: String, offset: Int, removed: Int, inserted: String) throws {
    let splice = try #require(JSON.Patch.Splice(from: Self.long, to: new))
    #expect(
      splice == JSON.Patch.Splice(offset: offset, removedCount: removed, inserted: inserted)
    )
    #expect(try splice.applied(to: Self.long) == new)
  }

  @Test(
    "A patch has no splice for texts under 1 KB or if most of the new text differs",
    arguments: [
      (String(repeating: "a", count: 1023), String(repeating: "a", count: 1024)),
      (long, String(repeating: "b", count: 2048)),
      (long, "short"),
    ]
  )
  func whole(old: String, new: String) {
    #expect(JSON.Patch.Splice(from: old, to: new) == nil)
  }

  @Test("A splice does not cut a Unicode scalar in two")
  func scalars() throws {
    // Scalars that share their first bytes, their last bytes, or neither.
    let parts = ["é", "è", "ę", "€", "₭", "😀", "😁", "🙀", "e\u{301}", "a", "\u{301}"]
    for old in parts {
      for new in parts {
        let (head, tail) = (Self.long + "é", "é" + Self.long)
        let (before, after) = (head + old + tail, head + new + tail)
        guard let splice = JSON.Patch.Splice(from: before, to: after) else {
          Issue.record("no splice from \(old) to \(new)")
          continue
        }
        #expect(try splice.applied(to: before).hasSameBytes(as: after), "\(old) to \(new)")
      }
    }
  }

  @Test("A splice of random texts produces the new text, and is undone if a later operation fails")
  func random() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SplitMix64(seed: seed)
    let alphabet = ["a", "b", "\n", "\"", "\\", "é", "e\u{301}", "😀", "\u{200D}", "👩‍👩‍👧", "0"]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
    }
    for _ in 0..<300 {
      let (head, tail) = (text(Int.random(in: 0..<1500, using: &generator)), text(800))
      let old = head + text(Int.random(in: 0..<20, using: &generator)) + tail
      let new = head + text(Int.random(in: 0..<20, using: &generator)) + tail
      let (before, after): (JSON, JSON) = (["a": [.string(old)]], ["a": [.string(new)]])
      let patch = JSON.Patch(from: before, to: after, splices: true)
      var value = before
      try JSON.Patch(json: JSON(parsing: patch.json.description.utf8)).apply(to: &value)
      #expect(value["a"]?.array?.first?.string?.hasSameBytes(as: new) == true, "seed \(seed)")
      // A patch that fails at a later operation is rolled back.
      let missing = JSON.Patch(patch.operations + [.remove(JSON.Pointer(["none"]))])
      value = before
      #expect(throws: JSON.Patch.ApplyError.self) { try missing.apply(to: &value) }
      #expect(value["a"]?.array?.first?.string?.hasSameBytes(as: old) == true, "seed \(seed)")
    }
  }

  @Test(
    "A splice that does not fit the text reports why and leaves the value unchanged",
    arguments: [
      (
        #"{"op":"splice","path":"/n","at":0,"remove":0,"insert":"x"}"#,
        #"operation 0, {"op":"splice","path":"/n","at":0,"remove":0,"insert":"x"}, finds 1 instead of a text"#
      ),
      (
        #"{"op":"splice","path":"/t","at":2,"remove":3,"insert":""}"#,
        #"operation 0, {"op":"splice","path":"/t","at":2,"remove":3,"insert":""}, cannot remove 3 bytes at byte 2 of a text of 4 bytes, or would cut a character"#
      ),
      (
        #"{"op":"splice","path":"/t","at":4,"remove":9223372036854775807,"insert":""}"#,
        #"operation 0, {"op":"splice","path":"/t","at":4,"remove":9223372036854775807,"insert":""}, cannot remove 9223372036854775807 bytes at byte 4 of a text of 4 bytes, or would cut a character"#
      ),
      (
        #"{"op":"splice","path":"/t","at":1,"remove":1,"insert":""}"#,
        #"operation 0, {"op":"splice","path":"/t","at":1,"remove":1,"insert":""}, cannot remove 1 byte at byte 1 of a text of 4 bytes, or would cut a character"#
      ),
      (
        #"{"op":"splice","path":"/none","at":0,"remove":0,"insert":""}"#,
        #"operation 0, {"op":"splice","path":"/none","at":0,"remove":0,"insert":""}, finds no value at '/none'"#
      ),
    ]
  )
  func misfits(text: String, message: String) throws {
    let state: JSON = ["n": 1, "t": "aéb"]
    var value = state
    let patch = try JSON.Patch(json: [JSON(parsing: text.utf8)])
    let error = #expect(throws: JSON.Patch.ApplyError.self) { try patch.apply(to: &value) }
    #expect(error?.description == message)
    #expect(value == state)
  }

  @Test(
    "Parsing a splice fails if a member is missing or negative",
    arguments: [
      (#"{"op":"splice","path":"/t","remove":0,"insert":""}"#, "a number of bytes in 'at'"),
      (#"{"op":"splice","path":"/t","at":-1,"remove":0,"insert":""}"#, "a number of bytes in 'at'"),
      (#"{"op":"splice","path":"/t","at":0,"insert":""}"#, "a number of bytes in 'remove'"),
      (#"{"op":"splice","path":"/t","at":0,"remove":0}"#, "a string in 'insert'"),
    ]
  )
  func malformed(text: String, expected: String) throws {
    let json = try JSON(parsing: text.utf8)
    let error = #expect(throws: JSON.Patch.SyntaxError.self) { try JSON.Patch(json: [json]) }
    #expect(
      error?.description
        == "\(json) is not a JSON Patch operation (RFC 6902): expected \(expected)"
    )
  }
}
