import ActionLog
import Foundation
import ReplayEngine
import TCARecorder
import TCAReplaying

/// The cost of recording an action for different kinds of state.
///
/// It depends on the change and not on the size of the state.
enum StateBenchmarks {
  static let all: [Comparison] =
    [10, 1_000, 10_000].flatMap { size in [nothing(size), one(size)] }
    + [10, 1_000].flatMap { [encoding($0), decoding($0)] } + [
      replaying(1_000, "beside what the state holds") { _ in .count },
      replaying(1_000, "that change one of what the state holds") { .change($0) },
      sharing,
    ]

  /// Returns a comparison for an action that does not change the content, with a baseline of rows that are `LogValue`.
  private static func nothing(_ size: Int) -> Comparison {
    let action: @Sendable (Int) -> ContentAction = { _ in .count }
    return Comparison(
      title: "recording an action beside what the state holds, N = \(size)",
      benchmarks: [
        sending("LogValue rows, no recorder", LogValueRows.self, size, isRecorded: false, action),
        sending("LogValue rows", LogValueRows.self, size, action),
        sending("Codable rows", CodableRows.self, size, action),
        sending("shared rows", SharedRows.self, size, action),
        sending("rows that share", SharingRows.self, size, action),
        sending("a set of texts", TextSet.self, size, action),
        sending("a dictionary of rows", RowTable.self, size, action),
        sending("a text of N kB", LongText.self, size, action),
      ]
    ) { times in
      let names = [
        "Codable rows", "shared rows", "rows that share", "a set of texts", "a dictionary of rows",
        "a text of N kB",
      ]
      return names.indices.flatMap { index -> [Figure] in
        [.atMost(1.5, "\(names[index]), of LogValue rows", times[index + 2] / times[1])]
      }
    }
  }

  /// Returns a comparison for an action that changes one row, entry or element, with a baseline without a recorder.
  private static func one(_ size: Int) -> Comparison {
    let action: @Sendable (Int) -> ContentAction = { .change($0) }
    func pair<Feature: ContentFeature>(_ name: String, _ type: Feature.Type) -> [Benchmark] {
      [
        sending("\(name), no recorder", type, size, isRecorded: false, action),
        sending(name, type, size, action),
      ]
    }
    return Comparison(
      title: "recording an action that changes one of what the state holds, N = \(size)",
      benchmarks: pair("LogValue rows", LogValueRows.self) + pair("Codable rows", CodableRows.self)
        + pair("shared rows", SharedRows.self) + pair("rows that share", SharingRows.self)
        + pair("a set of texts", TextSet.self)
        + pair("a dictionary of rows", RowTable.self) + pair("a text of N kB", LongText.self)
    ) { times in
      let names = [
        "LogValue rows", "Codable rows", "shared rows", "rows that share", "a set of texts",
        "a dictionary of rows", "a text of N kB",
      ]
      return names.indices.map { index in
        let (plain, recorded) = (times[2 * index], times[2 * index + 1])
        return .atMost(
          // Writing a row's shared value changes no array, so that recording takes longer than sending.
          names[index] == "rows that share" ? .infinity : 3,
          "\(names[index]), less 10 us, of no recorder",
          (recorded - 10_000) / plain
        )
      }
    }
  }

  private static func sending<Feature: ContentFeature>(
    _ name: String,
    _ type: Feature.Type,
    _ size: Int,
    isRecorded: Bool = true,
    _ action: @escaping @Sendable (Int) -> ContentAction
  ) -> Benchmark {
    Benchmark(name, size: size) {
      let path = PlainFile.newPath()
      let store =
        isRecorded
        ? Store(initialState: Feature.state(size)) { Feature.feature().recorded(to: .file(path)) }
        : Store(initialState: Feature.state(size)) { Feature.feature() }
      return Job(writing: path) { store.send(action($0)) }
    }
  }

  /// Returns a comparison for encoding an entire value by `Codable`, with Foundation's encoder as a baseline.
  private static func encoding(_ size: Int) -> Comparison {
    let rows = (0..<size).map(CodableRow.init)
    return Comparison(
      title: "encoding Codable rows, N = \(size)",
      benchmarks: [
        Benchmark("JSONEncoder", size: size) {
          let encoder = JSONEncoder()
          return Job { _ in BlackHole.take(try? encoder.encode(rows)) }
        },
        Benchmark("LogEncoder", size: size) {
          Job { _ in
            var encoder = LogEncoder()
            encoder.value(rows)
            BlackHole.take(encoder.bytes)
          }
        },
      ]
    ) { times in [.atMost(1, "of JSONEncoder", times[1] / times[0])] }
  }

  private static func decoding(_ size: Int) -> Comparison {
    let rows = (0..<size).map(CodableRow.init)
    return Comparison(
      title: "decoding Codable rows, N = \(size)",
      benchmarks: [
        Benchmark("JSONDecoder", size: size) {
          let text = try JSONEncoder().encode(rows)
          let decoder = JSONDecoder()
          return Job { _ in BlackHole.take(try? decoder.decode([CodableRow].self, from: text)) }
        },
        Benchmark("LogDecoder", size: size) {
          let text = JSON(logging: rows).bytes
          return Job { _ in BlackHole.take(try? LogDecoder.value([CodableRow].self, from: text)) }
        },
      ]
    ) { times in [.atMost(1, "of JSONDecoder", times[1] / times[0])] }
  }

  /// The number of actions of a log, large enough that opening the log takes less time than replaying it.
  private static let actions = 2_000

  /// The replay of writes to the shared value of one of N rows.
  ///
  /// The log begins with all rows, so two logs are replayed: one with writes, and one without.
  private static let sharing = Comparison(
    title: "replaying \(actions) writes to a shared value of one of N rows",
    benchmarks: [10, 1_000, 10_000].flatMap { size in
      [
        replay("writes, N = \(size)", SharingRows.self, size) { .change($0) },
        replay("actions beside the rows, N = \(size)", SharingRows.self, size) { _ in .count },
      ]
    }
  ) { times in
    let writes = [0, 2, 4].map { (times[$0] - times[$0 + 1]) / 1e3 / Double(actions) }
    return [
      .atMost(.infinity, "microseconds for a write more than for a number, N = 10", writes[0]),
      .atMost(.infinity, "N = 1000", writes[1]),
      .atMost(.infinity, "N = 10000", writes[2]),
    ]
  }

  /// Returns the replay of a log in which a feature handles actions.
  private static func replay<Feature: ContentFeature>(
    _ name: String,
    _ type: Feature.Type,
    _ size: Int,
    _ action: @escaping @Sendable (Int) -> ContentAction
  ) -> Benchmark {
    Benchmark(name, size: size) {
      let path = PlainFile.newPath()
      let store = Store(initialState: Feature.state(size)) {
        Feature.feature().recorded(as: "Feature", to: .file(path))
      }
      for step in 0..<actions { store.send(action(step)) }
      let feature = ReplayFeature("Feature") {
        Feature.feature()
      } initialState: {
        Feature.state(1)
      }
      return Job { _ in
        do {
          let verdicts = try Verdict.ofReplay(logAt: path) { _ in try feature.entry.makeEngine() }
          guard verdicts.allSatisfy(\.isSame) else { fatalError("\(verdicts)") }
        } catch { fatalError("\(error)") }
      } finish: {
        withExtendedLifetime(store) {}
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }

  /// Returns a comparison of the same states in replays.
  private static func replaying(
    _ size: Int,
    _ kind: String,
    _ action: @escaping @Sendable (Int) -> ContentAction
  ) -> Comparison {
    func replay<Feature: ContentFeature>(_ name: String, _ type: Feature.Type) -> Benchmark {
      self.replay(name, type, size, action)
    }
    return Comparison(
      title: "replaying \(actions) actions \(kind), N = \(size)",
      benchmarks: [
        replay("LogValue rows", LogValueRows.self), replay("Codable rows", CodableRows.self),
        replay("shared rows", SharedRows.self), replay("rows that share", SharingRows.self),
        replay("a set of texts", TextSet.self), replay("a dictionary of rows", RowTable.self),
        replay("a text of N kB", LongText.self),
      ]
    ) { times in
      // Each time includes opening the log, which is more expensive with the rows.
      times.indices.dropFirst().map { index in
        .atMost(.infinity, "microseconds for an action", times[index] / 1e3 / Double(actions))
      }
    }
  }
}
