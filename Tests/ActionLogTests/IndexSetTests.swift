import ActionLog
import Foundation
import Testing

/// Sets of indexes in a log.
@Suite struct IndexSetTests {
  private func decoded(_ json: String) throws -> IndexSet {
    try LogDecoder(JSON(parsing: json)).value(IndexSet.self)
  }

  @Test(arguments: [IndexSet(), [0], [1, 2, 5], IndexSet(0..<2_000_000)])
  func `an index set is written as Foundation encodes it, and reads back`(set: IndexSet) throws {
    let json = JSON(logging: set)
    #expect(json == (try JSON(parsing: Array(JSONEncoder().encode(set)))))
    #expect(try decoded(json.description) == set)
  }

  @Test func `a list of indexes reads as an index set`() throws {
    #expect(try decoded("[5,1,2]") == [1, 2, 5])
    #expect(try decoded("[]") == [])
  }

  @Test func `a change replaces the complete set, which reads as a list`() throws {
    struct Row: Sendable {
      var old: IndexSet
      var new: IndexSet
      var text: String
    }
    for row in [
      Row(old: [0, 1], new: [0, 1, 2], text: "[0, 1, 2]"),
      Row(old: [0, 1, 2], new: [0, 2], text: "[0, 2]"),
      Row(old: [1], new: [1, 5], text: "[1, 5]"),
    ] {
      var tracker = StateTracker()
      _ = tracker.begin(["rows": row.old])
      let patch = tracker.patch(from: ["rows": row.old], to: ["rows": row.new])
      let place = try JSON.Pointer(parsing: "/rows")
      #expect(patch.operations == [.replace(place, JSON(logging: row.new))])
      #expect(Notation().value(JSON(logging: row.new)) == row.text)
    }
    var tracker = StateTracker()
    _ = tracker.begin(["rows": IndexSet([1])])
    #expect(tracker.patch(from: ["rows": IndexSet([1])], to: ["rows": IndexSet([1])]).isEmpty)
  }

  @Test(arguments: [
    "null", "1", "[-1]", "[1.5]", "[9223372036854775807]",
    #"{"indexes":[{"location":-1,"length":1}]}"#,
    #"{"indexes":[{"location":1,"length":0}]}"#, #"{"indexes":[{"location":1}]}"#,
    #"{"indexes":[{"location":2,"length":9223372036854775807}]}"#,
  ])
  func `anything else is refused`(json: String) {
    #expect(throws: LogDecodingError.self) { try decoded(json) }
  }
}
