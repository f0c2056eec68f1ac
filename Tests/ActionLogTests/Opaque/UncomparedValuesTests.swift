import ActionLog
import Testing

/// The list of values that a log does not contain.
@Suite("Values that a log does not hold") struct UncomparedValuesTests {
  private func list(_ lines: [String], through last: Int = .max) -> [String] {
    values(lines, through: last).list(.opaque).map { $0.text() }
  }

  private func values(_ lines: [String], through last: Int = .max) -> UncomparedValues {
    var values = UncomparedValues()
    for line in lines {
      Array(line.utf8).withUnsafeBufferPointer { values.add(line: $0, through: last) }
    }
    return values
  }

  @Test("The uncompared values of a log include parts of effects that a library does not describe")
  func effects() throws {
    var values = UncomparedValues()
    let text = "the parts of merged effects"
    values.insert(UncomparedValue(.opaque, in: .effects, at: JSON.Pointer(), type: text))
    let found = values.list(.opaque)
    #expect(found.map { $0.text() } == [text])
    #expect(found.map(\.json) == [["in": "effects", "place": "", "type": .string(text)]])
  }

  @Test(
    "Uncompared values are listed with their type and path",
    arguments: [
      (#"{"kind":"checkpoint","seq":0,"state":{"$opaque":"State"}}"#, ["State as the whole state"]),
      (
        #"{"kind":"checkpoint","seq":0,"state":{"path":[{"id":1,"element":{"notes":{"$opaque":"Note"}}},{"id":2,"element":{"notes":{"$opaque":"Note"}}}]}}"#,
        ["Note at path[*].notes"]
      ),
      (
        #"{"kind":"checkpoint","seq":0,"state":{"votes":{"16":[{"$opaque":"Note"}]}}}"#,
        [#"Note at votes["16"][*]"#]
      ),
      (
        #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/3","value":{"pen":{"$opaque":"Pen"},"note":{"$some":{"$opaque":"Note"}}}},{"op":"remove","path":"/x"}]}"#,
        ["Note at rows[*].note", "Pen at rows[*].pen"]
      ),
      (
        #"{"kind":"action","seq":1,"action":{"path":{"_0":{"element":{"id":1,"action":{"set":{"_0":{"$opaque":"Note"}}}}}}}}"#,
        ["Note in action .path.element.action.set"]
      ),
      (
        #"{"kind":"read","seq":1,"key":"Notes.load","value":{"success":{"_0":[{"$opaque":"Note"}]}}}"#,
        ["Note in success[*] of the read Notes.load"]
      ),
      (
        #"{"kind":"change","seq":1,"patch":[],"effects":[{"op":"merge","effects":[{"op":"run","name":"save","input":{"$opaque":"Note"},"cancelID":{"type":"ID","value":{"$opaque":"Key"}}}]}]}"#,
        ["Note in the input of effect save", "Key in the cancellation id ID"]
      ),
      (
        #"{"kind":"checkpoint","seq":0,"state":{"tree":{"$opaque":"Node","reason":"it throws"}}}"#,
        ["Node at tree (it throws)"]
      ),
      // The app's own names, and values that masks omit.
      (#"{"kind":"checkpoint","seq":0,"state":{"$$opaque":"Note"}}"#, []),
      (#"{"kind":"checkpoint","seq":0,"state":{"text":"{\"$opaque\":\"Note\"}"}}"#, []),
      (
        #"{"kind":"checkpoint","seq":0,"state":{"cache":{"$opaque":"Value","reason":"the masks of the log leave it out"}}}"#,
        []
      ),
      (#"{"kind":"note","seq":0,"text":"$opaque"}"#, []),
      (#"{"kind":"checkpoint","seq":0,"state":{"$opaque":"#, []),
    ] as [(String, [String])]
  )
  func places(line: String, list: [String]) {
    #expect(self.list([line]) == list)
  }

  private struct Written: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The state before the action; `nil` if it is not known.
    var state: JSON?
    let patch: String
    let places: [String]
  }

  private static let opaque = #"{"$opaque":"Note"}"#

  private static let written = [
    Written(
      testDescription: "a key of digits",
      state: ["votes": ["16": ["note": .null]]],
      patch: #"[{"op":"replace","path":"/votes/16/note","value":\#(opaque)}]"#,
      places: [#"Note at votes["16"].note"#]
    ),
    Written(
      testDescription: "an index",
      state: ["votes": [["note": .null]]],
      patch: #"[{"op":"replace","path":"/votes/0/note","value":\#(opaque)}]"#,
      places: ["Note at votes[*].note"]
    ),
    Written(
      testDescription: "a new key and a new element",
      state: ["votes": [:], "rows": []],
      patch:
        #"[{"op":"add","path":"/votes/16","value":\#(opaque)},{"op":"add","path":"/rows/0","value":\#(opaque)}]"#,
      places: ["Note at rows[*]", #"Note at votes["16"]"#]
    ),
    Written(
      testDescription: "the end of an array",
      state: ["rows": []],
      patch: #"[{"op":"add","path":"/rows/-","value":\#(opaque)}]"#,
      places: ["Note at rows[*]"]
    ),
    Written(
      testDescription: "a container of the same patch",
      state: ["votes": .null],
      patch:
        #"[{"op":"replace","path":"/votes","value":{}},{"op":"add","path":"/votes/16","value":\#(opaque)}]"#,
      places: [#"Note at votes["16"]"#]
    ),
    Written(
      testDescription: "several keys",
      state: ["votes": ["16": [0], "17": [0]]],
      patch:
        #"[{"op":"replace","path":"/votes/16/0","value":\#(opaque)},{"op":"replace","path":"/votes/17/0","value":\#(opaque)}]"#,
      places: [#"Note at votes["16"][*]"#, #"Note at votes["17"][*]"#]
    ),
    Written(
      testDescription: "a value in an added one",
      state: ["votes": [:]],
      patch: #"[{"op":"add","path":"/votes/16","value":{"3":[\#(opaque)]}}]"#,
      places: [#"Note at votes["16"]["3"][*]"#]
    ),
    Written(
      testDescription: "an unknown state",
      patch: #"[{"op":"replace","path":"/votes/16/note","value":\#(opaque)}]"#,
      places: ["Note at votes[*].note"]
    ),
  ]

  @Test(arguments: written)
  private func `the path of an uncompared value quotes a dictionary key of digits`(
    _ written: Written
  ) {
    var values = UncomparedValues()
    let line = #"{"kind":"change","seq":1,"patch":\#(written.patch)}"#
    Array(line.utf8).withUnsafeBufferPointer { values.add(line: $0) { written.state } }
    #expect(values.list(.opaque).map { $0.text() } == written.places)
  }

  @Test("Uncompared values are listed up to a given action")
  func until() {
    let lines = (1...3).map {
      #"{"kind":"change","seq":\#($0),"patch":[{"op":"add","path":"/a\#($0)","value":{"$opaque":"A"}}]}"#
    }
    #expect(list(lines, through: 2) == ["A at a1", "A at a2"])
  }

  @Test("Uncompared values at many keys of a dictionary are listed as one path")
  func dictionaries() {
    let members = (0..<200).map { #""k\#($0)":{"a":{"$opaque":"A"},"b":[{"$opaque":"B"}]}"# }
    let line =
      #"{"kind":"checkpoint","seq":0,"state":{"byName":{\#(members.joined(separator: ","))},"c":{"$opaque":"C"}}}"#
    #expect(list([line]) == ["A at byName[*].a", "B at byName[*].b[*]", "C at c"])
  }

  @Test("At most 1,000 uncompared values are listed, and the summary in one line names six of them")
  func bounds() {
    let places = (0..<30).flatMap { first in
      (0..<30).flatMap { second in (0..<2).map { "/a\(first)/b\(second)/c\($0)" } }
    }
    let lines = places.map {
      #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"\#($0)","value":{"$opaque":"A"}}]}"#
    }
    let all = values(lines).list(.opaque)
    #expect(all.count == 1000)
    #expect(
      UncomparedValue.list(all)
        == "A at a0.b0.c0, A at a0.b0.c1, A at a0.b1.c0, A at a0.b1.c1, A at a0.b10.c0, A at a0.b10.c1 and 994 more"
    )
  }

  @Test("An uncompared value is written to JSON and read back")
  func findings() throws {
    let value = UncomparedValue(
      .opaque,
      in: .input,
      of: "save",
      at: JSON.Pointer(["a", "*"]),
      type: "Note",
      reason: "it throws"
    )
    #expect(
      value.json
        == [
          "in": "input", "of": "save", "place": "/a/*", "type": "Note", "reason": "it throws",
        ]
    )
    let finding = LogEvent.Finding(
      seq: 1,
      code: .opaque,
      subject: "/a/*",
      expected: value.json
    )
    #expect(UncomparedValue(finding) == value)
    #expect(
      UncomparedValue(LogEvent.Finding(seq: 1, code: .schemaDrift, subject: "/a")) == nil
    )
  }

  /// Types, and the suggested code for a value and for an error of each type.
  ///
  /// The code compiles.
  static let remedyOfType: [(type: String, value: String, error: String)] = [
    (
      "Note", "add @LogValue to Note, or make it Codable",
      "make Note Codable, or add @LogValue to it"
    ),
    ("NSNote", foreign("NSNote"), foreign("NSNote")),
    ("NSError", foreign("NSError"), foreign("NSError")),
    ("URLError", foreign("URLError"), foreign("URLError")),
    ("CancellationError", foreign("CancellationError"), foreign("CancellationError")),
    ("Task<(), Never>", foreign("Task<(), Never>"), foreign("Task<(), Never>")),
    (
      "Nsnote", "add @LogValue to Nsnote, or make it Codable",
      "make Nsnote Codable, or add @LogValue to it"
    ),
    ("any Shape", box, box), ("Any", box, box), ("AnyHashable", box, box),
    (
      "() -> Int", "a function has no value that a log could hold",
      "a function has no value that a log could hold"
    ),
  ]

  private static let box = "declare a type that is LogValue or Codable in its place"

  private static func foreign(_ type: String) -> String {
    "\(type) cannot be marked: hold a value of a type of yours in its place"
  }

  @Test(arguments: remedyOfType.indices)
  func `the suggested fix for an opaque value depends on what kind of type it has`(_ index: Int) {
    let (type, value, error) = Self.remedyOfType[index]
    let place = JSON.Pointer(["a"])
    #expect(UncomparedValue(.opaque, in: .state, at: place, type: type).remedy() == value)
    #expect(UncomparedValue(.error, in: .error, at: place, type: type).remedy() == error)
  }

  @Test("The suggested fix for a type is the line of code that the log's header specifies")
  func remedies() throws {
    let remedies = OpaqueTypeRemedies(
      ["remedies": ["State": "mark {owner} for {type}", "Action": 1]] as JSON
    )
    #expect(remedies.line(for: "App.Row.State") == "mark App.Row for App.Row.State")
    for type in ["State", "App.Action", "App.State.Note", "[App.State]", ""] {
      #expect(remedies.line(for: type) == nil)
    }
    #expect(OpaqueTypeRemedies(.null) == OpaqueTypeRemedies())
    let value = UncomparedValue(.opaque, in: .state, at: JSON.Pointer(), type: "App.State")
    #expect(value.remedy(remedies) == "mark App for App.State")
    #expect(value.remedy() == "add @LogValue to App.State, or make it Codable")
    #expect(
      value.notice(remedies)
        == "App.State as the whole state is not recorded, because it is neither LogValue nor Codable; mark App for App.State"
    )
    let error = LogDecoder(.null).error(.opaque("App.State"), type: Int.self)
    #expect(
      error.description(remedies)
        == "the value was not recorded, only its type, App.State: mark App for App.State"
    )
  }

  @Test("The notice of an uncompared value gives the reason and a line of code that helps")
  func notices() {
    func notice(_ type: String, _ reason: String? = nil) -> String {
      UncomparedValue(
        .opaque,
        in: .state,
        at: JSON.Pointer(["path", "*", "notes"]),
        type: type,
        reason: reason
      ).notice()
    }
    #expect(
      notice("Note")
        == "Note at path[*].notes is not recorded, because it is neither LogValue nor Codable; add @LogValue to Note, or make it Codable"
    )
    #expect(
      notice("() -> Int")
        == "() -> Int at path[*].notes is not recorded: a function has no value that a log could hold"
    )
    #expect(notice("Node", "it throws") == "Node at path[*].notes is not recorded: it throws")
  }
}

/// The treatment of such values in a comparison.
@Suite("A comparison of opaque values") struct OpaqueComparisonTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let recorded: JSON
    let replayed: JSON
    /// The results at the start of the replay and later, without and with stand-ins.
    let results: [String]
    var testDescription: String { "\(recorded) \(replayed)" }
  }

  private static let cases: [Case] = [
    Case(recorded: ["$opaque": "A"], replayed: ["text": "a"], results: ["A", "A", "A"]),
    Case(recorded: ["text": "a"], replayed: ["$opaque": "A"], results: ["A", "A", "A"]),
    Case(
      recorded: ["$opaque": "A"],
      replayed: ["$opaque": "A", "shown": "(x: 1)"],
      results: ["A", "A", "A"]
    ),
    Case(
      recorded: ["$opaque": "A", "shown": "(x: 1)"],
      replayed: ["$opaque": "A", "shown": "(x: 2)"],
      results: ["A", "opaque", "A"]
    ),
    Case(recorded: ["$opaque": "A"], replayed: ["$opaque": "B"], results: ["A", "state", "A"]),
    Case(recorded: ["$opaque": "A"], replayed: .null, results: ["A", "state", "A"]),
    Case(recorded: .null, replayed: ["$opaque": "A"], results: ["A", "state", "A"]),
    Case(recorded: 1, replayed: 2, results: ["state", "state", "state"]),
    Case(
      recorded: ["$error": ["type": "E", "description": "e"]],
      replayed: ["$error": ["type": "E", "description": "e", "symbol": "1E", "value": 1]],
      results: ["", "", ""]
    ),
    Case(
      recorded: ["$error": ["type": "E", "description": "e"]],
      replayed: ["$error": ["type": "E", "description": "f", "symbol": "1E", "value": 1]],
      results: ["state", "state", "state"]
    ),
  ]

  @Test("A comparison finds no difference between values that were not compared", arguments: cases)
  private func states(of testCase: Case) throws {
    func state(_ value: JSON) -> JSON { ["rows": [["a": value], ["a": value]]] }
    func patch(_ value: JSON) -> JSON.Patch {
      JSON.Patch([
        .replace(JSON.Pointer(["rows", "0", "a"]), value),
        .replace(JSON.Pointer(["rows", "1", "a"]), value),
      ])
    }
    func result(_ states: ComparedStates, _ differences: [LogDifference]) -> String {
      #expect(differences.allSatisfy { $0.cause == differences[0].cause })
      return differences.first?.cause.rawValue
        ?? states.opaque.values.list(.opaque).map(\.type).joined()
    }
    var found: [String] = []
    var atStart = ComparedStates(isReplay: true)
    let differences = atStart.compare(
      LogEvent.Checkpoint(seq: 0, state: state(testCase.recorded)),
      LogEvent.Checkpoint(seq: 0, state: state(testCase.replayed))
    )
    found.append(result(atStart, differences))
    for hasStandIns in [false, true] {
      var states = ComparedStates(isReplay: true)
      let own: JSON = hasStandIns ? ["$opaque": "S"] : "s"
      var first = state("").object ?? [:]
      first["s"] = ["$opaque": "S"]
      var second = first
      second["s"] = hasStandIns ? own : ["$opaque": "S"]
      if hasStandIns { second["s"] = "own" }
      #expect(
        states.compare(
          LogEvent.Checkpoint(seq: 0, state: .object(first)),
          LogEvent.Checkpoint(seq: 0, state: .object(second))
        ).isEmpty
      )
      let known = states.opaque.values.list(.opaque).count
      let later = states.compare(patch(testCase.recorded), patch(testCase.replayed), of: 1)
      let new = states.opaque.values.list(.opaque).filter { $0.place != JSON.Pointer(["s"]) }
      #expect(known == (hasStandIns ? 1 : 0))
      found.append(later.first?.cause.rawValue ?? new.map(\.type).joined())
    }
    #expect(found == testCase.results)
  }

  @Test("A comparison ignores changes inside opaque values")
  func within() {
    var states = ComparedStates(isReplay: true)
    _ = states.compare(
      LogEvent.Checkpoint(seq: 0, state: ["note": ["$opaque": "A"], "count": 0]),
      LogEvent.Checkpoint(seq: 0, state: ["note": ["$opaque": "A"], "count": 0])
    )
    let count = JSON.Patch.Operation.replace(JSON.Pointer(["count"]), 1)
    let note = JSON.Patch.Operation.replace(JSON.Pointer(["note", "text"]), "a")
    #expect(states.compare(JSON.Patch([count]), JSON.Patch([note, count]), of: 1).isEmpty)
    #expect(
      states.compare(
        JSON.Patch([]),
        JSON.Patch([.replace(JSON.Pointer(["count", "text"]), "a")]),
        of: 2
      ).map(\.cause) == [.state]
    )
  }
}
