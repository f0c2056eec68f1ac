import TCACore
import Testing

@ObservableState
private struct Table: Equatable {
  var rows: IdentifiedArrayOf<Line> = [Line(id: 1), Line(id: 2)]
  var stack = StackState<Line>([Line(id: 1), Line(id: 2)])
}

@ObservableState
private struct Line: Equatable, Identifiable {
  let id: Int
  var count = 0
}

/// A change of a table, the part that is read, and whether the reader is notified.
private struct Change {
  let description: String
  let isHeard: Bool
  let read: (Table) -> Void
  let change: (inout Table) -> Void

  init(
    _ description: String,
    heard isHeard: Bool,
    reading read: @escaping (Table) -> Void,
    change: @escaping (inout Table) -> Void
  ) {
    self.description = description
    self.isHeard = isHeard
    self.read = read
    self.change = change
  }
}

@Suite("Observed rows")
struct ObservedRowsTests {
  private static func changes() -> [Change] {
    [
      Change("rows, by a field of one", heard: false) {
        _ = $0.rows
      } change: {
        $0.rows[id: 1]?.count += 1
      },
      Change("a field of the row", heard: true) {
        _ = $0.rows[id: 1]?.count
      } change: {
        $0.rows[id: 1]?.count += 1
      },
      Change("a field of another row", heard: false) {
        _ = $0.rows[id: 2].map(\.count)
      } change: {
        $0.rows[id: 1]?.count += 1
      },
      Change("a field by position", heard: true) {
        _ = $0.rows[0].count
      } change: {
        $0.rows[id: 1]?.count += 1
      },
      Change("rows, by one more", heard: true) {
        _ = $0.rows
      } change: {
        $0.rows.append(Line(id: 3))
      },
      Change("rows, by one less", heard: true) {
        _ = $0.rows
      } change: {
        $0.rows[id: 1] = nil
      },
      Change("rows, by their order", heard: true) {
        _ = $0.rows
      } change: {
        $0.rows.swapAt(0, 1)
      },
      Change("rows, by a new row of the same id", heard: true) {
        _ = $0.rows
      } change: {
        $0.rows[id: 1] = Line(id: 1)
      },
      Change("a stack, by a field of an element", heard: false) {
        _ = $0.stack
      } change: {
        $0.stack[id: $0.stack.ids[0]]?.count += 1
      },
      Change("a stack, by one more", heard: true) {
        _ = $0.stack
      } change: {
        $0.stack.append(Line(id: 3))
      },
    ]
  }

  @Test(
    "Observers of rows and stacks are notified only of the members that they read",
    arguments: ObservedRowsTests.changes().indices
  )
  func hears(index: Int) {
    let change = Self.changes()[index]
    var table = Table()
    #expect(
      notifies(&table, reading: change.read, change.change) == change.isHeard,
      "\(change.description)"
    )
  }
}
