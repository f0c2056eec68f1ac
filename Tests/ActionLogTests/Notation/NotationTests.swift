import ActionLog
import Testing

/// The displayed form of log content.
@Suite struct NotationTests {
  /// An action in the log, and its displayed form.
  static let actions: [(log: String, text: String)] = [
    (#"{"addButtonTapped":{}}"#, ".addButtonTapped"),
    (
      #"{"titleChanged":{"id":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A","_1":"Milk"}}"#,
      #".titleChanged(id: …AC1A, "Milk")"#
    ),
    (
      #"{"path":{"_0":{"element":{"id":2,"action":{"report":{"_0":{"alert":{"_0":{"dismiss":{}}}}}}}}}}"#,
      ".path[2].report.alert.dismiss"
    ),
    (
      #"{"destination":{"_0":{"presented":{"_0":{"add":{"_0":{"submitted":{}}}}}}}}"#,
      ".destination.add.submitted"
    ),
    (
      #"{"rows":{"_0":{"element":{"id":"00000000-0000-0000-0000-00000000000A","action":{"gradeTapped":{"_0":"poor"}}}}}}"#,
      #".rows[…000A].gradeTapped("poor")"#
    ),
    (#"{"rows":{"_0":{"element":{"id":"art","action":{"tapped":{}}}}}}"#, #".rows["art"].tapped"#),
    (#"{"destination":{"_0":{"dismiss":{}}}}"#, ".destination.dismiss"),
    (
      #"{"binding":{"_0":{"set":{"_0":"site.name","_1":"M"}}}}"#, #".binding.set(\.site.name, "M")"#
    ),
    (
      #"{"saved":{"_0":{"failure":{"_0":{"emptyTitle":{"_0":"00000000-0000-0000-0000-00000000000A"}}}}}}"#,
      ".saved(.failure(.emptyTitle(…000A)))"
    ),
    (#"{"saved":{"_0":{"success":{}}}}"#, ".saved(.success)"),
    (
      #"{"deleted":{"_0":{"indexes":[{"location":1,"length":2},{"location":5,"length":1}]}}}"#,
      ".deleted([1, 2, 5])"
    ),
    (#"{"deleted":{"_0":{"indexes":[]}}}"#, ".deleted((indexes: []))"),
    (
      #"{"moved":{"_0":{"indexes":[{"location":3,"length":1}]},"_1":0}}"#, ".moved([3], 0)"
    ),
    (
      #"{"deleted":{"_0":{"indexes":[{"location":1}]}}}"#,
      ".deleted((indexes: [(location: 1)]))"
    ),
    (#"{"saved":{"_0":{"success":{"_0":{}}}}}"#, ".saved(.success(()))"),
    (#"{"closed":{"_0":{}}}"#, ".closed(())"),
    (
      #"{"path":{"_0":{"push":{"id":3,"state":{"site":{"_0":{"name":"x"}}}}}}}"#,
      #".path.push(id: 3, state: .site((name: "x")))"#
    ),
    (#"{"path":{"_0":{"popFrom":{"id":3}}}}"#, ".path.popFrom(id: 3)"),
    (
      #"{"delegate":{"_0":{"edited":{"_0":{"id":7,"labels":["chore"]}}}}}"#,
      #".delegate.edited((id: 7, labels: ["chore"]))"#
    ),
  ]

  @Test(arguments: actions)
  func `an action reads as in Swift and matches its own text`(log: String, text: String) throws {
    #expect(Notation().action(try JSON(parsing: log)) == text)
    #expect(try ActionPattern(parsing: text).matches(JSON(parsing: log)))
  }

  /// Cases of an app that resemble those of the library.
  static let own: [(log: String, text: String)] = [
    // A case named like a payload.
    (#"{"word":{"_0":{"_0":{"_0":3}}}}"#, ".word._0(3)"),
    (#"{"word":{"_0":{"_0":{}}}}"#, ".word._0"),
    (#"{"_1":{"_0":"a"}}"#, #"._1("a")"#),
    (#"{"presented":{"_0":{"x":{}}}}"#, ".presented.x"),
    (#"{"a":{"_0":{"presented":{}}}}"#, ".a.presented"),
    (#"{"a":{"_0":{"presented":{"_0":1}}}}"#, ".a.presented(1)"),
    (#"{"a":{"_0":{"presented":{"_0":{"x":{}},"_1":2}}}}"#, ".a.presented(.x, 2)"),
    // Without the name, this would read as the end of the presentation, or as an action of a child or an element.
    (#"{"a":{"_0":{"presented":{"_0":{"dismiss":{}}}}}}"#, ".a.presented.dismiss"),
    (#"{"a":{"_0":{"presented":{"_0":{"presented":{"_0":{"x":{}}}}}}}}"#, ".a.presented.x"),
    (
      #"{"a":{"_0":{"presented":{"_0":{"element":{"id":1,"action":{"x":{}}}}}}}}"#,
      ".a.presented[1].x"
    ),
    (#"{"a":{"_0":{"presented":{"_0":{"success":{"_0":1}}}}}}"#, ".a.presented(.success(1))"),
    (#"{"a":{"_0":{"element":{"id":1,"action":5}}}}"#, ".a.element(id: 1, action: 5)"),
    (#"{"a":{"_0":{"element":{"action":{"x":{}},"id":1}}}}"#, ".a.element(action: .x, id: 1)"),
    (
      #"{"a":{"_0":{"element":{"id":1,"action":{"x":{}},"at":2}}}}"#,
      ".a.element(id: 1, action: .x, at: 2)"
    ),
    (#"{"element":{"id":1,"action":{"x":{}}}}"#, ".element(id: 1, action: .x)"),
    (#"{"set":{"_0":"site.name","_1":"M"}}"#, #".set("site.name", "M")"#),
    (#"{"a":{"_0":{"set":{"_0":"name","_1":1}}}}"#, #".a.set("name", 1)"#),
    (#"{"binding":{"_0":{"set":{"_0":"not a name","_1":1}}}}"#, #".binding.set("not a name", 1)"#),
    (#"{"binding":{"_0":{"set":{"_0":"name"}}}}"#, #".binding.set("name")"#),
    (#"{"set":{"_1":1,"_0":2}}"#, ".set(_1: 1, _0: 2)"),
  ]

  @Test(arguments: own)
  func `actions of an app that resemble the library's forms are not shortened`(
    log: String,
    text: String
  ) throws {
    #expect(Notation().action(try JSON(parsing: log)) == text)
    #expect(try ActionPattern(parsing: text).matches(JSON(parsing: log)))
  }

  /// A value in the log, and its displayed form.
  static let values: [(log: String, text: String)] = [
    ("null", "nil"), ("true", "true"), ("18446744073709551615", "18446744073709551615"),
    ("-0.0", "-0.0"), ("1e+300", "1e+300"), (#""é""#, #""é""#), ("[]", "[]"), ("{}", "()"),
    (#"{"$some":null}"#, ".some(nil)"), (#"{"$some":{"$some":null}}"#, ".some(.some(nil))"),
    (#"{"$double":"nan"}"#, "nan"), (#"{"$double":"-inf"}"#, "-inf"),
    (#"{"$double":"inf"}"#, "inf"),
    (#"{"$decimal":"nan"}"#, "NaN"), (#"{"$date":-0.5}"#, "Date(-0.5)"),
    (#""2025-11-20T09:12:03.12Z""#, "2025-11-20T09:12:03.12Z"),
    (#""2025-11-20""#, #""2025-11-20""#),
    (#""AP8=""#, #""AP8=""#), (#""01020304-0506-0708-090A-0B0C0D0E0F10""#, "…0F10"),
    (
      #"{"relative":"a","base":"https://example.org/"}"#,
      #"(relative: "a", base: "https://example.org/")"#
    ),
    (#"[[[1],"x"],[[2],"y"]]"#, #"[[[1], "x"], [[2], "y"]]"#),
    (#"{"a b":1,"$$c":2,"d":3}"#, #"["a b": 1, "$c": 2, d: 3]"#),
    (#"{"count":1,"isOn":false}"#, "(count: 1, isOn: false)"),
    (#"{"set":{"id":1,"_1":"a"}}"#, #".set(id: 1, "a")"#), (#"{"_0":1,"at":2}"#, "(1, at: 2)"),
    (#"{"action":{"confirmed":{}}}"#, "(action: .confirmed)"),
    (#"[{"id":0,"element":{"site":{"_0":{"name":"M"}}}}]"#, #"[#0: .site((name: "M"))]"#),
    (#"{"$opaque":"Node"}"#, "<Node>"),
    (#"{"$opaque":"Node","reason":"it throws"}"#, "<Node: it throws>"),
    (#"{"$masked":"masked5d79b2e0bf06c886bd"}"#, "<masked …86bd>"),
    (#""masked5d79b2e0bf06c886bd""#, "<masked …86bd>"), (#"{"$ordinal":3}"#, "<id 3>"),
    (
      #"{"$error":{"type":"Refused","description":"busy","symbol":"3App7RefusedO","value":{"busy":{"for":1}}}}"#,
      "Refused.busy(for: 1)"
    ),
    (
      #"{"$error":{"type":"Refused","description":"r","symbol":"s","value":{"code":1}}}"#,
      "Refused(code: 1)"
    ),
    (#"{"$error":{"type":"Offline","description":"Offline()"}}"#, "Offline()"),
    (#"{"$error":{"type":"Offline","description":"no route"}}"#, #"Offline("no route")"#),
    // Values that only resemble a tag.
    (#"{"$double":"x"}"#, #"["\u{24}double": "x"]"#),
    (#"{"$opaque":"Node","more":1}"#, #"["\u{24}opaque": "Node", more: 1]"#),
    (#"{"$masked":"x"}"#, #"["\u{24}masked": "x"]"#), (#"{"$$date":1}"#, #"["$date": 1]"#),
  ]

  @Test(arguments: values)
  func `values read as in Swift and match their own text`(log: String, text: String) throws {
    let notation = Notation()
    let json = try JSON(parsing: log)
    #expect(notation.value(json) == text)
    var output: [UInt8] = []
    Array(log.utf8).withUnsafeBufferPointer { notation.append(value: $0, to: &output) }
    #expect(String(decoding: output, as: UTF8.self) == text)
    #expect(try ActionPattern(parsing: ".a(\(text))").matches(["a": ["_0": json]]))
  }

  @Test(arguments: [
    ("CancelID", #"{"save":{}}"#, "CancelID.save"),
    ("CancelID", #"{"row":{"_0":3}}"#, "CancelID.row(3)"),
    ("CancelID", "{}", "CancelID()"), ("String", #""search""#, #"String("search")"#),
    ("Key", #"{"a":1,"b":2}"#, "Key(a: 1, b: 2)"), ("Timer", #"{"$ordinal":1}"#, "Timer(<id 1>)"),
  ])
  func `cancellation ids are written with their types`(
    type: String,
    value: String,
    text: String
  ) throws {
    #expect(Notation().cancelID(.init(type: type, value: try JSON(parsing: value))) == text)
  }

  @Test func `an id is shortened to the digits that distinguish it from other ids of the log`() {
    let notation = Notation()
    #expect(notation.value("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A") == "…AC1A")
    #expect(notation.value("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A") == "…AC1A")
    #expect(notation.value("2961F3CF-ADFB-4E0B-A128-E9FACF9CAC1A") == "…9CAC1A")
    #expect(notation.value("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A") == "…21AC1A")
    let full = Notation(limits: .none)
    #expect(
      full.value("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A") == "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"
    )
  }

  @Test func `Notation shortens long values in the middle without first writing them in full`()
    throws
  {
    let notation = Notation(limits: .init(value: 60, text: 40))
    let text = String(repeating: "0123456789", count: 100_000)
    #expect(notation.value(.string(text)) == #""0123456789012345…3456789" (1000000 bytes)"#)
    #expect(
      notation.value(.array((0..<10_000).map { .number(JSON.Number($0)) }))
        == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … 9988 more …, 9999]"
    )
    // The complete text of neither value is created.
    var output: [UInt8] = []
    JSON.array([.string(text)]).bytes.withUnsafeBufferPointer {
      notation.append(value: $0, to: &output)
    }
    #expect(
      String(decoding: output, as: UTF8.self) == #"["0123456789012345…3456789" (1000000 bytes)]"#
    )
    #expect(output.capacity < 10_000)
    #expect(Notation(limits: .none).value(.string(text)) == "\"\(text)\"")
  }

  @Test func `an ellipsis in a text is not mistaken for an omission`() throws {
    let text = "… " + String(repeating: "é…", count: 300)
    let written = Notation(limits: .init(value: 60, text: 60)).action(["a": ["_0": .string(text)]])
    #expect(written.hasPrefix(#".a("\u{2026} é\u{2026}"#), "\(written)")
    let pattern = try ActionPattern(parsing: written)
    #expect(pattern.matches(["a": ["_0": .string(text)]]))
    #expect(!pattern.matches(["a": ["_0": .string(text + "x")]]))
  }

  @Test(arguments: [
    ("a\u{202E}b\u{2066}c", #""a\u{202E}b\u{2066}c""#), ("\u{1B}[31m", #""\u{1B}[31m""#),
    ("\n\t\r\0\"\\", #""\n\t\r\0\"\\""#), ("\u{301}a", #""\u{301}a""#),
    ("e\u{301}", "\"e\u{301}\""),
    ("\u{FEFF}\u{200B}\u{2028}", #""\u{FEFF}\u{200B}\u{2028}""#), ("\u{E0041}", #""\u{E0041}""#),
    ("👩‍👩‍👧", "\"👩‍👩‍👧\""),
  ])
  func `hidden characters are written as escapes`(text: String, written: String) {
    #expect(Notation().value(.string(text)) == written)
  }

  @Test func `a text of a thousand combining marks stays within 130 columns`() {
    let text = "a" + String(repeating: "\u{301}", count: 1000)
    let written = Notation(limits: .init(value: 400, text: 100)).value(.string(text))
    #expect(TerminalWidthCounter.count(written) <= 130, "\(written)")
  }

  @Test func `a state that does not fit on one line is written with one member per line`() throws {
    let state = try JSON(
      parsing: #"""
        {"todos":[{"id":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A","title":"Buy milk and a lot of other things that are on the list"},{"id":"2961F3CF-ADFB-4E0B-A128-E9FACF9C0001","title":"x"}],"path":[{"id":0,"element":{"site":{"_0":{"name":"A name that is so long that it does not fit on the line with what is around it"}}}}],"filter":"all"}
        """#
    )
    #expect(
      Notation().lines(state) == """
        (
          todos: [
            (
              id: …AC1A,
              title: "Buy milk and a lot of other things that are on the list"
            ),
            (id: …0001, title: "x")
          ],
          path: [
            #0: .site((
              name: "A name that is so long that it does not fit on the line with what is around it"
            ))
          ],
          filter: "all"
        )
        """
    )
  }

  @Test(arguments: [
    (
      #"{"path":{"_0":{"element":{"id":2,"action":{"podcast":{"_0":{"tapped":{"_0":1}}}}}}}}"#,
      ".path[].podcast.tapped"
    ),
    (#"{"destination":{"_0":{"presented":{"_0":{"add":{"_0":{"x":{}}}}}}}}"#, ".destination.add.x"),
    (#"{"saved":{"_0":{"failure":{"_0":1}}}}"#, ".saved"), ("7", "7"),
  ])
  func `the case path of an action omits elements and presentations`(
    log: String,
    text: String
  ) throws {
    #expect(Notation().casePath(try JSON(parsing: log)) == text)
  }

  @Test func `the raw notation writes actions, paths and ids as in the log`() throws {
    let action = try JSON(parsing: #"{"saved":{"_0":{"success":{"_0":1}}}}"#)
    let notation = Notation(isRaw: true)
    #expect(notation.action(action) == #"{"saved":{"_0":{"success":{"_0":1}}}}"#)
    #expect(notation.pathText(JSON.Pointer(["todos", "0"])) == "/todos/0")
    #expect(
      notation.cancelID(.init(type: "CancelID", value: ["save": [:]])) == #"CancelID {"save":{}}"#
    )
  }

  nonisolated static let forms: [(type: String, value: JSON, form: String)] = [
    ("CancelID", ["load": [:]], "CancelID.load"),
    ("CardRow.CancelID", ["work": ["_0": 7]], "CardRow.CancelID.work(…)"),
    ("CancelID", ["row": ["id": 7, "kind": ["big": [:]]]], "CancelID.row(id: …, kind: .big)"),
    ("CancelID", ["row": ["_0": ["a": 1, "b": "x"]]], "CancelID.row((a: …, b: …))"),
    ("OrderRow.TimerID", ["id": 7], "OrderRow.TimerID(id: …)"),
    ("Offline", [:], "Offline()"),
    ("UUID", "11111111-2222-3333-4444-555555555555", "UUID(…)"),
    ("Int", 7, "Int(…)"),
    ("Date", ["$date": 5], "Date(…)"),
    ("Box", ["$ordinal": 2], "Box(…)"),
    ("Pair", [1, 2], "Pair(…)"),
    // A bare text would read as a name.
    ("String", "search", #"String("search")"#),
  ]

  @Test(arguments: forms)
  func `the form of a cancellation id shows its type and leaves out the varying values`(
    type: String,
    value: JSON,
    form: String
  ) throws {
    let id = EffectDescription.CancelID(type: type, value: value)
    #expect(Notation().form(of: id) == form)
  }

  @Test(arguments: [
    ("one line", ["one line"]),
    ("two\nlines\n", ["two", "lines"]),
    ("a\r\nb\rc\n\nd", ["a", "b", "c", "", "d"]),
    ("::error::x\n  ::warning::y", [#"\u{3A}:error::x"#, #"  \u{3A}:warning::y"#]),
    ("tab\t bell\u{7}", [#"tab\t bell\u{7}"#]),
    ("", [""]),
  ])
  func `a text with several lines is split into lines, without commands that a CI would run`(
    text: String,
    lines: [String]
  ) {
    #expect(Notation.visibleLines(text) == lines)
  }
}
