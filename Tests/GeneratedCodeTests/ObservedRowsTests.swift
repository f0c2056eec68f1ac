import TCACore
import Testing

@ObservableState
private struct Table: Equatable {
  var rows: IdentifiedArrayOf<Line> = [Line(id: 1), Line(id: 2)]
  var stack = StackState<Line>([Line(id: 1), Line(id: 2)])
  var screens = StackState<Screen>(Table.screens)
  var pages = IdentifiedArray(uniqueElements: Table.screens)
  var cards = Table.screens

  // The element in the middle has no identity.
  static let screens: [Screen] = [.line(Line(id: 1)), .note("a", number: 2), .line(Line(id: 3))]
}

@CasePathable @ObservableState
private enum Screen: Equatable, Identifiable {
  case line(Line)
  case note(String, number: Int)

  var id: Int {
    switch self {
    case .line(let line): line.id
    case .note(_, let number): number
    }
  }

  mutating func count() { modify(\.line) { $0.count += 1 } }
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
      Change("a stack, by the elements around one without identity", heard: false) {
        _ = $0.screens
      } change: { table in
        for id in [table.screens.ids[0], table.screens.ids[2]] { table.screens[id: id]?.count() }
      },
      Change("a stack, by another element without identity", heard: true) {
        _ = $0.screens
      } change: {
        $0.screens[id: $0.screens.ids[1]] = .note("b", number: 2)
      },
      Change("a stack, by an equal element without identity", heard: false) {
        _ = $0.screens
      } change: {
        $0.screens[id: $0.screens.ids[1]] = .note("a", number: 2)
      },
      Change("rows, by those around one without identity", heard: false) {
        _ = $0.pages
      } change: {
        for id in [1, 3] { $0.pages[id: id]?.count() }
      },
      Change("rows, by another one without identity", heard: true) {
        _ = $0.pages
      } change: {
        $0.pages[id: 2] = .note("b", number: 2)
      },
      Change("an array, by the elements around one without identity", heard: false) {
        _ = $0.cards
      } change: {
        $0.cards[0].count()
        $0.cards[2].count()
      },
      Change("an array, by another element without identity", heard: true) {
        _ = $0.cards
      } change: {
        $0.cards[1] = .note("b", number: 2)
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
