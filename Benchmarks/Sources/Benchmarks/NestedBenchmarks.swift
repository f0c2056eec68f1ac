import Foundation
import TCARecorder

/// The cost of recording nested features.
enum NestedBenchmarks {
  static let all: [Comparison] = [10, 1_000].map { size in
    Comparison(
      title: "recording an action of a row in a presented list, N = \(size)",
      benchmarks: [
        Benchmark("send, then JSONEncoder of the whole state and a line written", size: size) {
          let store = Store(initialState: NestedFeature.State(counters: size)) { NestedFeature() }
          let log = WholeStateLog<NestedFeature.State, NestedFeature.Action>()
          return Job {
            let action = action($0, size)
            store.send(action)
            do { try log.append(action, store.state) } catch { fatalError("\(error)") }
          } finish: {
            log.file.remove()
          }
        },
        Benchmark("send without a recorder", size: size) {
          let store = Store(initialState: NestedFeature.State(counters: size)) { NestedFeature() }
          return Job { store.send(action($0, size)) }
        },
        Benchmark("send with a recorder", size: size) {
          let path = PlainFile.newPath()
          let store = Store(initialState: NestedFeature.State(counters: size)) {
            NestedFeature().recorded(to: .file(path))
          }
          return Job(writing: path) { store.send(action($0, size)) }
        },
      ]
    )
  }

  private static func action(_ step: Int, _ size: Int) -> NestedFeature.Action {
    .list(.presented(.counters(.element(id: step % size, action: .increment))))
  }
}
