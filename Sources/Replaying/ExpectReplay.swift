import ActionLog
public import Foundation
import ReplayEngine
public import TCACore

/// Replays a recorded log in a test, and fails the test if the replay diverges.
///
/// ```swift
/// @Test(arguments: try replayLogs(in: folder))
/// func bugsStayFixed(log: URL) async throws {
///   try await expectReplay(of: log) { AppFeature() }
/// }
/// ```
///
/// The failure shows the first divergence as a diff. The function works with Swift Testing and XCTest on all platforms:
/// an app that builds only for a phone needs no executable. A folder is searched for `*.jsonl` files. A trap ends the
/// test process.
///
/// - Parameters:
///   - url: The URL of a log, or of a folder with logs.
///   - ignoring: The paths in the state that are not compared, such as `clock` or `rows[*].seen`, or JSON Pointers. The
///     wildcard `*` matches each member or element.
///   - isStrict: Whether added or removed members are a divergence, and a value that was not compared is a failure.
///   - isContinuing: Whether the replay continues from the recorded state after a divergence, so that the failure shows
///     all divergences.
///   - migrations: The migrations of older logs, in the order of their versions.
///   - reducer: A closure that makes the reducer.
///   - initialState: A closure that makes the initial state, which supplies the members that a log lacks.
///   - fileID: The ID of the file to which a failure is attributed.
///   - filePath: The path of the file to which a failure is attributed.
///   - line: The line to which a failure is attributed.
///   - column: The column to which a failure is attributed.
/// - Throws: `LogReadError` if there is no such log, or an error that locates invalid text in `ignoring`.
@MainActor
public func expectReplay<State: SendableMetatype, Action: SendableMetatype, R>(
  of url: URL,
  ignoring: [String] = [],
  isStrict: Bool = false,
  isContinuing: Bool = false,
  migrations: [Migration] = [],
  @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> R,
  initialState: (@Sendable () -> State)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws where R: Reducer<State, Action> & SendableMetatype {
  try ReplayExpectation(
    ignoring: ignoring,
    isStrict: isStrict,
    isContinuing: isContinuing,
    feature: FeatureEntry(
      reducer: reducer,
      initialState: initialState,
      migrations: migrations
    )
  )
  .check(logsAt: url.path, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Replays a log that a test contains as text, and fails the test if the replay diverges.
///
/// `tca-replay test LOG -o FILE.swift` generates such tests.
///
/// - Parameters:
///   - lines: The lines of the log.
///   - ignoring: The paths in the state that are not compared, such as `clock` or `rows[*].seen`, or JSON Pointers. The
///     wildcard `*` matches each member or element.
///   - isStrict: Whether added or removed members are a divergence, and a value that was not compared is a failure.
///   - isContinuing: Whether the replay continues from the recorded state after a divergence, so that the failure shows
///     all divergences.
///   - migrations: The migrations of older logs, in the order of their versions.
///   - reducer: A closure that makes the reducer.
///   - initialState: A closure that makes the initial state, which supplies the members that a log lacks.
///   - fileID: The ID of the file to which a failure is attributed.
///   - filePath: The path of the file to which a failure is attributed.
///   - line: The line to which a failure is attributed.
///   - column: The column to which a failure is attributed.
/// - Throws: An error that locates invalid text in `ignoring`, or a system error, because the log is written to a
///   temporary file.
@MainActor
public func expectReplay<State: SendableMetatype, Action: SendableMetatype, R>(
  ofLines lines: String,
  ignoring: [String] = [],
  isStrict: Bool = false,
  isContinuing: Bool = false,
  migrations: [Migration] = [],
  @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> R,
  initialState: (@Sendable () -> State)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws where R: Reducer<State, Action> & SendableMetatype {
  let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("tca-replay-\(UUID().uuidString).jsonl")
  defer { try? FileManager.default.removeItem(at: file) }
  try lines.write(to: file, atomically: false, encoding: .utf8)
  try ReplayExpectation(
    ignoring: ignoring,
    isStrict: isStrict,
    isContinuing: isContinuing,
    feature: FeatureEntry(
      reducer: reducer,
      initialState: initialState,
      migrations: migrations
    )
  )
  .check(
    logsAt: file.path,
    named: "the log",
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
}

/// Returns the `*.jsonl` files in a folder and its subfolders, sorted by name, as arguments for a test.
///
/// ```swift
/// @Test(arguments: try replayLogs(in: logFolder))
/// func bugsStayFixed(log: URL) async throws {
///   try await expectReplay(of: log) { AppFeature() }
/// }
/// ```
///
/// - Throws: An error if the folder contains no such files.
public func replayLogs(in folder: URL) throws -> [URL] {
  try ReplayedLog.files(in: folder)
}

/// A test's expectation that logs replay without a divergence.
struct ReplayExpectation {
  private let options: LogComparison.Options
  private let isContinuing: Bool
  private let feature: FeatureEntry

  /// Creates an expectation.
  ///
  /// - Throws: `NotationSyntaxError` if an ignored path is invalid.
  init(
    ignoring: [String],
    isStrict: Bool,
    isContinuing: Bool,
    feature: FeatureEntry
  ) throws {
    options = LogComparison.Options(
      ignored: try ignoring.flatMap { try ValuePath(parsing: $0).ignored },
      isStrict: isStrict
    )
    self.isContinuing = isContinuing
    self.feature = feature
  }

  /// Replays the logs, and reports an issue for each log that diverges.
  @MainActor
  func check(
    logsAt path: String,
    named name: String? = nil,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) throws {
    let logs = try ReplayedLog.check(
      logsAt: path,
      named: name,
      of: feature,
      options: options,
      isContinuing: isContinuing
    )
    for log in logs where !log.isSame {
      // The observer is called before the issue is reported, because the issue may end the test.
      FailedReplay.observer?(FailedReplay(log: log, feature: feature, options: options))
      reportIssue(log.text, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

extension FeatureEntry {
  /// Creates a feature that replays all logs of a test, regardless of the feature names in the logs.
  init<R: Reducer>(
    reducer: @escaping @Sendable () -> R,
    initialState: (@Sendable () -> R.State)?,
    migrations: [Migration]
  ) {
    self.init(
      name: LogTypeName.of(R.self),
      stateType: LogTypeName.of(R.State.self),
      schemaVersion: SchemaVersion.of(R.State.self),
      migrations: migrations
    ) {
      ReducerEngine(reducer: reducer, initialState: initialState)
    }
  }
}

extension ValuePath {
  /// The JSON Pointers to which the text of an ignored path expands.
  ///
  /// - Throws: `NotationSyntaxError` for rows with an ID, which a JSON Pointer can't express.
  fileprivate var ignored: [JSON.Pointer] {
    get throws(NotationSyntaxError) {
      guard let patterns else {
        throw NotationSyntaxError(
          text: description,
          column: 1,
          found: nil,
          expected: "a place without the ids of rows"
        )
      }
      return patterns
    }
  }
}
