import ActionLog
import Foundation
import Testing

@Suite("JSONPath")
struct JSONPathTests {
  static let event = #"""
    {"kind":"action","seq":12,"action":{"add":{"_0":2}},"state":{"count":-1,"big":9007199254740993,
    "todos":[{"title":"Milk","done":false},{"title":"Tea","done":true}],"name":"Käse"},"effects":[{"op":"run"}]}
    """#

  @Test(
    "A JSONPath selects the values that RFC 9535 specifies",
    arguments: [
      ("$.state.count", ["$['state']['count'] -1"]),
      (
        "$.state.todos[*].title",
        [
          #"$['state']['todos'][0]['title'] "Milk""#, #"$['state']['todos'][1]['title'] "Tea""#,
        ]
      ),
      ("$.state.todos[?@.done == true].title", [#"$['state']['todos'][1]['title'] "Tea""#]),
      ("$..op", [#"$['effects'][0]['op'] "run""#]),
      ("$.state.todos[-1:].done", ["$['state']['todos'][1]['done'] true"]),
      ("$.nothing", []),
    ] as [(String, [String])]
  )
  func selects(query: String, nodes: [String]) throws {
    let path = try JSONPath(parsing: query)
    let event = try JSON(parsing: Self.event)
    #expect(path.nodes(in: event).map { "\($0.normalizedPath) \($0.value)" } == nodes)
    let values = path.nodes(in: event).map(\.value)
    #expect(path.values(in: event) == values)
    for node in path.nodes(in: event) {
      let value = event[node.pointer]
      #expect(value == node.value)
    }
  }

  @Test(
    "An expression evaluates to true or false for an event",
    arguments: [
      ("$.state.count < 0", true), ("$.state.count<0", true), (" $.seq >= 12 ", true),
      ("$.state.todos[?@.done == true] && $.seq > 10", true),
      ("$.state.todos[?@.done == true] && $.seq > 12", false),
      ("$.state.todos[?@.title == 'Beer'] || !($.seq == 1)", true),
      ("!$.state.error", true), ("length($.state.todos) == 2", true),
      ("count($.state.todos[?@.done == false]) == 1", true), ("$.action.add", true),
      ("match($.state.name, 'K.se')", true), ("search($.state.name, '[a-s]e$')", true),
      ("value($..op) == \"run\"", true), ("$.state.big == 9007199254740993", true),
      ("$.state.big == 9007199254740992", false), ("$.state.big > 9007199254740992.5", true),
      ("length($.state.name) == 4", true), ("@.seq == 12", true), ("true == true", true),
      ("$.state.count == -1.0e0", true), ("$.missing == $.alsoMissing", true),
    ] as [(String, Bool)]
  )
  func holds(text: String, expected: Bool) throws {
    let expression = try JSONPath.Expression(parsing: text)
    #expect(expression.holds(for: try JSON(parsing: Self.event)) == expected)
  }

  @Test(
    "A syntax error of an expression gives the column and what was expected",
    arguments: [
      (
        "",
        "found the end, expected a place such as count, a case such as .saved, '$', '@', a string, a number, true, false, null or a function, at column 1 of "
      ),
      (
        "$.count = 0",
        "found '=', expected '==', at column 9 of $.count = 0; did you mean $.count == 0?"
      ),
      (
        "$.count < ",
        "found the end, expected a place such as count, a case such as .saved, '$', '@', a string, a number, true, false, null or a function, at column 11 of $.count < "
      ),
      ("($.a", "found the end, expected '&&', '||' or ')', at column 5 of ($.a"),
      (
        "$.a[",
        "found the end, expected a quoted name, an index, a slice, '*' or '?', at column 5 of $.a["
      ),
      (
        "$.a[01]",
        "found '0', expected an integer without leading zeros, and without '-' before 0, at column 5 of $.a[01]"
      ),
      ("$.a['b]", "found the end, expected the closing ', at column 8 of $.a['b]"),
      ("$.a.", "found the end, expected a name or '*', at column 5 of $.a."),
      (
        "$.a[9007199254740992]",
        "the integer is beyond ±(2^53 - 1), at column 5 of $.a[9007199254740992]"
      ),
      (
        "lenght($.a) > 1",
        "there is no such function; expected 'length', at column 1 of lenght($.a) > 1"
      ),
      ("sum($.a) > 1", "there is no such function; expected 'search', at column 1 of sum($.a) > 1"),
      (
        "nope($.a)",
        "there is no such function; expected 'length', 'count', 'match', 'search' or 'value', at column 1 of nope($.a)"
      ),
      (
        "length($.a, $.b) > 1",
        "'length' takes 1 argument; found 2, at column 1 of length($.a, $.b) > 1"
      ),
      (
        "$.a[*] == 1",
        "the query can select many values, expected one of names and indices alone, at column 1 of $.a[*] == 1"
      ),
      (
        "length($.a)",
        "a value is not a condition: compare it, with '==' for example, at column 1 of length($.a)"
      ),
      (
        "true", "a value is not a condition: compare it, with '==' for example, at column 1 of true"
      ),
      (
        "match($.a, 'b') == true",
        "a condition is not a value: it cannot be compared or passed on, at column 1 of match($.a, 'b') == true"
      ),
      (
        "count(1) == 1", "'count' takes a query, such as '@.items[*]', at column 7 of count(1) == 1"
      ),
    ] as [(String, String)]
  )
  func refuses(text: String, message: String) {
    #expect {
      try JSONPath.Expression(parsing: text)
    } throws: {
      String(describing: $0) == message
    }
  }

  @Test(
    "An expression with more than 100 levels of nesting is refused",
    arguments: ["(", "$[?", "!(", "length("]
  )
  func nesting(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    #expect {
      try JSONPath.Expression(parsing: text)
    } throws: {
      String(describing: $0).hasPrefix("more than 100 levels of nesting, at column ")
    }
  }

  @Test(
    "An expression lists the root members that it reads, or nil if it may read any",
    arguments: [
      ("$.state.count < 0", ["state"]),
      ("$.state.todos[?@.done == $.action.flag] && $.seq > 1", ["action", "seq", "state"]),
      ("$['before'].a != $['state'].a", ["before", "state"]),
      ("length(@.effects) > 0", ["effects"]),
      ("value($..count) == 1", nil), ("count($.*) > 2", nil), ("$.state[?$..a]", nil), ("$", nil),
    ] as [(String, [String]?)]
  )
  func rootMembers(text: String, names: [String]?) throws {
    #expect(try JSONPath.Expression(parsing: text).rootMembers?.sorted() == names)
  }

  @Test(
    "JSONPath agrees with the public suite of RFC 9535",
    .enabled(if: ProcessInfo.processInfo.environment["CONFORMANCE_DIR"] != nil)
  )
  func conformance() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["CONFORMANCE_DIR"])
    let url = URL(fileURLWithPath: folder).appendingPathComponent("jsonpath-cts.json")
    let cases = try #require(JSON(parsing: Data(contentsOf: url))["tests"]?.array)
    for test in cases {
      let selector = try #require(test["selector"]?.string)
      let comment = Comment(rawValue: test["name"]?.string ?? selector)
      guard test["invalid_selector"]?.bool != true else {
        #expect(throws: JSONPath.SyntaxError.self, comment) { try JSONPath(parsing: selector) }
        continue
      }
      let document = try #require(test["document"])
      let nodes: [JSONPath.Node]
      do { nodes = try JSONPath(parsing: selector).nodes(in: document) } catch {
        Issue.record(error, comment)
        continue
      }
      let results = test["result"].map { [$0] } ?? test["results"]?.array ?? []
      let values = JSON.array(nodes.map(\.value))
      #expect(results.contains(values), comment)
      let paths = test["result_paths"].map { [$0] } ?? test["results_paths"]?.array ?? []
      let normalizedPaths = JSON.array(nodes.map { .string($0.normalizedPath) })
      #expect(paths.contains(normalizedPaths), comment)
    }
    #expect(cases.count > 700)
  }
}
