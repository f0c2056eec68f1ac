import Foundation
import TCARecorder

/// The cost of recording an action, compared with usual alternatives.
enum RecordingBenchmarks {
  typealias Action = TableFeature.Action

  /// Actions of one kind, by the number of previous actions.
  struct Kind: Sendable {
    let name: String
    let action: @Sendable (_ step: Int, _ size: Int) -> Action
  }

  static let scalar = Kind(name: "one scalar") { _, _ in .increment }
  static let row = Kind(name: "one row") { step, size in
    .weigh(row: step &* 7919 % size, weight: Double(step))
  }
  static let text = Kind(name: "a row's text") { step, size in
    .rename(row: step &* 7919 % size, title: "another title, number \(step)")
  }
  static let insertion = Kind(name: "a row inserted or removed") { step, size in
    step.isMultiple(of: 2) ? .insert(at: size / 2) : .remove(at: size / 2)
  }
  static let move = Kind(name: "a row moved") { _, size in .move(from: size / 3, to: size - 2) }
  static let nothing = Kind(name: "nothing") { _, _ in .nothing }

  static let all: [Comparison] = [10, 1_000, 10_000].flatMap { size in
    [nothing, scalar, row, text, insertion, move].map { comparison($0, size: size) }
  }

  static func comparison(_ kind: Kind, size: Int) -> Comparison {
    Comparison(
      title: "recording an action that changes \(kind.name), N = \(size)",
      benchmarks: [
        wholeState(kind, size),
        store("send without a recorder", kind, size, isRecorded: false),
        store("send with a recorder", kind, size, isRecorded: true),
        keeping(kind, size),
      ]
    ) { times in
      let (whole, plain, recorded, kept) = (times[0], times[1], times[2], times[3])
      let cost = max(recorded - plain, 1)
      if size == 10, kind.name == scalar.name {
        return [.atLeast(25, "cheaper than the whole state in a line", (whole - plain) / cost)]
      }
      guard size == 10_000, kind.name == row.name else { return [] }
      return [
        .atLeast(100, "cheaper than the whole state in a line", (whole - plain) / cost),
        .atMost(1.5, "of changing the row while the old state is kept", recorded / kept),
      ]
    }
  }

  private static func store(
    _ name: String,
    _ kind: Kind,
    _ size: Int,
    isRecorded: Bool
  ) -> Benchmark {
    Benchmark(name, size: size) {
      let path = PlainFile.newPath()
      let store =
        isRecorded
        ? Store(initialState: TableFeature.State(rows: size)) {
          TableFeature().recorded(to: .file(path))
        } : Store(initialState: TableFeature.State(rows: size)) { TableFeature() }
      return Job(writing: path) { store.send(kind.action($0, size)) }
    }
  }

  private static func wholeState(_ kind: Kind, _ size: Int) -> Benchmark {
    Benchmark("send, then JSONEncoder of the whole state and a line written", size: size) {
      let store = Store(initialState: TableFeature.State(rows: size)) { TableFeature() }
      let log = WholeStateLog<TableFeature.State, Action>()
      return Job {
        let action = kind.action($0, size)
        store.send(action)
        do { try log.append(action, store.state) } catch { fatalError("\(error)") }
      } finish: {
        log.file.remove()
      }
    }
  }

  /// The lower bound: only the reducer, with the old state retained until the new one exists.
  private static func keeping(_ kind: Kind, _ size: Int) -> Benchmark {
    Benchmark("the change alone, while the old state is kept", size: size) {
      let reducer = TableFeature().body
      var state = TableFeature.State(rows: size)
      return Job {
        let old = state
        _ = reducer._reduce(into: &state, action: kind.action($0, size))
        BlackHole.take(old)
      }
    }
  }
}
