import ActionLog
import TCARecorder
import Testing

/// The patches for changes of many rows.
@Suite("Patches of rows")
struct PatchSizeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let patch: String
    let change: @Sendable (inout [Menagerie.Row]) -> Void
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "nothing", patch: "[]") { _ in },
    Case(name: "the same rows in other storage", patch: "[]") { rows in
      rows = rows.map { row in
        var copy = row
        copy.title = String(decoding: Array(row.title.utf8), as: UTF8.self)
        return copy
      }
    },
    Case(
      name: "a member of a row",
      patch: #"[{"op":"replace","path":"/list/7/isDone","value":true}]"#
    ) { $0[7].isDone = true },
    Case(
      name: "members of two rows",
      patch: #"[{"op":"replace","path":"/list/7/isDone","value":true},"#
        + #"{"op":"replace","path":"/list/90/weight","value":1.0}]"#
    ) {
      $0[7].isDone = true
      $0[90].weight = 1
    },
    Case(name: "a row removed", patch: #"[{"op":"remove","path":"/list/0"}]"#) {
      $0.removeFirst()
    },
    Case(
      name: "rows removed",
      patch: #"[{"op":"remove","path":"/list/50"},{"op":"remove","path":"/list/3"}]"#
    ) {
      $0.remove(at: 50)
      $0.remove(at: 3)
    },
    Case(
      name: "a row inserted",
      patch: #"[{"op":"add","path":"/list/40","value":"#
        + #"{"id":-1,"title":"","isDone":false,"weight":0.0,"tags":[]}}]"#
    ) { $0.insert(Menagerie.Row(id: -1), at: 40) },
    Case(
      name: "a row moved to the end",
      patch: #"[{"op":"move","from":"/list/10","path":"/list/99"}]"#
    ) { $0.append($0.remove(at: 10)) },
    Case(
      name: "a row moved to the front",
      patch: #"[{"op":"move","from":"/list/60","path":"/list/0"}]"#
    ) { $0.insert($0.remove(at: 60), at: 0) },
    Case(
      name: "two rows swapped",
      patch: #"[{"op":"move","from":"/list/70","path":"/list/2"},"#
        + #"{"op":"move","from":"/list/3","path":"/list/70"}]"#
    ) { $0.swapAt(2, 70) },
    Case(
      name: "a row moved and another changed",
      patch: #"[{"op":"move","from":"/list/10","path":"/list/99"},"#
        + #"{"op":"replace","path":"/list/5/isDone","value":true}]"#
    ) {
      $0[5].isDone = true
      $0.append($0.remove(at: 10))
    },
    Case(
      name: "a row replaced, which is shorter than its members",
      patch: #"[{"op":"replace","path":"/list/4","value":"#
        + #"{"id":-1,"title":"","isDone":true,"weight":1.0,"tags":[]}}]"#
    ) { $0[4] = Menagerie.Row(id: -1, isDone: true, weight: 1) },
  ]

  @Test("A patch of an array of rows has the minimum number of operations", arguments: cases)
  func operations(_ testCase: Case) throws {
    var old = Menagerie()
    old.list = (0..<100).map {
      Menagerie.Row(id: $0, title: "the title of row number \($0)", tags: ["a"])
    }
    var new = old
    testCase.change(&new.list)
    var tracked = Tracked(old)
    let (json, patch) = try tracked.change(from: old, to: new)
    #expect(patch.json.description == testCase.patch)
    #expect(json == JSON(logging: new))
  }

  /// A container that is filled, emptied or mostly changed, and its patch.
  struct Filled: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var patch: String
    var old: @Sendable (inout Menagerie) -> Void = { _ in }
    let new: @Sendable (inout Menagerie) -> Void
  }

  private static func replaced(_ member: String, _ value: String) -> String {
    #"[{"op":"replace","path":"/\#(member)","value":\#(value)}]"#
  }

  private static let numbers = (0..<1000).map(String.init).joined(separator: ",")

  static let filled: [Filled] = [
    Filled(testDescription: "1,000 numbers", patch: replaced("numbers", "[\(numbers)]")) {
      $0.numbers = Array(0..<1000)
    },
    Filled(
      testDescription: "one number",
      patch: #"[{"op":"add","path":"/numbers/0","value":7}]"#
    ) { $0.numbers = [7] },
    Filled(
      testDescription: "rows with ids",
      patch: replaced(
        "rows",
        "["
          + (1...2)
          .map { #"{"id":\#($0),"title":"","isDone":false,"weight":0.0,"tags":[]}"# }
          .joined(separator: ",") + "]"
      )
    ) { $0.rows = [Menagerie.Row(id: 1), Menagerie.Row(id: 2)] },
    Filled(testDescription: "a set", patch: replaced("names", #"["a","b"]"#)) {
      $0.names = ["a", "b"]
    },
    Filled(testDescription: "a dictionary", patch: replaced("index", #"{"1":"a","2":"b"}"#)) {
      $0.index = [1: "a", 2: "b"]
    },
    Filled(testDescription: "a stack", patch: replaced("path", Self.stack(2))) {
      for count in 0..<2 { $0.path.append(Child.State(count: count)) }
    },
    Filled(
      testDescription: "objects",
      patch: replaced("boxes", #"[{"value":0},{"value":0}]"#)
    ) { $0.boxes = [Box(), Box()] },
    Filled(
      testDescription: "an array that is emptied",
      patch: replaced("numbers", "[]"),
      old: { $0.numbers = [1, 2, 3] },
      new: { $0.numbers = [] }
    ),
    Filled(
      testDescription: "a set that is emptied",
      patch: replaced("names", "[]"),
      old: { $0.names = ["a", "b"] },
      new: { $0.names = [] }
    ),
    Filled(
      testDescription: "a dictionary that is emptied",
      patch: replaced("index", "{}"),
      old: { $0.index = [1: "a", 2: "b"] },
      new: { $0.index = [:] }
    ),
    Filled(
      testDescription: "an array of which all numbers change",
      patch: replaced("numbers", "[10,20,30,40]"),
      old: { $0.numbers = [1, 2, 3, 4] },
      new: { $0.numbers = [10, 20, 30, 40] }
    ),
    Filled(
      testDescription: "an array that grows by many",
      patch: replaced("numbers", "[1,2,3,4]"),
      old: { $0.numbers = [1] },
      new: { $0.numbers = [1, 2, 3, 4] }
    ),
    Filled(
      testDescription: "a dictionary of which all values change",
      patch: replaced("index", #"{"1":"c","2":"d"}"#),
      old: { $0.index = [1: "a", 2: "b"] },
      new: { $0.index = [1: "c", 2: "d"] }
    ),
    Filled(
      testDescription: "two long rows of three",
      patch: #"[{"op":"replace","path":"/list/0/isDone","value":true},"#
        + #"{"op":"replace","path":"/list/1/isDone","value":true}]"#,
      old: { state in
        state.list = (0..<3).map { Menagerie.Row(id: $0, title: "the title of row number \($0)") }
      },
      new: {
        $0.list[0].isDone = true
        $0.list[1].isDone = true
      }
    ),
  ]

  private static func stack(_ count: Int) -> String {
    var state = Menagerie()
    for count in 0..<count { state.path.append(Child.State(count: count)) }
    return "\(JSON(logging: state)["path"] ?? .null)"
  }

  @Test(arguments: filled)
  func `A container is written as one value if that is shorter than its operations`(
    _ filled: Filled
  ) throws {
    var old = Menagerie()
    filled.old(&old)
    var new = old
    filled.new(&new)
    var tracked = Tracked(old)
    let (json, patch) = try tracked.change(from: old, to: new)
    #expect(patch.json.description == filled.patch)
    #expect(json == JSON(logging: new))
  }

  struct ParcelCase: Sendable, CustomTestStringConvertible {
    let name: String
    let patch: String
    let change: @Sendable (inout IdentifiedArrayOf<Menagerie.Parcel>) -> Void
    var testDescription: String { name }
  }

  static let parcelCases: [ParcelCase] = [
    ParcelCase(name: "nothing", patch: "[]") { _ in },
    ParcelCase(
      name: "what lies behind references",
      patch: #"[{"op":"replace","path":"/parcels/7/weight","value":8},"#
        + #"{"op":"replace","path":"/parcels/60/box/value","value":1}]"#
    ) {
      $0[7].$weight.withLock { $0 += 1 }
      $0[60].box?.value += 1
    },
    ParcelCase(name: "a row removed", patch: #"[{"op":"remove","path":"/parcels/0"}]"#) {
      $0.removeFirst()
    },
    ParcelCase(
      name: "a row removed and another changed behind a reference",
      patch: #"[{"op":"remove","path":"/parcels/3"},"#
        + #"{"op":"replace","path":"/parcels/59/box/value","value":1}]"#
    ) {
      $0.remove(at: 3)
      $0[59].box?.value += 1
    },
    ParcelCase(
      name: "a row moved and changed behind a reference",
      patch: #"[{"op":"move","from":"/parcels/10","path":"/parcels/99"},"#
        + #"{"op":"replace","path":"/parcels/99/weight","value":11}]"#
    ) {
      $0.append($0.remove(at: 10))
      $0[99].$weight.withLock { $0 += 1 }
    },
    ParcelCase(
      name: "a row inserted",
      patch: #"[{"op":"add","path":"/parcels/40","value":"#
        + #"{"id":-1,"note":"","box":null,"weight":-1,"labels":["a label","another label"]}}]"#
    ) { $0.insert(Menagerie.Parcel(id: -1, box: nil), at: 40) },
  ]

  @Test(
    "A patch of rows with references has the minimum number of operations, as does the next patch",
    arguments: parcelCases
  )
  func parcels(_ testCase: ParcelCase) throws {
    var old = Menagerie()
    old.parcels = IdentifiedArray(uniqueElements: (0..<100).map { .init(id: $0, box: Box()) })
    var new = old
    var tracked = Tracked(old)
    testCase.change(&new.parcels)
    let (json, patch) = try tracked.change(from: old, to: new)
    #expect(patch.json.description == testCase.patch)
    #expect(json == JSON(logging: new))

    // Each row is still compared with its last encoding.
    for parcel in new.parcels { parcel.box?.value += 10 }
    let (later, changes) = try tracked.change(from: new, to: new)
    #expect(changes.operations.count == new.parcels.count { $0.box != nil })
    #expect(later == JSON(logging: new))
  }
}
