import ActionLog
import Testing

/// Comparisons in expressions, which compare values independent of their spellings.
@Suite("Compared values") struct ComparedValueTests {
  /// Two values of a log, and the comparisons that hold between them.
  struct Case: Sendable, CustomTestStringConvertible {
    let left: JSON
    let right: JSON
    let holds: Set<String>
    var testDescription: String { "\(left) and \(right)" }

    init(_ left: JSON, _ right: JSON, _ holds: Set<String>) {
      (self.left, self.right, self.holds) = (left, right, holds)
    }
  }

  private static let equal: Set<String> = ["==", "<=", ">="]
  private static let less: Set<String> = ["!=", "<", "<="]
  private static let greater: Set<String> = ["!=", ">", ">="]
  private static let unequal: Set<String> = ["!="]

  private static let inf: JSON = ["$double": "inf"]
  private static let negativeInf: JSON = ["$double": "-inf"]
  private static let nan: JSON = ["$double": "nan"]

  static let cases: [Case] = [
    // Dates with any number of digits.
    Case("2026-01-01T00:00:01.5Z", "2026-01-01T00:00:01Z", greater),
    Case("2026-01-01T00:00:01.50Z", "2026-01-01T00:00:01.5Z", equal),
    Case("2026-01-01T00:00:01.0Z", "2026-01-01T00:00:01Z", equal),
    Case("2026-01-01T00:00:00.9999999Z", "2026-01-01T00:00:01Z", less),
    Case("1999-12-31T23:59:59.25Z", "1999-12-31T23:59:59.5Z", less),
    // Tagged dates.
    Case(["$date": -0.5], "2001-01-01T00:00:00Z", less),
    Case(["$date": -0.5], "2000-12-31T23:59:59.5Z", equal),
    Case(["$date": -0.5], ["$date": -1.5], greater),
    Case(["$date": 260_000_000_000.0], "9999-12-31T23:59:59Z", greater),
    Case(["$date": -63_114_076_800.0], "4001-01-01T00:00:00Z", less),
    Case(["$date": -0.0], "2001-01-01T00:00:00Z", equal),
    // Texts that are not dates.
    Case("2026-01-01", "2026-01-01T00:00:01Z", less),
    Case("2026-13-01T00:00:00Z", "2026-13-01T00:00:00.0Z", greater),
    Case("a", "b", less),
    Case(["$date": 0], "a", unequal),
    Case(["$date": 0], 0, unequal),
    // Durations and decimals are numbers with all their digits.
    Case(1.5, 1, greater),
    number("0.1000", "0.1", equal),
    number("1e2", "100.0", equal),
    number("-0.0", "0", equal),
    number(
      "99999999999999999999999999999999999999",
      "99999999999999999999999999999999999998",
      greater
    ),
    number("0.000000000000000001", "0.000000000000000002", less),
    // Numbers that JSON cannot write.
    Case(inf, 5, greater),
    Case(5, inf, less),
    Case(negativeInf, number("-1e400"), less),
    Case(inf, inf, equal),
    Case(negativeInf, inf, less),
    Case(nan, nan, equal),
    Case(["$decimal": "nan"], nan, equal),
    Case(nan, 1, unequal),
    Case(nan, inf, unequal),
    // Values within others.
    Case([["at": "2026-01-01T00:00:00.0Z"]], [["at": "2026-01-01T00:00:00Z"]], equal),
    Case(["limit": inf], ["limit": inf], equal),
    Case(["a": 1], ["b": 1], unequal),
    Case([:], [1], unequal),
    // Optionals.
    Case(["$some": .null], .null, unequal),
    Case(["$some": .null], ["$some": .null], equal),
    Case(.null, .null, equal),
    Case(true, true, equal),
    Case(true, 1, unequal),
  ]

  private static func number(_ left: String, _ right: String, _ holds: Set<String>) -> Case {
    Case(number(left), number(right), holds)
  }

  private static func number(_ literal: String) -> JSON {
    JSON.Number(literal).map(JSON.number) ?? .null
  }

  @Test(arguments: cases) func `expressions compare dates, numbers and optionals by their meaning`(
    testCase: Case
  ) throws {
    let root: JSON = ["left": testCase.left, "right": testCase.right]
    for (first, second) in [("left", "right"), ("right", "left")] {
      let holds = try ["==", "!=", "<", "<=", ">", ">="].filter { comparison in
        try JSONPath.Expression(parsing: "$.\(first) \(comparison) $.\(second)").holds(for: root)
      }
      let swapped = testCase.holds.map { first == "left" ? $0 : Self.swapped[$0] ?? $0 }
      #expect(Set(holds) == Set(swapped))
    }
  }

  private static let swapped = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]

  @Test func `length does not apply to a tagged value`() throws {
    let expression = try JSONPath.Expression(parsing: "length($.value) >= 0")
    #expect(!expression.holds(for: ["value": ["$date": -0.5]]))
    #expect(expression.holds(for: ["value": ["$$date": -0.5]]))
    #expect(expression.holds(for: ["value": [:]]))
  }
}
