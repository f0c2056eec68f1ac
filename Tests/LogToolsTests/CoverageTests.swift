import ActionLog
import ReplayEngine
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayCommands

/// The parts of `coverage`: sets, the selection of logs, paths.
@Suite struct CoverageTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `BitSet agrees with a set of numbers in every operation`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      func numbers() -> Set<Int> {
        Set(
          (0..<Int.random(in: 0...20, using: &random)).map { _ in
            .random(in: 0..<200, using: &random)
          }
        )
      }
      let (one, other) = (numbers(), numbers())
      let (left, right) = (BitSet(one), BitSet(other))
      var union = left
      union.formUnion(right)
      #expect(left.numbers == one.sorted())
      #expect(left.count == one.count)
      #expect(left.isEmpty == one.isEmpty)
      #expect(union.numbers == one.union(other).sorted())
      #expect(left.subtracting(right).numbers == one.subtracting(other).sorted())
      #expect(left.countInCommon(with: right) == one.intersection(other).count)
      #expect(left.isSubset(of: right) == one.isSubset(of: other))
      #expect((left == right) == (one == other))
      // Trailing zeros are ignored.
      let shorter = union.subtracting(right.subtracting(left))
      #expect(shorter == left)
      #expect(shorter.hashValue == left.hashValue)
    }
  }

  @Test(
    "SetCover chooses the minimum number of sets that cover all elements",
    arguments: [4, 5, 6] as [UInt64]
  )
  func smallestChoice(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<150 {
      let sets = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        BitSet(
          (0..<Int.random(in: 0...6, using: &random)).map { _ in .random(in: 0..<14, using: &random)
          }
        )
      }
      var all = BitSet()
      for set in sets { all.formUnion(set) }
      var least = Int.max
      for choice in 0..<(1 << sets.count) {
        var covered = BitSet()
        for index in sets.indices where choice & (1 << index) != 0 {
          covered.formUnion(sets[index])
        }
        if covered == all { least = min(least, choice.nonzeroBitCount) }
      }
      let cover = SetCover(of: sets)
      #expect(cover.isSmallest)
      #expect(cover.chosen.count == least, "seed \(seed)")
      var covered = BitSet()
      for (index, added) in zip(cover.chosen, cover.added) {
        #expect(sets[index].subtracting(covered).count == added)
        covered.formUnion(sets[index])
      }
      #expect(covered == all)
      #expect(cover.added == cover.added.sorted(by: >))
      // Without a search, the result is also a cover.
      var greedy = BitSet()
      for index in SetCover(of: sets, mostSteps: 0).chosen { greedy.formUnion(sets[index]) }
      #expect(greedy == all)
    }
  }

  @Test func `SetCover chooses the cheaper set if two sets cover the same elements`() {
    let sets = [[1, 2], [1, 2], [3]].map { BitSet($0) }
    #expect(SetCover(of: sets, costs: [9, 4, 1]).chosen == [1, 2])
    #expect(SetCover(of: sets, costs: [4, 9, 1]).chosen == [0, 2])
    #expect(SetCover(of: sets).added == [2, 1])
  }

  /// A greedy selection starts with the largest set, which is not needed.
  @Test func `SetCover finds a smaller choice than a greedy selection`() {
    let sets = [[1, 2, 3, 4], [1, 2, 5], [3, 4, 6]].map { BitSet($0) }
    #expect(SetCover(of: sets).chosen == [1, 2])
    #expect(SetCover(of: sets).isSmallest)
    #expect(!SetCover(of: sets, mostSteps: 0).isSmallest)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let outline: TypeOutline?
    let state: JSON
    let patch: String
    /// The paths, with `=` after those that hold a value and `!` after those that were written.
    let places: [String]
  }

  static let cases: [Case] = [
    Case(
      testDescription: "members and rows",
      outline: nil,
      state: ["rows": [["id": 1, "title": "a"]], "filter": "all", "note": .null],
      patch: #"[{"op":"replace","path":"/rows/0/title","value":"b"}]"#,
      places: ["rows[*].id =", "rows[*].title =!", "filter =", "note ="]
    ),
    Case(
      testDescription: "cases, optionals and stacks",
      outline: nil,
      state: [
        "sheet": ["edit": ["_0": ["name": "a"]]], "maybe": ["$some": .null],
        "path": [["id": 0, "element": ["detail": ["_0": ["text": ""]]]]],
        "pair": ["both": ["_0": 1, "_1": ["x": 2]]],
      ],
      patch:
        #"[{"op":"replace","path":"/path/0/element/detail/_0/text","value":"b"},{"op":"replace","path":"/sheet/edit/_0/name","value":""},{"op":"replace","path":"/pair/both/_1/x","value":3}]"#,
      places: [
        "sheet.edit.name =!", "maybe =", "path[*].detail.text =!", "pair.both.0 =",
        "pair.both.1.x =!",
      ]
    ),
    Case(
      testDescription: "keys of dictionaries",
      outline: .members([.init("names", .elements(.value))]),
      state: [
        "names": ["anna": 1], "byID": ["69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A": ["n": 1]],
        "byText": ["two words": 1], "byNumber": ["7": 1],
      ],
      patch: #"[{"op":"add","path":"/names/bert","value":2},{"op":"remove","path":"/names/anna"}]"#,
      places: ["names[*] =!", "byID[*].n =", "byText[*] =", "byNumber[*] ="]
    ),
    Case(
      testDescription: "what only the types have",
      outline: .members([
        .init("filter", .choice(["all", "done"])),
        .init("rows", .elements(.members([.init("title", .value)]))),
        .init("alert", .cases([.init("ask", [.init("_0", .value)]), .init("tell")])),
      ]),
      state: ["filter": "all", "rows": [], "alert": ["tell": [:]]],
      patch: "[]",
      places: [
        "filter =", #"filter == "all" ="#, #"filter == "done""#, "rows[*].title", "alert.ask",
        "alert.tell =",
      ]
    ),
    Case(
      testDescription: "moves and copies",
      outline: nil,
      state: ["draft": ["title": "a", "tags": ["b"]], "rows": []],
      patch:
        #"[{"op":"copy","from":"/draft","path":"/rows/0"},{"op":"move","from":"/draft/title","path":"/rows/0/title"}]"#,
      places: [
        "draft.title =!", "draft.tags[*] =", "rows[*].title =!", "rows[*].tags[*] =!",
      ]
    ),
    Case(
      testDescription: "a copy within what is copied, and a move that cannot be",
      outline: nil,
      state: ["titles": ["b": 1], "filter": "all"],
      patch:
        #"[{"op":"copy","from":"/titles","path":"/titles/a"},{"op":"move","from":"/filter","path":"/filter/x"}]"#,
      places: ["titles.b =", "titles.a.b =!", "filter.x =!"]
    ),
    Case(
      testDescription: "texts in parts, tags and other values",
      outline: nil,
      state: ["text": "abc", "opaque": ["$opaque": "Image"], "dollar": ["$$name": 1]],
      patch: #"[{"op":"splice","path":"/text","at":0,"remove":1,"insert":"x"}]"#,
      places: ["text =!", "opaque =", "dollar[*] ="]
    ),
    Case(
      testDescription: "a state without parts",
      outline: nil,
      state: 3,
      patch: "[]",
      places: ["state ="]
    ),
  ]

  @Test(arguments: cases)
  func `StatePathTree lists which paths of the state had a value or were changed in a log`(
    testCase: Case
  ) throws {
    var tree = StatePathTree()
    if let outline = testCase.outline { tree.declare(outline) }
    var marks = StatePathTree.ReachedPaths()
    let lines = [
      #"{"kind":"checkpoint","seq":0,"state":\#(testCase.state),"effects":[]}"#,
      #"{"kind":"change","seq":1,"patch":\#(testCase.patch)}"#,
    ]
    for line in lines { tree.markPaths(try #require(LogEvent(line: line.utf8)), &marks) }
    let places = tree.places(marks).map { place in
      let held = marks.held.contains(place.number) ? "=" : ""
      let changed = marks.changed.contains(place.number) ? "!" : ""
      return held + changed == "" ? place.text : "\(place.text) \(held)\(changed)"
    }
    #expect(places == testCase.places)
  }

  @Test(arguments: [200, 400])
  func `copying a value into itself many times adds a limited number of paths to StatePathTree`(
    count: Int
  ) throws {
    let members = (0..<90).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let copies = (0..<count).map { #"{"op":"copy","from":"/a","path":"/a/n\#($0)"}"# }
    let lines = [
      #"{"kind":"checkpoint","seq":0,"state":{"a":{\#(members)}},"effects":[]}"#,
      #"{"kind":"change","seq":1,"patch":[\#(copies.joined(separator: ","))]}"#,
    ]
    var tree = StatePathTree()
    var marks = StatePathTree.ReachedPaths()
    for line in lines { tree.markPaths(try #require(LogEvent(line: line.utf8)), &marks) }
    #expect(tree.places(marks).count < 11_000)
  }
}
