public import ComposableArchitecture
import ComposableRecorder
public import Foundation
import ReplayEngine

/// Replays a recorded log in a test, which fails if the feature differs.
///
/// ```swift
/// @Test(arguments: try replayLogs(in: folder)) @MainActor
/// func bugsStayFixed(log: URL) throws {
///   try expectReplay(of: log) { AppFeature() } initialState: { AppFeature.State() }
/// }
/// ```
///
/// A trap of the feature ends the tests.
///
/// - Parameters:
///   - url: A log, or a folder of logs.
///   - ignoring: The parts of the state that are not compared, as JSON Pointers; `*` stands for each member or element.
///   - isStrict: Whether added or removed members and uncompared values count as a divergence. The library hides some
///     effects, which are never compared, so no replay is identical in this mode.
///   - isContinuing: Whether the replay continues after a divergence, from the recorded state.
///   - reducer: Creates the reducer.
///   - initialState: Creates the initial state. It provides the values of members that a log lacks.
/// - Throws: `ReplayDifference` with the first divergence as a diff; `LogReadError` if there is no such log.
@MainActor
public func expectReplay<R: Reducer & SendableMetatype>(
  of url: URL,
  ignoring: [String] = [],
  isStrict: Bool = false,
  isContinuing: Bool = false,
  reducer: @escaping @Sendable () -> R,
  initialState: (@Sendable () -> R.State)? = nil
) throws where R.State: SendableMetatype, R.Action: SendableMetatype {
  let logs = try ReplayedLog.check(
    logsAt: url.path,
    of: FeatureEntry(
      name: LogTypeName.of(R.self),
      stateType: LogTypeName.of(R.State.self),
      makeEngine: { ComposableEngine(reducer: reducer, initialState: initialState) }
    ),
    options: LogComparison.Options(
      ignored: try ignoring.map { try JSON.Pointer(parsing: $0) },
      isStrict: isStrict
    ),
    isContinuing: isContinuing
  )
  let differing = logs.filter { !$0.isSame }
  if !differing.isEmpty {
    throw ReplayDifference(description: differing.map(\.text).joined(separator: "\n"))
  }
}

/// Replays a log that a test contains as text.
///
/// `test LOG -o FILE.swift` generates such tests.
///
/// - Parameters:
///   - lines: The lines of the log.
///   - ignoring: The parts of the state that are not compared, as JSON Pointers; `*` stands for each member or element.
///   - isStrict: Whether added or removed members and uncompared values count as a divergence.
///   - isContinuing: Whether the replay continues after a divergence, from the recorded state.
///   - reducer: Creates the reducer.
///   - initialState: Creates the initial state. It provides the values of members that a log lacks.
/// - Throws: `ReplayDifference` with the first divergence as a diff, and the system's errors, because the text is
///   written to a temporary file.
@MainActor
public func expectReplay<R: Reducer & SendableMetatype>(
  ofLines lines: String,
  ignoring: [String] = [],
  isStrict: Bool = false,
  isContinuing: Bool = false,
  reducer: @escaping @Sendable () -> R,
  initialState: (@Sendable () -> R.State)? = nil
) throws where R.State: SendableMetatype, R.Action: SendableMetatype {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let log = folder.appendingPathComponent("log.jsonl")
  try lines.write(to: log, atomically: true, encoding: .utf8)
  try expectReplay(
    of: log,
    ignoring: ignoring,
    isStrict: isStrict,
    isContinuing: isContinuing,
    reducer: reducer,
    initialState: initialState
  )
}

/// Returns the `*.jsonl` files in a folder and its subfolders by name, as arguments for a test.
///
/// - Throws: An error if there are none.
public func replayLogs(in folder: URL) throws -> [URL] { try ReplayedLog.files(in: folder) }

/// The differences between logs and their replays, as text.
public struct ReplayDifference: Error, CustomStringConvertible {
  /// The message for a test: the verdicts, each with its first divergence as a diff.
  public let description: String
}
