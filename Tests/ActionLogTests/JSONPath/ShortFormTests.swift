import ActionLog
import Testing

/// Expressions in the form in which users type them.
@Suite("Short forms of expressions") struct ShortFormTests {
  /// The value on which expressions are evaluated.
  private static var root: JSON {
    get throws {
      try JSON(
        parsing: #"""
          {"seq":4,"origin":"view",
          "action":{"path":{"_0":{"element":{"id":2,"action":{"visit":{"_0":{"presented":{"_0":{"saved":{"_0":{"failure":{"_0":{"busy":{}}}}}}}}}}}}}},
          "before":{"count":2,"isSaving":true},
          "state":{"count":4,"isSaving":false,"isDone":true,"error":null,"note":"Buy milk","limit":10,"amount":6,
          "status":{"waiting":{}},"filter":"active","from":"2026-01-01T00:00:01Z","until":"2026-01-01T00:00:01.5Z",
          "path":[{"id":0,"element":{"site":{"_0":{"seconds":0}}}},{"id":3,"element":{"visit":{"_0":{"seconds":5}}}}],
          "orders":[{"total":1500,"tags":["a"]},{"total":2500,"tags":[]}],"titles":{"Milk":1},"votes":{"16":2}},
          "effects":[],"reads":[]}
          """#
      )
    }
  }

  static let expressions: [(text: String, holds: Bool)] = [
    ("count > 3", true), ("count > 4", false), ("state.count > 3", true),
    ("before.count < count", true),
    ("$.state.count > 3", true), ("$.state.count > before.count", true), ("seq == 4", true),
    // Truth.
    ("isSaving", false), ("!isSaving", true), ("isDone", true), ("not isDone", false),
    ("before.isSaving && !isSaving", true), ("error", false), ("!error", true), ("note", true),
    ("nothing", false), ("isDone and count > 3", true), ("isSaving or count > 3", true),
    ("isDone && (isSaving || count > 3)", true), ("(isDone)", true),
    ("!(isSaving || isDone)", false),
    // Optionals.
    ("error == nil", true), ("note != nil", true), ("$.state.error == nil", true),
    ("nothing == nil", true), ("nothing != nil", false), ("nothing != 3", true),
    ("path[0].visit.seconds == nil", true), ("path[0].visit.seconds != nil", false),
    ("path[7].visit.seconds != nil && isDone", false), ("nothing > 3", false),
    ("nothing < 3", false),
    ("$.state.nothing == nil", false), ("$.state.nothing != nil", true),
    // Paths through wrappers that the notation omits.
    ("path[1].visit.seconds > 0", true), ("path[#3].visit.seconds == 5", true),
    ("path[0].site.seconds > 0", false), ("votes[\"16\"] == 2", true), ("titles.Milk == 1", true),
    // Any element.
    ("orders[*].total > 2000", true), ("orders[*].total > 3000", false),
    ("2000 < orders[*].total", true),
    ("orders[*].total != 1500", true), ("path[*].visit.seconds == 5", true),
    // Properties.
    ("orders.count == 2", true), ("orders.isEmpty", false), ("!orders.isEmpty", true),
    ("note.count == 8", true), ("orders[*].tags.isEmpty", true), ("titles.count == 1", true),
    ("orders.count - 1 == 1", true),
    // Arithmetic.
    ("amount * 2 > limit", true), ("amount + count == limit", true), ("amount / 4 == 1.5", true),
    ("(amount - 1) * 2 == limit", true), ("amount - -1 == 7", true), ("amount % count == 2", true),
    ("until - from == 0.5", true), ("amount + note == 6", false),
    ("count + 1 > before.count * 2", true),
    // Cases.
    ("status == .waiting", true), ("status != .waiting", false), ("status == .done", false),
    ("filter == .active", true), ("$.state.status == .waiting", true),
    (".saved", true), (".visit.saved", true), (".saved(.failure)", true),
    (".saved(.success)", false),
    (".path[2].visit", true), (".path[3].visit", false), (".gone", false), ("!.gone", true),
    (".saved && count > 3", true), ("$.action == .saved", true), ("action == .visit.saved", true),
    ("action != .saved", false), ("action.path", true), ("action.nothing", false),
    // Parts.
    ("note contains \"milk\"", true), ("note contains 'tea'", false),
    ("note.contains(\"milk\")", true), ("titles contains 'Milk'", true),
    ("orders[*].tags contains 'a'", true), ("orders[1].tags contains 'a'", false),
    ("length(note) == 8", true),
  ]

  @Test(arguments: expressions)
  func `an expression in short form holds for exactly the events that it describes`(
    text: String,
    holds: Bool
  ) throws {
    #expect(try JSONPath.Expression(parsing: text).holds(for: try Self.root) == holds)
  }

  /// Texts that are not expressions, and their messages.
  static let refused: [(text: String, message: String)] = [
    (
      "",
      "found the end, expected a place such as count, a case such as .saved, '$', '@', a string, a number, true, false, null or a function, at column 1 of "
    ),
    (
      "count >",
      "found the end, expected a place such as count, a case such as .saved, '$', '@', a string, a number, true, false, null or a function, at column 8 of count >"
    ),
    (
      "count = 3",
      "found '=', expected '==', at column 7 of count = 3; did you mean count == 3?"
    ),
    ("count 3", "found '3', expected '&&', '||' or the end, at column 7 of count 3"),
    (
      "path[x]",
      "found 'x', expected an index, '*', '#' and an id, '…' and the end of an id, or a key in quotes, at column 6 of path[x]"
    ),
    ("5", "a value is not a condition: compare it, with '==' for example, at column 1 of 5"),
    (
      "count + 1",
      "a value is not a condition: compare it, with '==' for example, at column 1 of count + 1"
    ),
    ("(count > 3", "found the end, expected '&&', '||' or ')', at column 11 of (count > 3"),
  ]

  @Test(arguments: refused)
  func `a malformed expression without a leading $ is refused with column and expected syntax`(
    text: String,
    message: String
  ) {
    #expect {
      try JSONPath.Expression(parsing: text)
    } throws: {
      "\($0)" == message
    }
  }

  @Test(arguments: [
    "$[?count > 3]", "$.rows[?isDone]", "$.rows[?.saved]", "$.rows[?@.a + 1 == 2]",
    "$.rows[?@.a == nil]", "$.rows[?not @.a]", "$.rows[?(@.a) == 1]",
  ])
  func `a JSONPath query that starts with $ refuses the short forms of expressions`(text: String) {
    #expect(throws: JSONPath.SyntaxError.self) { try JSONPath(parsing: text) }
  }

  static let members: [(text: String, members: [String])] = [
    ("count > 3", ["state"]), ("before.count > count", ["before", "state"]),
    (".saved && isDone", ["action", "state"]), ("$.seq > 1 && !isDone", ["seq", "state"]),
    ("orders.count + amount > $.before.limit", ["before", "state"]),
  ]

  @Test(arguments: members)
  func `an expression without a leading $ lists the root members that it reads`(
    text: String,
    members: [String]
  ) throws {
    #expect(try JSONPath.Expression(parsing: text).rootMembers?.sorted() == members)
  }

  @Test
  func `a computation returns nil for division by zero and for operands that are not numbers`()
    throws
  {
    let root = try Self.root
    func value(_ text: String) throws -> JSON? {
      try JSONPath.Computation(parsing: text).value(in: root)
    }
    #expect(try value("amount * 2") == 12)
    #expect(try value("count - before.count") == 2)
    #expect(try value("$.state.limit / count") == 2.5)
    #expect(try value("9223372036854775807 + 1") == 9223372036854775808.0)
    #expect(try value("amount / 0") == nil)
    #expect(try value("amount + status") == nil)
  }

  /// A pattern, and whether it matches an action deep in a path.
  static let patterns: [(pattern: String, isFound: Bool)] = [
    (".saved", true), ("saved", true), (".visit.saved", true), (".path[2].visit.saved", true),
    (".path[].visit.saved", true), (".path[2]", true), (".path", true), (".visit", true),
    (".saved(.failure(.busy))", true), (".path.saved", false), (".path[1].visit", false),
    (".failure", false), (".busy", false), (".visit.gone", false), (".presented", true),
  ]

  @Test(arguments: patterns)
  func `an action pattern matches an action that starts anywhere in its case path`(
    pattern: String,
    isFound: Bool
  ) throws {
    let action = try #require(try Self.root["action"])
    #expect(try ActionPattern(parsing: pattern).isFound(in: action) == isFound)
  }
}
