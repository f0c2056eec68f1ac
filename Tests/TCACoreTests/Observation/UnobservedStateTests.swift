import Observation
import Synchronization
import Testing

@testable import TCACore

@ObservableState
private struct Screen: Equatable {
  var title = ""
  var row = Row()
  var optional: Row? = Row()
  var rows = [Row()]
  var identified: IdentifiedArrayOf<Row> = [Row()]
  var stack: StackState<Row> = [Row()]
  @Presents var presented: Row? = Row()
}

@ObservableState
private struct Row: Equatable, Identifiable {
  var id = 0
  var count = 0
}

/// A replayed state has no observers: no notifications are sent, and the changes are the same.
@Suite("States without observers") struct UnobservedStateTests {
  /// A change of one property, in place or by replacing it.
  private struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (Screen) -> Void
    let make: @Sendable (inout Screen) -> Void

    static let all = [
      Change(testDescription: "a value") {
        _ = $0.title
      } make: {
        $0.title = "Rows"
      },
      Change(testDescription: "a value in place") {
        _ = $0.title
      } make: {
        $0.title += "s"
      },
      Change(testDescription: "a state") {
        _ = $0.row
      } make: {
        $0.row = Row(count: 1)
      },
      Change(testDescription: "a state in place") {
        _ = $0.row.count
      } make: {
        $0.row.count += 1
      },
      Change(testDescription: "an optional state") {
        _ = $0.optional
      } make: {
        $0.optional = nil
      },
      Change(testDescription: "an optional state in place") {
        _ = $0.optional?.count
      } make: {
        $0.optional?.count += 1
      },
      Change(testDescription: "an array") {
        _ = $0.rows
      } make: {
        $0.rows.append(Row())
      },
      Change(testDescription: "an identified array") {
        _ = $0.identified
      } make: {
        $0.identified.append(Row(id: 1))
      },
      Change(testDescription: "a stack") {
        _ = $0.stack
      } make: {
        _ = $0.stack.popLast()
      },
      Change(testDescription: "a presented state") {
        _ = $0.presented
      } make: {
        $0.presented = nil
      },
    ]
  }

  @Test(
    "A state notifies observers of a change only if observation is enabled",
    arguments: Change.all,
    [true, false]
  )
  private func change(_ change: Change, isObservable: Bool) {
    let before = Screen()
    var (screen, expected) = (before, before)
    change.make(&expected)
    let isNotified = Mutex(false)
    withObservationTracking {
      change.read(screen)
    } onChange: {
      isNotified.withLock { $0 = true }
    }
    ObservationStateRegistrar.$isObservable.withValue(isObservable) { change.make(&screen) }
    #expect(isNotified.withLock { $0 } == isObservable)
    #expect(screen == expected)
    #expect(screen != before)
  }
}
