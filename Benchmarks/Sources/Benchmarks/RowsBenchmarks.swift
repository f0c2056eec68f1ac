import Foundation
import TCARecorder

/// The cost of a long list: actions of one row, effects of rows, and reading.
enum RowsBenchmarks {
  static let all = actions + effects + reading

  private static let sizes = [10, 1_000, 5_000, 10_000]

  /// Actions that change at most one row, with and without a recorder.
  private static let actions: [Comparison] = [
    comparison("an action of the parent") { _, _ in [.increment] },
    comparison("an action of one row") { step, size in
      [.rows(.element(id: step * 7919 % size, action: .increment))]
    },
    comparison("actions of two rows far from each other") { step, size in
      [
        .rows(.element(id: step % size, action: .increment)),
        .rows(.element(id: (step + size / 2) % size, action: .increment)),
      ]
    },
    comparison("a row removed and inserted") { step, size in
      let id = step * 7919 % size
      return [.remove(id: id), .insert(id: id, at: id)]
    },
  ].flatMap { $0 }

  private static func comparison(
    _ title: String,
    _ actions: @escaping @Sendable (Int, Int) -> [RowsFeature.Action]
  ) -> [Comparison] {
    [("without a recorder", false), ("with a recorder", true)].map { recorder in
      Comparison(
        title: "long lists, \(title), \(recorder.0)",
        benchmarks: sizes.map { size in
          Benchmark("N = \(size)", size: size) {
            guard recorder.1 else {
              let store = Store(initialState: RowsFeature.State(rows: size)) { RowsFeature() }
              return Job { step in for action in actions(step, size) { store.send(action) } }
            }
            let path = PlainFile.newPath()
            let store = Store(initialState: RowsFeature.State(rows: size)) {
              RowsFeature().recorded(to: .file(path))
            }
            return Job(writing: path) { step in
              for action in actions(step, size) { store.send(action) }
            }
          }
        },
        figures: growth
      )
    }
  }

  /// Effects of one row that begin and are canceled, while effects of no other row or of all rows run.
  private static let effects = [("no other row's", false), ("all other rows'", true)].map {
    others in
    Comparison(
      title: "long lists, a row starts an effect and cancels it, \(others.0) run",
      benchmarks: sizes.map { size in
        Benchmark("N = \(size)", size: size) {
          let store = Store(initialState: RowsFeature.State(rows: size)) { RowsFeature() }
          if others.1 {
            for id in 1..<size { store.send(.rows(.element(id: id, action: .load))) }
            runMainActor()
          }
          return Job { _ in
            store.send(.rows(.element(id: 0, action: .load)))
            runMainActor()
            store.send(.rows(.element(id: 0, action: .cancel)))
            runMainActor()
          }
        }
      },
      figures: growth
    )
  }

  /// Lets the main actor perform its pending work.
  private static func runMainActor() {
    _ = RunLoop.main.run(mode: .default, before: .distantPast)
  }

  private static func growth(_ times: [Double]) -> [Figure] {
    [.atMost(3, "times the first, N = 10000", times[times.count - 1] / times[0])]
  }

  /// Reading all rows, compared with an array: states of features with observed members, and plain values.
  private static let reading: [Comparison] = [10, 10_000].flatMap { size in
    let states = RowsFeature.State(rows: size).rows
    let values = states.map { Value(id: $0.id, title: $0.title, count: $0.count) }
    return comparisons("states of features", states.elements, states)
      + comparisons("values", values, IdentifiedArray(uniqueElements: values))
  }

  private struct Value: Identifiable, Row {
    let id: Int
    var title: String
    var count: Int
  }

  private static func comparisons<Element: Row>(
    _ rows: String,
    _ array: [Element],
    _ identified: IdentifiedArrayOf<Element>
  ) -> [Comparison] where Element.ID: Sendable {
    let size = array.count
    return [
      Comparison(
        title: "long lists, iterating over \(rows), N = \(size)",
        benchmarks: [
          Benchmark("an array", size: size) { Job { _ in BlackHole.take(sum(array)) } },
          Benchmark("an identified array", size: size) {
            Job { _ in BlackHole.take(sum(identified)) }
          },
        ],
        figures: likeAnArray
      ),
      Comparison(
        title: "long lists, \(rows) by their indices, N = \(size)",
        benchmarks: [
          Benchmark("an array", size: size) { Job { _ in BlackHole.take(sumByIndex(array)) } },
          Benchmark("an identified array", size: size) {
            Job { _ in BlackHole.take(sumByIndex(identified)) }
          },
        ],
        figures: likeAnArray
      ),
    ]
  }

  private static func sum(_ rows: some Sequence<some Row>) -> Int {
    var sum = 0
    for row in rows { sum &+= row.count &+ row.title.utf8.count }
    return sum
  }

  private static func sumByIndex<Rows: RandomAccessCollection>(_ rows: Rows) -> Int
  where Rows.Element: Row, Rows.Index == Int {
    let count = rows.count
    var sum = 0
    for index in 0..<count {
      let row = rows[index &* 7919 % count]
      sum &+= row.count &+ row.title.utf8.count
    }
    return sum
  }

  private static func likeAnArray(_ times: [Double]) -> [Figure] {
    [.atMost(1.3, "times an array", times[1] / times[0])]
  }
}

private protocol Row: Identifiable, Sendable {
  var title: String { get }
  var count: Int { get }
}

extension RowFeature.State: Row {}
