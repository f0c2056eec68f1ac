import ComposedApp
import Foundation
import ReplayEngine
import TCAReplaying

/// The cost of composing features.
enum ComposedBenchmarks {
  static let all = [sends, effect, tap, size, replay]

  private static let sends = Comparison(
    title: "sending an action to composed features",
    benchmarks: Compositions.sends.map(benchmark)
  )

  private static let effect = Comparison(
    title: "running an effect of a feature",
    benchmarks: [benchmark(Compositions.effect)],
    clock: CLOCK_MONOTONIC
  ) { times in
    [.atMost(40_000, "nanoseconds for an effect that sends one action", times[0])]
  }

  private static func benchmark(_ work: ComposedWork) -> Benchmark {
    Benchmark(work.name, size: 1) {
      let run = work.make()
      return Job { run($0) }
    }
  }

  /// Taps of the script, of which three in twenty lead to a second action.
  private static let tap = Comparison(
    title: "a tap in an app of ten features",
    benchmarks: [
      Benchmark("send", size: 10) {
        let run = TenFeatures.make(recordingTo: nil)
        return Job { run($0) }
      },
      Benchmark("send with a recorder", size: 10) {
        let path = PlainFile.newPath()
        let run = TenFeatures.make(recordingTo: path)
        return Job(writing: path) { run($0) }
      },
    ]
  ) { times in
    [.atMost(20_000, "nanoseconds for recording a tap", times[1] - times[0])]
  }

  /// The size of the log, and the memory that a recorder takes.
  private static let size = Comparison(
    title: "the log of \(TenFeatures.taps) taps in an app of ten features"
  ) { _ in
    let path = PlainFile.newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    // The first taps also take memory that later ones reuse, so taps without a recorder come first.
    let plain = residentKilobytes {
      let run = TenFeatures.make(recordingTo: nil)
      for step in 0..<10 * TenFeatures.taps { run(step) }
    }
    let recorded = residentKilobytes {
      let run = TenFeatures.make(recordingTo: path)
      for step in 0..<10 * TenFeatures.taps { run(step) }
    }
    let bytes = Double(FileManager.default.contents(atPath: path)?.count ?? 0)
    return [
      .atMost(.infinity, "bytes for a tap", bytes / 10 / Double(TenFeatures.taps)),
      .atMost(.infinity, "kilobytes of memory for 10,000 taps", plain),
      .atMost(.infinity, "kilobytes of memory for 10,000 more, with a recorder", recorded),
    ]
  }

  /// Returns how much the process's resident memory has grown after some work, or 0 if the system doesn't say.
  @MainActor
  private static func residentKilobytes(_ work: @MainActor () -> Void) -> Double {
    func resident() -> Double {
      let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      return (text?.split(separator: " ").dropFirst().first).flatMap { Double($0) } ?? 0
    }
    let before = resident()
    work()
    return (resident() - before) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_000
  }

  private static let replay = Comparison(
    title: "replaying \(TenFeatures.taps) taps in an app of ten features",
    benchmarks: [
      Benchmark("replay", size: 10) {
        let path = PlainFile.newPath()
        let run = TenFeatures.make(recordingTo: path)
        for step in 0..<TenFeatures.taps { run(step) }
        return Job(writing: path) { _ in
          do {
            let verdicts = try Verdict.ofReplay(logAt: path) { _ in
              try TenFeatures.replayed.entry.makeEngine()
            }
            guard verdicts.allSatisfy(\.isSame) else { fatalError("\(verdicts)") }
          } catch { fatalError("\(error)") }
        }
      }
    ]
  ) { times in
    [.atMost(.infinity, "microseconds for a tap", times[0] / 1e3 / Double(TenFeatures.taps))]
  }
}
