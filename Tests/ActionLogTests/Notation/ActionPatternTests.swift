import ActionLog
import Testing

/// Actions in the form in which users type them.
@Suite struct ActionPatternTests {
  static let report =
    #"{"path":{"_0":{"element":{"id":2,"action":{"report":{"_0":{"alert":{"_0":{"dismiss":{}}}}}}}}}}"#
  static let saved =
    #"{"saved":{"_0":{"failure":{"_0":{"$error":{"type":"SignUpError","description":"busy(retryAfter: 1)","symbol":"s","value":{"busy":{"retryAfter":1}}}}}}}}"#
  static let title = #"{"titleChanged":{"id":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A","_1":"Milk"}}"#
  static let add = #"{"destination":{"_0":{"presented":{"_0":{"add":{"_0":{"submitted":{}}}}}}}}"#

  static let moved = #"{"moved":{"_0":1,"_1":2,"_2":3,"_3":4,"_4":5}}"#
  static let marked = #"{"moved":{"_0":1,"_1":2,"_2":3,"_3":4,"isLast":true}}"#

  static let patterns: [(pattern: String, action: String, matches: Bool)] = [
    (".path[2].report", report, true), ("path[2].report", report, true), (".path", report, true),
    (".path[]", report, true), (".path[*].report.alert", report, true), (".path[3]", report, false),
    (".path[2].report.alert.dismiss", report, true), (".path[2].visit", report, false),
    (".path.report", report, false), (".report", report, false),
    (".saved(.failure)", saved, true), (".saved(.success)", saved, false), (".saved", saved, true),
    (".saved(.failure(.busy))", saved, true), (".saved(.failure(SignUpError.busy))", saved, true),
    (".saved(.failure(.busy(retryAfter: 1)))", saved, true),
    (".saved(.failure(.busy(retryAfter: 2)))", saved, false),
    (".saved(.failure(OtherError.busy))", saved, false), (".saved(_)", saved, true),
    (".titleChanged(id: …AC1A)", title, true), (".titleChanged(id: …ac1a, \"Milk\")", title, true),
    (".titleChanged(id: …0001)", title, false), (".titleChanged(\"Milk\")", title, true),
    (".titleChanged(\"Tea\")", title, false),
    (".titleChanged(id: 69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A)", title, true),
    (".destination.add", add, true), (".destination.presented.add", add, true),
    (".destination.dismiss", add, false), (".destination.add.submitted", add, true),
    // Omitted arguments in the middle.
    (".moved(1, … 2 more …, 4, 5)", moved, true), (".moved(1, … 2 more …, 5, 5)", moved, false),
    (".moved(1, … 2 more …, 4, 4)", moved, false), (".moved(1, 2, … 2 more …, 5)", moved, true),
    (".moved(… 3 more …, 4, 5)", moved, true),
    (".moved(1, 2, 3, … 1 more …, 3, 4, 5)", moved, false),
    (".moved(1, … 2 more …, 4, isLast: true)", marked, true),
    (".moved(1, … 2 more …, 5, isLast: true)", marked, false),
    (".moved(1, … 2 more …, 4, isLast: false)", marked, false),
  ]

  @Test(arguments: patterns)
  func `an action pattern matches the actions that it names`(
    pattern: String,
    action: String,
    matches: Bool
  ) throws {
    #expect(try ActionPattern(parsing: pattern).matches(JSON(parsing: action)) == matches)
  }

  @Test(arguments: [
    ("", "found the end, expected the name of a case, at column 1 of "),
    (".a(", "found the end, expected a value, at column 4 of .a("),
    (".a(1", "found the end, expected ',' or ')', at column 5 of .a(1"),
    (".a b", "found 'b', expected '.', '[', '(' or the end, at column 4 of .a b"),
    (".a[2", "found the end, expected ']', at column 5 of .a[2"),
    (".a(\"x", "found the end, expected '\"' at the end of the text, at column 6 of .a(\"x"),
  ])
  func `a malformed action pattern is refused with the column and what was expected`(
    text: String,
    message: String
  ) {
    let error = #expect(throws: NotationSyntaxError.self) { try ActionPattern(parsing: text) }
    #expect(error?.description == message)
  }

  @Test func `an action pattern with 100,000 levels is refused`() {
    let text = String(repeating: ".a(", count: 100_000)
    #expect(throws: NotationSyntaxError.self) { try ActionPattern(parsing: text) }
    #expect(throws: NotationSyntaxError.self) {
      try ActionPattern(parsing: String(repeating: ".a", count: 100_000))
    }
  }
}
