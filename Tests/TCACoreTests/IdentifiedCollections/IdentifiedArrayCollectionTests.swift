import Foundation
import TCACore
import Testing

/// Identified arrays in generic code and operators, and elements whose ids change.
@Suite struct IdentifiedArrayCollectionTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var name = ""
  }

  struct ByName: SortComparator, Hashable {
    var order = SortOrder.forward
    func compare(_ lhs: Row, _ rhs: Row) -> ComparisonResult { lhs.name.compare(rhs.name) }
  }

  var rows: IdentifiedArrayOf<Row> = [
    Row(id: 1, name: "c"), Row(id: 2, name: "b"), Row(id: 3, name: "a"),
  ]

  /// Returns the ids in order, and checks that each is found.
  private func ids(_ rows: IdentifiedArrayOf<Row>) -> [Int] {
    for (index, row) in rows.enumerated() {
      #expect(rows.index(id: row.id) == index && rows[id: row.id] == row)
    }
    #expect(rows.ids.elements == rows.map(\.id))
    return rows.map(\.id)
  }

  @Test mutating func `setting an element with another id replaces the element and its id`() {
    rows[1] = Row(id: 9, name: "z")
    #expect(ids(rows) == [1, 9, 3])
    #expect(rows[id: 2] == nil && rows[id: 9]?.name == "z")
    #expect(rows.update(Row(id: 2), at: 1).id == 9)
    #expect(ids(rows) == [1, 2, 3])
    func set(_ rows: inout some MutableCollection<Row>) { rows[rows.startIndex] = Row(id: 7) }
    set(&rows)
    #expect(ids(rows) == [7, 2, 3])
  }

  @Test
  func `an element that combines duplicates takes their position, even if its id is different`() {
    let rows = IdentifiedArray([Row(id: 1), Row(id: 1), Row(id: 1)]) { Row(id: $0.id + $1.id) }
    #expect(ids(rows) == [2, 1])
  }

  @Test mutating func `generic algorithms sort and reverse an IdentifiedArray`() {
    func sort(_ rows: inout some MutableCollection<Row> & RandomAccessCollection<Row>) {
      rows.sort { $0.name < $1.name }
    }
    sort(&rows)
    #expect(ids(rows) == [3, 2, 1])
    rows.sort(using: KeyPathComparator(\.id))
    #expect(ids(rows) == [1, 2, 3])
    rows.sort(using: ByName())
    #expect(ids(rows) == [3, 2, 1])
    func reverse(_ rows: inout some MutableCollection<Row> & BidirectionalCollection<Row>) {
      rows.reverse()
    }
    reverse(&rows)
    #expect(ids(rows) == [1, 2, 3])
    rows[1...].sort { $0.id > $1.id }
    #expect(ids(rows) == [1, 3, 2])
  }

  @Test mutating func `a sort of an IdentifiedArray that throws keeps all elements`() {
    struct Failure: Error {}
    var comparisons = 0
    #expect(throws: Failure.self) {
      try rows.sort { _, _ in
        comparisons += 1
        if comparisons == 2 { throw Failure() }
        return true
      }
    }
    #expect(ids(rows).sorted() == [1, 2, 3])
  }

  @Test
  mutating func `operators and initializers of IdentifiedArray add only elements with new ids`() {
    #expect(ids(rows + [Row(id: 2), Row(id: 4)]) == [1, 2, 3, 4])
    rows += [Row(id: 4), Row(id: 4, name: "twice"), Row(id: 1)]
    #expect(ids(rows) == [1, 2, 3, 4])
    #expect(rows[id: 4]?.name == "" && rows[id: 1]?.name == "c")
    #expect(ids(IdentifiedArray([Row(id: 5), Row(id: 5), Row(id: 6)])) == [5, 6])
    #expect(ids(IdentifiedArrayOf<Row>(repeating: Row(id: 5), count: 3)) == [5])
    #expect(IdentifiedArray(["a", "b", "a"], id: \.self).elements == ["a", "b"])
  }

  @Test mutating func `replacing or inserting a range in IdentifiedArray skips existing ids`() {
    rows.replaceSubrange(0..<2, with: [Row(id: 3), Row(id: 2), Row(id: 5), Row(id: 5)])
    #expect(ids(rows) == [2, 5, 3])
    rows.insert(contentsOf: [Row(id: 8), Row(id: 2), Row(id: 9)], at: 1)
    #expect(ids(rows) == [2, 8, 9, 5, 3])
    rows[1..<3] = rows[2..<4]
    #expect(ids(rows) == [2, 9, 5, 3])
    rows.removeSubrange(1...)
    #expect(ids(rows) == [2])
    rows.replaceSubrange(0..<1, with: [])
    rows.reserveCapacity(10)
    #expect(rows.isEmpty && rows.ids.isEmpty)
    var names = IdentifiedArray(["a", "b", "c"], id: \.self)
    names.replaceSubrange(1..<2, with: ["c", "d"])
    names.insert(contentsOf: ["a", "e"], at: 0)
    #expect(names.elements == ["e", "a", "d", "c"] && names.index(id: "d") == 2)
  }

  @Test func `IdentifiedArray accepts unique elements unchecked`() {
    #expect(ids(IdentifiedArray(uncheckedUniqueElements: [Row(id: 2), Row(id: 1)])) == [2, 1])
    let names = IdentifiedArray(uncheckedUniqueElements: ["b", "a"], id: \.self)
    #expect(names.index(id: "a") == 1)
  }

  @Test mutating func `removing elements at offsets removes each element at one of the offsets`() {
    rows += (4...8).map { Row(id: $0) }
    rows.remove(atOffsets: [0, 2, 3, 7])
    #expect(ids(rows) == [2, 5, 6, 7])
  }

  @Test func `IdentifiedArray traps if an element gets the id of another element`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var rows = IdentifiedArray(uniqueElements: ["a", "b"], id: \.self)
      rows[0] = "b"
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Elements 1 and 0 of an identified array have the same id."))
  }
}
