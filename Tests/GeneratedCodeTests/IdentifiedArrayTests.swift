import Foundation
import TCACore
import Testing

struct Row: Identifiable, Equatable, Codable, Sendable {
  let id: Int
  var name = ""
  var tags: [String] = []
}

@CasePathable enum RowAction: Equatable {
  case toggle
  case rename(String)
}
@CasePathable enum ListAction: Equatable { case rows(IdentifiedAction<Int, RowAction>) }

@Suite struct IdentifiedArrayTests {
  var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2), Row(id: 3)]

  @Test mutating func `an identified array removes elements from both ends and in ranges`() {
    #expect(rows.removeFirst().id == 1)
    #expect(rows.removeLast().id == 3)
    #expect(rows.ids == [2])
    rows = IdentifiedArray(uniqueElements: (1...6).map { Row(id: $0) })
    rows.removeFirst(1)
    rows.removeLast(2)
    rows.removeSubrange(1..<2)
    #expect(rows.ids == [2, 4])
    #expect(rows[id: 4]?.id == 4)
    #expect(rows.index(id: 3) == nil)
  }

  @Test mutating func `an identified array changes, adds and removes elements by their ids`() {
    rows[id: 2]?.name = "two"
    #expect(rows[1].name == "two")
    rows[id: 1] = nil
    #expect(rows.ids == [2, 3])
    rows[id: 9] = Row(id: 9)
    #expect(rows.index(id: 9) == 2)
    rows[id: 3]?.tags.append("x")
    #expect(rows.map(\.tags.count) == [0, 1, 0])
    var copy = rows
    copy[id: 2] = nil
    #expect(copy.elements.map(\.id) == [3, 9] && copy.index(id: 9) == 1)
    #expect(rows.count == 3)
  }

  @Test mutating func `an identified array inserts, updates and removes elements`() {
    #expect(rows.append(Row(id: 2)) == (false, 1))
    #expect(rows.insert(Row(id: 0), at: 0) == (true, 0))
    #expect(rows.updateOrAppend(Row(id: 3, name: "c"))?.name == "")
    #expect(rows.updateOrInsert(Row(id: 7), at: 1).originalMember == nil)
    #expect(rows.ids.elements == [0, 7, 1, 2, 3])
    #expect(rows.remove(id: 7)?.id == 7)
    rows.removeAll { $0.id > 2 }
    #expect(Array(rows.ids) == [0, 1, 2])
    rows.remove(atOffsets: [0, 2])
    #expect(Array(rows.ids) == [1])
  }

  @Test mutating func `an identified array moves, sorts, swaps and reverses elements`() {
    rows.move(fromOffsets: [0], toOffset: 2)
    #expect(Array(rows.ids) == [2, 1, 3])
    rows.move(fromOffsets: [2], toOffset: 0)
    #expect(Array(rows.ids) == [3, 2, 1])
    rows.sort { $0.id < $1.id }
    #expect(rows.index(id: 3) == 2)
    rows.swapAt(0, 2)
    rows.reverse()
    #expect(Array(rows.ids) == [1, 2, 3])
  }

  @Test mutating func `an identified array adds and removes elements through an inout optional`() {
    rows[id: 1] = nil
    func clear(_ row: inout Row?) { row = nil }
    clear(&rows[id: 2])
    #expect(Array(rows.ids) == [3] && rows.elements.map(\.id) == [3])
    func set(_ row: inout Row?) { row = Row(id: 5) }
    set(&rows[id: 5])
    #expect(rows.ids.subtracting([3]) == [5])
  }

  @Test func `an identified array encodes and decodes, and refuses duplicate ids`() throws {
    let data = try JSONEncoder().encode(rows)
    #expect(try JSONDecoder().decode(IdentifiedArrayOf<Row>.self, from: data) == rows)
    let twice = Data(#"[{"id":1,"name":"","tags":[]},{"id":1,"name":"","tags":[]}]"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(IdentifiedArrayOf<Row>.self, from: twice)
    }
    #expect(try LogDecoder(JSON(logging: rows)).value(IdentifiedArrayOf<Row>.self) == rows)
  }

  @Test func `a case key path leads to the action of a row by its id`() {
    let action = ListAction.rows(.element(id: 2, action: .rename("x")))
    #expect(action[case: \.rows[id: 2].rename] == "x")
    #expect(!action.is(\.rows[id: 1].rename))
    #expect((\ListAction.Cases.rows[id: 2].rename)("x") == action)
    #expect(
      JSON(logging: action) == [
        "rows": ["_0": ["element": ["id": 2, "action": ["rename": ["_0": "x"]]]]]
      ]
    )
  }

  @Test
  func `an identified array resolves duplicate ids with a closure and accepts other id key paths`()
  {
    let rows = IdentifiedArray([Row(id: 1, name: "a"), Row(id: 1, name: "b")]) { old, _ in old }
    #expect(rows.map(\.name) == ["a"])
    let names = IdentifiedArray(uniqueElements: ["a", "b"], id: \.self)
    #expect(names[id: "b"] == "b")
  }
}
