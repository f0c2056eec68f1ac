import TCARecorder

/// The cost of a debug print of the entire state.
enum DumpBenchmarks {
  static let all: [Comparison] = [10, 1_000].map { size in
    Comparison(
      title: "printing the state by reflection, N = \(size)",
      benchmarks: [
        Benchmark("dump of the state", size: size) {
          let state = TableFeature.State(rows: size)
          return Job { _ in
            var text = ""
            dump(state, to: &text)
            BlackHole.take(text)
          }
        }
      ]
    )
  }
}
