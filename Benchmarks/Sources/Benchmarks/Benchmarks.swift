import Foundation

/// Measures, and prints tables; see `Documentation/Measurements.md`.
@main
@MainActor
struct Benchmarks {
  static let comparisons =
    SendBenchmarks.all + ComposedBenchmarks.all + RecordingBenchmarks.all + StateBenchmarks.all
    + MaskedBenchmarks.all + NestedBenchmarks.all + RowsBenchmarks.all + LogBenchmarks.all
    + ReadingBenchmarks.all
    + ReplayBenchmarks.all + TimelineBenchmarks.all + DumpBenchmarks.all + SizeBenchmarks.all

  static func main() throws {
    let options = Options(CommandLine.arguments.dropFirst())
    let chosen = comparisons.filter { options.includes($0.title) }
    if let count = options.count {
      for comparison in chosen {
        for benchmark in comparison.benchmarks where benchmark.name == options.benchmark {
          var job = try benchmark.make()
          for step in 0..<count { job.run(step) }
          job.end()
        }
      }
      return
    }
    var stopwatch = Stopwatch()
    if let rounds = options.rounds { stopwatch.rounds = rounds }
    var report = Report()
    for comparison in chosen {
      let (measurements, figures) = try stopwatch.measure(comparison)
      let result = Report.Result(
        title: comparison.title,
        measurements: measurements,
        figures: figures
      )
      report.comparisons.append(result)
      if !options.isJSON { print(result.text) }
    }
    if options.isJSON { print(report.json) }
  }
}

/// The command-line options.
struct Options {
  var isJSON = false
  var rounds: Int?
  var filter: String?
  /// The benchmark to run a fixed number of times for a profiler, without measurements.
  var benchmark: String?
  var count: Int?

  init(_ arguments: ArraySlice<String>) {
    var arguments = arguments
    while let option = arguments.popFirst() {
      guard let value = arguments.popFirst() else { Self.usage("\(option) needs a value") }
      switch option {
      case "--format" where value == "json": isJSON = true
      case "--format" where value == "text": isJSON = false
      case "--rounds": rounds = Int(value)
      case "--filter": filter = value
      case "--only": benchmark = value
      case "--times": count = Int(value)
      default: Self.usage("unknown option \(option) \(value)")
      }
    }
  }

  /// Returns whether a title contains, or equals, one of the filters, which are separated by bars.
  ///
  /// An exact match keeps `N = 10` from also finding `N = 1000`.
  func includes(_ title: String) -> Bool {
    guard let filter else { return true }
    return filter.split(separator: "|").contains { filter in
      title == filter || !filter.contains("N = ") && title.contains(filter)
        || title.hasSuffix(filter)
    }
  }

  private static func usage(_ problem: String) -> Never {
    let message = """
      benchmarks: \(problem)
      usage: benchmarks [--filter TEXT] [--format text|json] [--rounds N]
             benchmarks --filter TEXT --only NAME --times N

      """
    FileHandle.standardError.write(Data(message.utf8))
    exit(64)
  }
}
