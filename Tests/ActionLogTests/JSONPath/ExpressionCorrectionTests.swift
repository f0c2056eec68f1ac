import ActionLog
import Testing

/// Invalid expressions and the suggested corrections.
@Suite struct ExpressionCorrectionTests {
  static let corrections: [(typed: String, meant: String?)] = [
    // Operators.
    ("count = 3", "count == 3"), ("count === 3", "count == 3"), ("count !== 3", "count != 3"),
    ("count <> 3", "count != 3"), ("a & b", "a && b"), ("a | b", "a || b"),
    ("a > 1 & b = 2", "a > 1 && b == 2"), ("$.state.count = 3", "$.state.count == 3"),
    // Words.
    ("a AND b", "a and b"), ("a OR b", "a or b"), ("NOT a", nil), ("note is nil", "note == nil"),
    ("note is not nil", "note != nil"), ("count equals 3", "count == 3"),
    ("note includes 'a'", "note contains 'a'"),
    // Optionals and numbers of Swift.
    ("rows[0]?.title == 'a'", "rows[0].title == 'a'"), ("user!.name == 'a'", "user.name == 'a'"),
    ("count > 1_000_000", "count > 1000000"),
    // Quotes of copied text.
    ("note == “a”", "note == \"a\""), ("note == ‘a’", "note == 'a'"),
    // Prefixes and suffixes of texts.
    (#"note.hasPrefix("a.b")"#, #"match(note, "a[.]b.*")"#),
    (#"isDone && note.hasSuffix("a")"#, #"isDone && match(note, ".*a")"#),
    // Queries with features that only paths have.
    ("$.state.rows[#1].title == 'a'", "rows[#1].title == 'a'"),
    ("isDone && $.before.rows[#1].isDone", "isDone && before.rows[#1].isDone"),
    ("$.state.orders[*].total > 2000", "orders[*].total > 2000"),
    // Numbers of elements, and cases, in other languages.
    ("rows == []", "rows.isEmpty"),
    ("isDone && rows[0].tags != []", "isDone && !rows[0].tags.isEmpty"),
    ("count(rows) > 1", "rows.count > 1"), ("len(rows) > 1", "rows.count > 1"),
    ("case .saved", ".saved"), ("isDone && case .saved", "isDone && .saved"),
    ("$state.count > 1", "state.count > 1"),
    // Conversions, defaults, ranges and ends in other languages.
    ("!!isDone", "isDone"), ("a && !!(count > 3)", "a && (count > 3)"), ("!!!isDone", "!isDone"),
    ("count ?? 0 > 1", "count > 1"), ("(count ?? 0) > 1", "(count) > 1"),
    ("isDone ?? false", "isDone"), ("isDone ?? true", "isDone != false"),
    ("isDone ?? false && count > 1", "isDone && count > 1"),
    ("isDone ?? false == false", nil), ("note ?? '' == ''", nil), ("count ??", nil),
    // The result for a missing value would differ.
    ("count ?? 0 != 0", nil), ("count ?? 0 >= 0", nil), ("count ?? 0 <= 1", nil),
    ("count ?? 2 > 1", nil), ("count ?? 0 < 1", nil), ("(count ?? 0) != 0", nil),
    ("$.state.count ?? 0 != 0", nil), ("note ?? '' != 'a'", "note != 'a'"),
    ("isDone ?? true == true", nil), ("isDone ?? false != false", nil),
    ("count ?? 0 > limit", nil),
    // The result for a missing value is the same.
    ("count ?? 0 != 1", "count != 1"), ("count ?? 0 == 1", "count == 1"),
    ("count ?? 0 >= 1", "count >= 1"), ("count ?? 0 < -1", "count < -1"),
    ("count ?? 5 <= 1", "count <= 1"), ("note ?? '' == 'a b'", "note == 'a b'"),
    ("isDone ?? false == true", "isDone == true"),
    ("$.state.count ?? 0 > 1", "$.state.count > 1"),
    ("count in 1...3", "count >= 1 && count <= 3"),
    ("isDone && rows[0].count in 1..<3", "isDone && (rows[0].count >= 1 && rows[0].count < 3)"),
    ("total in -1.5...2.5 || isDone", "(total >= -1.5 && total <= 2.5) || isDone"),
    ("!(count in 1...3)", "!((count >= 1 && count <= 3))"),
    ("count in [1, 2]", "count == 1 || count == 2"), ("note in ['a']", "note == 'a'"),
    ("count in rows", nil), ("count in []", nil),
    ("rows[-1].title == 'a'", "$.state.rows[-1].title == 'a'"),
    ("isDone && before.rows[-2].isDone", "isDone && $.before.rows[-2].isDone"),
    // No suggestion is available for these.
    ("count >", nil), ("rows.filter { $0.isDone }", nil), ("(count > 3", nil),
  ]

  @Test(arguments: corrections)
  func `an error of an expression suggests the one that was most likely meant`(
    typed: String,
    meant: String?
  )
    throws
  {
    let error = #expect(throws: JSONPath.SyntaxError.self) {
      try JSONPath.Expression(parsing: typed)
    }
    #expect(error?.correction == meant)
    if let meant {
      #expect("\(error, default: "")".hasSuffix("of \(typed); did you mean \(meant)?"))
      _ = try JSONPath.Expression(parsing: meant)
    }
  }

  @Test func `an error of a computation suggests the one that was most likely meant`() {
    let error = #expect(throws: JSONPath.SyntaxError.self) {
      try JSONPath.Computation(parsing: "rows[0]?.count * 1_000")
    }
    #expect(error?.correction == "rows[0].count * 1000")
  }
}
