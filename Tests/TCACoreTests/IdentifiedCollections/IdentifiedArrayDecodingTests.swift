import ActionLog
import TCACore
import Testing

/// The decoding of an identified array over an earlier version of it.
@Suite struct IdentifiedArrayDecodingTests {
  @ObservableState
  struct Row: Equatable, Identifiable {
    var id: Int
    var title = ""
  }

  /// A change of an array of 100 rows, which has more than one chunk.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (inout [Row]) -> Void

    static let all = [
      Change(testDescription: "nothing") { _ in },
      Change(testDescription: "a row") { $0[3].title = "new" },
      Change(testDescription: "a row of each chunk") {
        $0[3].title = "new"
        $0[80].title = "new"
      },
      Change(testDescription: "each row") {
        for index in $0.indices { $0[index].title = "new" }
      },
      Change(testDescription: "a row, and a later row with another id") {
        $0[3].title = "new"
        $0[80] = Row(id: 1_000)
      },
      Change(testDescription: "a row with another id, and a later row") {
        $0[3] = Row(id: 1_000)
        $0[80].title = "new"
      },
      Change(testDescription: "the order") {
        $0.swapAt(3, 80)
        $0[80].title = "new"
      },
      Change(testDescription: "one row less") {
        $0.remove(at: 3)
        $0[4].title = "new"
      },
      Change(testDescription: "one row more") {
        $0.insert(Row(id: 1_000), at: 3)
        $0[5].title = "new"
      },
    ]
  }

  @Test(arguments: Change.all)
  func `rows that are decoded over earlier rows keep the identity of those with the same id`(
    _ change: Change
  ) throws {
    var rows = (0..<100).map { Row(id: $0) }
    let earlier = IdentifiedArrayOf<Row>(uniqueElements: rows)
    change.make(&rows)
    let expected = IdentifiedArrayOf<Row>(uniqueElements: rows)
    let decoder = LogDecoder(
      JSON(logging: expected),
      after: JSON(logging: earlier),
      keeper: StateIdentityRestorer()
    )
    let decoded = try decoder.value(IdentifiedArrayOf<Row>.self, over: earlier)
    #expect(decoded == expected)
    #expect(decoded.ids == expected.ids)
    #expect(decoded.elements == expected.elements)
    let known = Set(earlier.map(\._$id))
    for row in decoded {
      if let before = earlier[id: row.id] {
        #expect(row._$id == before._$id, "row \(row.id)")
      } else {
        #expect(!known.contains(row._$id), "row \(row.id)")
      }
    }
  }
}
