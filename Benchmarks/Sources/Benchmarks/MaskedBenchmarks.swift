import Foundation
import TCARecorder

/// The additional cost of masks and filters in the recording of an action.
enum MaskedBenchmarks {
  static let all: [Comparison] =
    [10, 1_000, 10_000].flatMap { size in
      [RecordingBenchmarks.scalar, RecordingBenchmarks.row, typing]
        .map { comparison($0, size: size) }
    } + [entering]

  /// Changes a masked text beside rows that no mask names.
  ///
  /// The text is new to the masker, which finds out whether the state has it elsewhere.
  private static let entering = Comparison(
    title: "recording a masked text that is new, beside N rows",
    benchmarks: [10, 1_000, 10_000].map { size in
      let kind = RecordingBenchmarks.Kind(name: "a new masked text") { step, _ in
        .enter(email: "blob.\(step)@pointfree.example")
      }
      return store("send with a recorder that masks, N = \(size)", kind, size) {
        $0.masks = LogMasks(state: ["/user/email"], action: ["/enter/email"])
      }
    }
  ) { times in
    [.atMost(1.5, "of the time beside 10 rows, beside 10,000", times[2] / times[0])]
  }

  /// Changes a masked value of a row.
  private static let typing = RecordingBenchmarks.Kind(name: "a masked text") { step, size in
    .rename(row: step &* 7919 % size, title: "another title, number \(step)")
  }

  private static func comparison(_ kind: RecordingBenchmarks.Kind, size: Int) -> Comparison {
    Comparison(
      title: "recording with masks and filters an action that changes \(kind.name), N = \(size)",
      benchmarks: [
        store("send without a recorder", kind, size, nil),
        store("send with a recorder", kind, size) { _ in },
        store("send with a recorder that masks", kind, size) {
          $0.masks = LogMasks(
            state: ["/user/email", "/rows/*/title"],
            action: ["/rename/title"]
          )
        },
        store("send with a recorder and a filter that lets it pass", kind, size) {
          $0.actions.exclude = ["/nothing"]
        },
        store("send with a recorder and a filter that leaves it out", kind, size) {
          $0.actions.include = ["/nothing"]
        },
      ]
    ) { times in
      let cost = max(times[1] - times[0], 1)
      return [
        .atMost(
          .infinity,
          "times the cost of recording without masks",
          (times[2] - times[0]) / cost
        ),
        .atMost(
          .infinity,
          "times the cost without the filter that lets it pass",
          (times[3] - times[0]) / cost
        ),
        .atMost(
          .infinity,
          "times the cost without the filter that leaves it out",
          (times[4] - times[0]) / cost
        ),
      ]
    }
  }

  private static func store(
    _ name: String,
    _ kind: RecordingBenchmarks.Kind,
    _ size: Int,
    _ configure: (@Sendable (inout RecorderConfiguration) -> Void)?
  ) -> Benchmark {
    Benchmark(name, size: size) {
      let path = PlainFile.newPath()
      var configuration = RecorderConfiguration(.file(path))
      configure?(&configuration)
      let recorder = Recorder(configuration)
      let store =
        configure == nil
        ? Store(initialState: TableFeature.State(rows: size)) { TableFeature() }
        : Store(initialState: TableFeature.State(rows: size)) {
          TableFeature().recorded(to: recorder)
        }
      return Job(writing: path) { store.send(kind.action($0, size)) }
    }
  }
}
