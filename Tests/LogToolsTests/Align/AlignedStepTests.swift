import ActionLog
import ReplayEngine
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools

/// The comparison of corresponding steps at any positions.
@Suite struct AlignedStepTests {
  /// An action with its reads, its change and its effects.
  struct Step: Sendable {
    var action: String
    var origin = #""view""#
    var reads: [(key: String, value: String)] = []
    var patch = ""
    var effects = ""

    /// Returns the lines of the step.
    func lines(_ seq: Int) -> [String] {
      [#"{"kind":"action","seq":\#(seq),"at":\#(seq),"origin":\#(origin),"action":\#(action)}"#]
        + reads.map { #"{"kind":"read","seq":\#(seq),"key":"\#($0.key)","value":\#($0.value)}"# }
        + [
          #"{"kind":"change","seq":\#(seq),"patch":[\#(patch)],"effects":[\#(effects)],"us":1}"#
        ]
    }
  }

  private static func log(_ steps: [Step], state: String = #"{"count":0}"#) -> [String] {
    [SampleLog.lines[0], #"{"kind":"checkpoint","seq":0,"state":\#(state),"effects":[]}"#]
      + steps.enumerated().flatMap { $1.lines($0 + 1) }
      + [#"{"kind":"end","seq":\#(steps.count),"reason":"closed"}"#]
  }

  private static func compare(
    _ first: [String],
    _ second: [String],
    known: [Int: Int] = [:]
  ) throws -> AlignedComparisonResult {
    var comparison = try AlignedComparison(
      { SampleLog.events(first) },
      { SampleLog.events(second) },
      known: known
    )
    return try comparison.run()
  }

  // MARK: - Moves

  private static let (one, another) = (
    "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
  )

  struct Move: Sendable, CustomTestStringConvertible {
    let name: String
    let old: Step
    let new: Step
    let differences: [String]
    var testDescription: String { name }
  }

  private static func run(_ name: String, _ input: String = "1", id: Int) -> String {
    #"{"id":"\#(id).0","op":"run","name":"\#(name)","input":\#(input)}"#
  }

  static let moves = [
    Move(
      name: "equal",
      old: Step(action: #"{"ask":{}}"#, reads: [("random", "1")], effects: run("ask", id: 1)),
      new: Step(action: #"{"ask":{}}"#, reads: [("random", "1")], effects: run("ask", id: 3)),
      differences: []
    ),
    Move(
      name: "an id that stands for another one",
      old: Step(
        action: #"{"ask":{}}"#,
        reads: [("uuid", #""\#(one)""#)],
        effects: run("ask", #""\#(one)""#, id: 1)
      ),
      new: Step(
        action: #"{"ask":{}}"#,
        reads: [("uuid", #""\#(another)""#)],
        effects: run("ask", #""\#(another)""#, id: 3)
      ),
      differences: []
    ),
    Move(
      name: "an answer",
      old: Step(action: #"{"ask":{}}"#, reads: [("random", "1")]),
      new: Step(action: #"{"ask":{}}"#, reads: [("random", "2")]),
      differences: [#"1 reads random {"key":"random","value":1} {"key":"random","value":2}"#]
    ),
    Move(
      name: "a read more",
      old: Step(action: #"{"ask":{}}"#),
      new: Step(action: #"{"ask":{}}"#, reads: [("random", "2")]),
      differences: [#"1 reads random nil {"key":"random","value":2}"#]
    ),
    Move(
      name: "an input of an effect",
      old: Step(action: #"{"ask":{}}"#, effects: run("ask", id: 1)),
      new: Step(action: #"{"ask":{}}"#, effects: run("ask", "2", id: 3)),
      differences: ["1 effects 1.0 1 2"]
    ),
    Move(
      name: "an effect less",
      old: Step(action: #"{"ask":{}}"#, effects: run("ask", id: 1)),
      new: Step(action: #"{"ask":{}}"#),
      differences: [
        #"1 effects 1.0 {"id":"1.0","op":"run","name":"ask","input":1} nil"#
      ]
    ),
  ]

  @Test(arguments: moves)
  func `aligning compares an action that was moved with the same action in the other log`(
    move: Move
  ) throws {
    let others = [Step(action: #"{"first":{}}"#), Step(action: #"{"second":{}}"#)]
    let logs = try Self.compare(Self.log([move.old] + others), Self.log(others + [move.new]))
    #expect(logs.lone.map(\.movedTo) == [3, 1])
    #expect(
      logs.valueDifferences.map {
        "\($0.seq) \($0.cause) \($0.subject) \($0.expected.map { "\($0)" } ?? "nil") \($0.actual.map { "\($0)" } ?? "nil")"
      } == move.differences
    )
    let places = logs.groups.filter { !$0.differences.isEmpty }.map(\.place)
    #expect(places.allSatisfy { $0 == .actions(first: 1, second: 3) })
  }

  // MARK: - Reads

  @Test func `aligning maps ids returned by the same read, even if other reads precede it`() throws
  {
    func log(_ id: String, _ reads: [(String, String)]) -> [String] {
      Self.log([
        Step(
          action: #"{"add":{}}"#,
          reads: reads + [("uuid", #""\#(id)""#)],
          patch: #"{"op":"replace","path":"/count","value":"\#(id)"}"#
        )
      ])
    }
    let logs = try Self.compare(log(Self.one, []), log(Self.another, [("random", "1")]))
    #expect(logs.mappedCounts == .init(ids: 1, dates: 0, masked: 0))
    #expect(logs.differences.allSatisfy { $0.cause == .reads }, "\(logs.differences)")
  }

  // MARK: - Like actions in a row

  private static func load(_ id: Int) -> Step {
    Step(action: #"{"load":{}}"#, effects: run("load", id: id))
  }

  private static func loaded(_ answer: Int, by cause: Int) -> Step {
    Step(action: #"{"loaded":\#(answer)}"#, origin: #"{"effect":"\#(cause).0"}"#)
  }

  /// Three requests and their answers.
  ///
  /// Each case omits one request and its answer.
  @Test(arguments: [1, 2, 3])
  func `aligning two logs leaves an equal action unpaired if the action's answer is missing too`(
    missing: Int
  ) throws {
    let all = Self.log((1...3).map(Self.load) + (1...3).map { Self.loaded($0 * 10, by: $0) })
    let rest = [1, 2, 3].filter { $0 != missing }
    let answers = rest.enumerated().map { Self.loaded($1 * 10, by: $0 + 1) }
    let fewer = Self.log([1, 2].map(Self.load) + answers)
    let logs = try Self.compare(all, fewer)
    #expect(logs.lone.map(\.seq) == [missing, missing + 3])
    #expect(logs.valueDifferences.isEmpty, "\(logs.valueDifferences)")
    let swapped = try Self.compare(fewer, all)
    #expect(swapped.lone.map(\.seq) == [missing, missing + 3])
    #expect(swapped.valueDifferences.isEmpty, "\(swapped.valueDifferences)")
  }

  private static func toggle(_ value: Bool) -> Step {
    Step(
      action: #"{"toggle":{}}"#,
      patch: #"{"op":"replace","path":"/count","value":\#(value ? 1 : 0)}"#
    )
  }

  @Test(arguments: [1, 2, 3])
  func `aligning two logs respects pairs of actions that are already known`(missing: Int) throws {
    let three = Self.log([true, false, true].map(Self.toggle))
    let two = Self.log([true, false].map(Self.toggle))
    #expect(try Self.compare(three, two).lone.map(\.seq) == [3])
    let rest = [1, 2, 3].filter { $0 != missing }
    let known = Dictionary(uniqueKeysWithValues: zip(rest, 1...2))
    #expect(try Self.compare(three, two, known: known).lone.map(\.seq) == [missing])
  }

  // MARK: - Damaged logs

  @Test func `aligning two logs keeps the order of actions whose changes are missing`() throws {
    let whole = Self.log((1...4).map(Self.load) + [Self.loaded(10, by: 1)])
    let lines = whole.filter { !$0.contains(#""kind":"change""#) }
    var steps = LoggedSteps(SampleLog.events(lines))
    var seqs: [Int?] = []
    while let item = try steps.next() { if case .step(let step) = item { seqs.append(step.seq) } }
    #expect(seqs == [1, 2, 3, 4, 5])
    let logs = try Self.compare(whole, lines)
    #expect(logs.differences.prefix(4).map(\.subject) == (1...4).map { "change \($0)" })
    #expect(AlignedText(logs, "a", "b").groups(Style(hasColor: false)).contains("action 4"))
  }

  // MARK: - Masks

  /// Returns a recording in which a person's name is masked everywhere.
  private static func masked(_ text: String) -> [String] {
    var lines = log(
      [
        Step(
          action: #"{"rename":{"name":"\#(text)"}}"#,
          patch: #"{"op":"replace","path":"/name","value":"\#(text)"}"#,
          effects: run("greet \(text)", #""for \#(text)""#, id: 1)
        ),
        Step(action: #"{"greeted":{"text":"hello \#(text)"}}"#, origin: #"{"effect":"1.0"}"#),
      ],
      state: #"{"name":""}"#
    )
    lines[0] = lines[0].replacing(
      #""segment":1"#,
      with: #""masked":{"state":["/name"],"action":[],"read":[]},"segment":1"#
    )
    return lines
  }

  private static let (mask, otherMask) = ("masked0123456789abcdef01", "maskedfedcba987654321011")

  @Test func `aligning maps the masked texts of one recording to those of the other`() throws {
    let logs = try Self.compare(Self.masked(Self.mask), Self.masked(Self.otherMask))
    #expect(logs.isSame, "\(logs.groups)")
    #expect(logs.mappedCounts == .init(ids: 0, dates: 0, masked: 1))
    #expect(AlignedText(logs, "a", "b").summary == "actions 1 to 2 match; 1 masked text mapped")
  }

  @Test func `aligning two logs reports a difference if one masked text is replaced by another`()
    throws
  {
    let first = Self.masked(Self.mask)
    var second = Self.masked(Self.otherMask)
    let index = try #require(second.firstIndex { $0.contains("greeted") })
    second[index] = second[index].replacing(Self.otherMask, with: "masked000000000000000000")
    let logs = try Self.compare(first, second)
    #expect(logs.differences.map(\.path) == ["/greeted/text"])
  }
}
