import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import SampleApp

/// A folder for the logs of a test, which is removed after it.
final class LogFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("adapter-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func log(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// Records a session of the sample app.
  ///
  /// - Parameters:
  ///   - name: The name of the log.
  ///   - body: Uses the app.
  /// - Returns: The log.
  /// - Throws: The errors of `body`.
  @MainActor
  func record(
    _ name: String = "log.jsonl",
    _ body: @MainActor (Store<Meetings.State, Meetings.Action>) async throws -> Void
  ) async throws -> URL {
    try await record(name, Recorder(to: .file(log(name))), body)
    return log(name)
  }

  /// Records a session of the sample app with a given recorder.
  @MainActor
  func record(
    _ name: String,
    _ recorder: Recorder,
    _ body: @MainActor (Store<Meetings.State, Meetings.Action>) async throws -> Void
  ) async throws {
    let store = withDependencies {
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSince1970: 1_234_567_890))
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(Numbers())
      $0.continuousClock = ContinuousClock()
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      Store(initialState: Meetings.State()) { Meetings().recorded(as: "Meetings", to: recorder) }
    }
    try await body(store)
    recorder.flush()
  }
}

/// A random number generator with the same numbers in each test.
struct Numbers: RandomNumberGenerator, Sendable {
  var state: UInt64 = 1
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}

/// Returns the verdict on a log.
func replay<R: Reducer & SendableMetatype>(
  _ log: URL,
  by reducer: @escaping @Sendable () -> R
) throws -> ReplayedLog where R.State == Meetings.State, R.Action == Meetings.Action {
  let feature = ReplayFeature("Meetings", reducer: reducer) { Meetings.State() }
  let logs = try ReplayedLog.check(logsAt: log.path, of: feature.entry)
  guard let first = logs.first else { throw CocoaError(.fileReadNoSuchFile) }
  return first
}

func replay(_ log: URL) throws -> ReplayedLog { try replay(log) { Meetings() } }

/// Waits until a condition holds.
@MainActor
func wait(_ isDone: @MainActor () -> Bool) async throws {
  for _ in 0..<2000 where !isDone() { try await Task.sleep(for: .milliseconds(1)) }
  guard isDone() else { throw CancellationError() }
}

/// Returns the reads in a log, each as the number of its action, its key and its value.
func reads(_ log: URL) throws -> [String] {
  try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    .map { try JSON(parsing: Array($0.utf8)) }
    .filter { $0["kind"]?.string == "read" }
    .map { "\($0["seq"] ?? .null) \($0["key"]?.string ?? "") \($0["value"] ?? .null)" }
}
