import ActionLog
import Foundation
import ReplayTestSupport
import Testing

@testable import ReplayCommandLine
@testable import ReplayEngine

/// The verdicts on code changes, as complete texts.
@Suite struct DivergenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let change: CounterEngine.Change
    let line: String
    var differences: [String] = []
    var testDescription: String { change.rawValue }
  }

  static let cases = [
    Case(change: .none, line: "identical, through action 16"),
    Case(change: .movesSource, line: "identical, through action 16"),
    Case(change: .addsInternalEffect, line: "identical, through action 16"),
    Case(change: .addsMember, line: "identical, through action 16"),
    Case(
      change: .countsByTwo,
      line: "diverged at action 1: state count",
      differences: ["state", "  count", "    − 1", "    + 2"]
    ),
    Case(
      change: .renamesEffect,
      line: "diverged at action 3: effects 3.0/name",
      differences: ["effects", "  effect 3.0: name", #"    − "load""#, #"    + "fetch""#]
    ),
    Case(
      change: .changesOperation,
      line: "diverged at action 3: effects 3.0/operation and 1 more",
      differences: [
        "effects", "  effect 3.0: operation", #"    − "run""#, #"    + "send""#,
        "  effect 3.0: action", #"    + .done"#,
      ]
    ),
    Case(
      change: .changesCancelID,
      line: "diverged at action 3: effects 3.0/cancelID",
      differences: [
        "effects", "  effect 3.0: cancelID", #"    − CancelID("load")"#,
        #"    + CancelID("other")"#,
      ]
    ),
    Case(
      change: .changesCancelInFlight,
      line: "diverged at action 3: effects 3.0/cancelInFlight",
      differences: ["effects", "  effect 3.0: cancelInFlight", "    − true", "    + false"]
    ),
    Case(
      change: .changesInput,
      line: "diverged at action 3: effects 3.0/input",
      differences: ["effects", "  effect 3.0: input", "    − 1", "    + 2"]
    ),
    Case(
      change: .changesPriority,
      line: "diverged at action 3: effects 3.0/priority",
      differences: ["effects", "  effect 3.0: priority", #"    − "high""#, #"    + "low""#]
    ),
    Case(
      change: .dropsEffect,
      line: "diverged at action 3: effects 3.0 missing",
      differences: [
        "effects", "  effect 3.0 missing",
        #"    − effect 3.0 run 'load' id CancelID("load") canceling what is in flight  input 1"#,
      ]
    ),
    Case(
      change: .addsEffect,
      line: "diverged at action 3: effects 3.0 added",
      differences: ["effects", "  effect 3.0 added", #"    + effect 3.0 run"#]
    ),
    Case(
      change: .swapsSends,
      line: "diverged at action 6: effects 6.0/action and 1 more",
      differences: [
        "effects", "  effect 6.0: action", #"    − .first"#, #"    + .second"#,
        "  effect 6.1: action", #"    − .second"#, #"    + .first"#,
      ]
    ),
    Case(
      change: .changesSentAction,
      line: "diverged at action 7: effects 7.0/action",
      differences: [
        "effects", "  effect 7.0: action", #"    − .third"#, #"    + .second"#,
      ]
    ),
    Case(
      change: .readsDate,
      line: "diverged at action 2: reads date",
      differences: ["reads", "  date", "state", "  id", #"    − "A-1""#, #"    + """#]
    ),
    Case(
      change: .readsNothing,
      line: "diverged at action 2: reads uuid",
      differences: [
        "reads", "  uuid", #"    − "A-1""#, "state", "  id", #"    − "A-1""#, #"    + """#,
      ]
    ),
    Case(
      change: .refuses,
      line: "undecodable at action 1: the value should be a whole number from -9223372036854775808"
        + " to 9223372036854775807 for Int; found \"x\""
    ),
    Case(
      change: .isOpaque,
      line: "not replayable at action 1: the value was not recorded, only its type, Socket: make"
        + " Socket conform to LogValue or Codable"
    ),
  ]

  @Test(arguments: cases)
  func `the verdict lists the differences that a change of the code causes`(_ testCase: Case) throws
  {
    let verdict = try #require(try SampleLog.verdict(SampleLog.lines, testCase.change))
    #expect(VerdictText().line(verdict, through: 16) == testCase.line)
    guard case .diverged(let divergence) = verdict else {
      #expect(testCase.differences.isEmpty)
      return
    }
    #expect(DifferenceText().lines(divergence.differences) == testCase.differences)
  }

  @Test("a difference in a moved element is reported once, with its new values")
  func movedElements() throws {
    let difference = LogDifference(
      seq: 1,
      cause: .state,
      subject: "/rows/2",
      expected: ["id": 3, "title": "c"],
      actual: ["id": 3, "title": "d"],
      movedTo: "/rows/0"
    )
    #expect(LogDifference(json: difference.json) == difference)
    #expect(
      DifferenceText().lines([difference])
        == ["state", "  rows[2]", #"    moved to rows[0]: (id: 3, title: "c")"#]
    )
  }

  @Test func `each code change that CounterEngine supports has a test case`() {
    #expect(Set(Self.cases.map(\.change)) == Set(CounterEngine.Change.allCases))
  }
}
