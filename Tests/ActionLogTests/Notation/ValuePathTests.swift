import ActionLog
import Testing

/// Paths in a state, in the form in which users type and read them.
@Suite struct ValuePathTests {
  static let state = try? JSON(
    parsing: #"""
      {"todos":[{"id":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A","title":"a"},{"id":"2961F3CF-ADFB-4E0B-A128-E9FACF9CAC1A","title":"b"},{"id":"00000000-0000-0000-0000-000000000007","title":"c"}],
      "path":[{"id":0,"element":{"site":{"_0":{"checks":[{"note":""},{"note":"x"}],"element":1}}}},{"id":4,"element":{"visit":{"_0":2}}}],
      "destination":{"add":{"_0":{"name":"M"}}},"own":{"_0":{"name":1},"name":2},"maybe":{"$some":{"deep":1}},
      "counts":{"a b":1,"$$x":2,"0":3,"*":4},"failed":{"$error":{"type":"E","description":"d","symbol":"s","value":{"code":5}}}}
      """#
  )

  /// A pointer, and the displayed path in this state.
  static let places: [(pointer: String, text: String)] = [
    ("/todos/0/title", "todos[0].title"),
    ("/path/0/element/site/_0/checks/1/note", "path[#0].site.checks[1].note"),
    ("/path/1/element/visit/_0", "path[#4].visit.0"), ("/path/1", "path[#4]"),
    ("/path/1/id", "path[#4].id"), ("/path/1/element", "path[#4].element"),
    // The wrapper itself has a member with this name.
    ("/path/0/element/site/_0/element", "path[#0].site.element"),
    ("/destination/add/_0/name", "destination.add.name"),
    ("/destination/add/_0", "destination.add.0"),
    ("/own/_0/name", "own.0.name"), ("/own/name", "own.name"),
    ("/maybe/$some/deep", "maybe.deep"),
    ("/counts/a b", #"counts["a b"]"#), ("/counts/$$x", #"counts["$x"]"#),
    ("/counts/0", #"counts["0"]"#), ("/counts/*", #"counts["*"]"#),
    ("/failed/$error/value/code", "failed.code"),
    ("/todos/-", "todos[end]"), ("", ""),
  ]

  @Test(arguments: places)
  func `a path is written in Swift notation, and parsing it finds the same value`(
    pointer: String,
    text: String
  ) throws {
    let state = try #require(Self.state)
    let pointer = try JSON.Pointer(parsing: pointer)
    #expect(Notation().pathText(pointer, in: state) == text)
    guard state[pointer] != nil else { return }
    #expect(try ValuePath(parsing: text).resolve(in: state) == .found([pointer]))
  }

  /// A pointer into a tagged value, and the path of the tagged value.
  static let tagged: [(pointer: String, text: String, whole: String?)] = [
    ("/born/$date", "born", "/born"), ("/limit/$double", "limit", "/limit"),
    ("/price/$decimal", "price", "/price"), ("/maybe/$some", "maybe", "/maybe"),
    ("/maybe/$some/$some", "maybe", "/maybe"), ("/failed/$error/type", "failed", "/failed"),
    ("/failed/$error/value", "failed", "/failed"),
    ("/failed/$error/value/code", "failed.code", nil),
    ("/failed/$error/value/at/$date", "failed.at", "/failed/$error/value/at"),
    ("/rows/0/$ordinal", "rows[0]", "/rows/0"), ("/$date", "", ""),
    ("/counts/$$date", #"counts["$date"]"#, nil), ("/todos/0/title", "todos[0].title", nil),
  ]

  @Test(arguments: tagged)
  func `the notation of a path into a tagged value ends at that value`(
    pointer: String,
    text: String,
    whole: String?
  ) throws {
    let pointer = try JSON.Pointer(parsing: pointer)
    #expect(Notation().pathText(pointer) == text)
    #expect(pointer.taggedValue?.description == whole)
  }

  @Test func `a path finds keys in another Unicode normal form`() throws {
    let state: JSON = ["titles": ["Zo\u{EB}": 1, "a": 2], "both": ["\u{E9}": 1, "e\u{301}": 2]]
    for text in ["titles[\"Zoe\u{308}\"]", "/titles/Zoe\u{308}"] {
      guard case .found(let pointers) = try ValuePath(parsing: text).resolve(in: state) else {
        Issue.record("nothing at \(text)")
        continue
      }
      #expect(pointers.map { Array($0.description.utf8) } == [Array("/titles/Zo\u{EB}".utf8)])
    }
    // Two different keys are each found by their own spelling.
    for (key, value) in [("\u{E9}", 1), ("e\u{301}", 2)] {
      guard
        case .found(let pointers) = try ValuePath(parsing: "both[\"\(key)\"]").resolve(in: state)
      else {
        Issue.record("nothing at \(key)")
        continue
      }
      #expect(pointers.map { state[$0] } == [.number(JSON.Number(value))])
    }
  }

  /// A path that a value lacks, and the pointer of the new key.
  static let newKeys: [(text: String, pointer: String?)] = [
    (#"counts["b"]"#, "/counts/b"), (#"counts["17"]"#, "/counts/17"),
    (#"counts["$y"]"#, "/counts/$$y"), (#"counts["a b"]"#, nil), ("counts.b", nil),
    ("counts[17]", nil), ("/counts/b", nil), (#"todos["b"]"#, nil), (#"nothing["b"]"#, nil),
    (#"destination.add["b"]"#, "/destination/add/_0/b"),
  ]

  @Test(arguments: newKeys)
  func `a typed path with a key in brackets can name a new key of a dictionary`(
    text: String,
    pointer: String?
  ) throws {
    let state = try #require(Self.state)
    #expect(try ValuePath(parsing: text).newKey(in: state)?.description == pointer)
  }

  /// A typed path, and the matching pointers.
  static let typed: [(text: String, pointers: [String])] = [
    ("/todos/1/title", ["/todos/1/title"]), (".todos[1].title", ["/todos/1/title"]),
    ("todos[…9CAC1A].title", ["/todos/1/title"]), ("todos[...0007].title", ["/todos/2/title"]),
    ("todos[…0007]", ["/todos/2"]), ("todos[#…0007]", ["/todos/2"]),
    ("todos[#00000000-0000-0000-0000-000000000007].title", ["/todos/2/title"]),
    ("todos[*].title", ["/todos/0/title", "/todos/1/title", "/todos/2/title"]),
    ("path[#4]", ["/path/1"]), ("path[1].visit", ["/path/1/element/visit"]),
    (
      "path[*].site.checks[*].note",
      ["/path/0/element/site/_0/checks/0/note", "/path/0/element/site/_0/checks/1/note"]
    ),
    ("destination.*.name", ["/destination/add/_0/name"]), ("counts[0]", ["/counts/0"]),
    ("own.name", ["/own/name"]),
  ]

  @Test(arguments: typed)
  func `parsing a typed path finds the values in the state`(text: String, pointers: [String]) throws
  {
    let state = try #require(Self.state)
    let found = try pointers.map { try JSON.Pointer(parsing: $0) }
    #expect(try ValuePath(parsing: text).resolve(in: state) == .found(found))
  }

  @Test
  func `a typed path with the ambiguous last digits of an id lists the ids with these digits`()
    throws
  {
    let state = try #require(Self.state)
    #expect(
      try ValuePath(parsing: "todos[…AC1A].title").resolve(in: state)
        == .ambiguous(
          step: "AC1A",
          ids: ["69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A", "2961F3CF-ADFB-4E0B-A128-E9FACF9CAC1A"]
        )
    )
  }

  @Test(arguments: [
    ("todos[0].tilte", "/todos/0", "tilte"), ("todos[9].title", "/todos", "9"),
    ("todos[…FFFF]", "/todos", "…FFFF"), ("path[#4].site.name", "/path/1/element", "site"),
    ("/todos/0/none", "/todos/0", "none"),
  ])
  func `resolving a path without a value reports the last value reached and the missing step`(
    text: String,
    end: String,
    step: String
  ) throws {
    let state = try #require(Self.state)
    let pointer = try JSON.Pointer(parsing: end)
    let value = try #require(state[pointer])
    #expect(
      try ValuePath(parsing: text).resolve(in: state) == .missing(pointer, value, step: step)
    )
  }

  @Test(arguments: [
    ("a.b", ["/a/b", "/a/_0/b"]), ("a[2]", ["/a/2", "/a/_0/2"]),
    (
      "rows[*].seen",
      ["/rows/*/seen", "/rows/_0/*/seen", "/rows/*/element/seen", "/rows/_0/*/element/seen"]
    ),
    ("/a/*", ["/a/*"]), ("clock", ["/clock"]),
  ])
  func `a typed path without a state has a pattern for each pointer that it may mean`(
    text: String,
    pointers: [String]
  ) throws {
    #expect(try ValuePath(parsing: text).patterns?.map(\.description) == pointers)
  }

  @Test func `a typed path with an id in brackets has no patterns without a state`() throws {
    #expect(try ValuePath(parsing: "a[#3].b").patterns == nil)
  }

  @Test(arguments: [
    ("a..b", "found '.', expected the name of a member, at column 3 of a..b"),
    ("a b", "found ' ', expected '.' and a name, or '[', at column 2 of a b"),
    (
      "a[",
      "found the end, expected an index, '*', '#' and an id, '…' and the end of an id, or a key in quotes, at column 3 of a["
    ),
    (
      "a[1",
      "found the end, expected ']' after an index; an id is '#' and the id, or '…' and its end, at column 4 of a[1"
    ),
    ("a[\"x]", "found the end, expected '\"' at the end of the text, at column 6 of a[\"x]"),
    ("a\u{202E}", "found '\\u{202E}', expected '.' and a name, or '[', at column 2 of a\\u{202E}"),
  ])
  func `a malformed path is refused with the column and what was expected`(
    text: String,
    message: String
  ) {
    let error = #expect(throws: NotationSyntaxError.self) { try ValuePath(parsing: text) }
    #expect(error?.description == message)
  }
}
