import ActionLog
public import Foundation
import ReplayEngine
public import TCACore

/// Replays a recorded log in a test and fails the test where the feature differs.
///
/// ```swift
/// @Test(arguments: try replayLogs(in: folder))
/// func bugsStayFixed(log: URL) async throws {
///   try await expectReplay(of: log) { AppFeature() }
/// }
/// ```
///
/// The failure shows the first divergence as a diff. Works with Swift Testing and XCTest, and wherever tests run: an app
/// that builds only for a phone needs no executable. A folder is walked for `*.jsonl`. A trap ends the tests.
///
/// - Parameters:
///   - url: A log, or a folder of logs.
///   - ignoring: The parts of the state that are not compared, such as `clock` or `rows[*].seen`, or as JSON Pointers; `*`
///     stands for each member or element.
///   - isStrict: Whether added or removed members are a divergence, and a value that was not compared is a failure.
///   - isContinuing: Whether the replay continues after a divergence, from the recorded state, so that the failure shows all.
///   - migrations: The migrations of older logs, in the order of their versions.
///   - reducer: Makes the reducer.
///   - initialState: Makes the initial state; it has the values of members that a log lacks.
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
/// - Throws: `LogReadError` when there is no such log, an error that says where the text of a part is invalid.
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

/// Replays a log that a test holds as text and fails the test where the feature differs.
///
/// `tca-replay test LOG -o FILE.swift` writes such tests.
///
/// - Parameters:
///   - lines: The lines of the log.
///   - ignoring: The parts of the state that are not compared, such as `clock` or `rows[*].seen`, or as JSON Pointers; `*`
///     stands for each member or element.
///   - isStrict: Whether added or removed members are a divergence, and a value that was not compared is a failure.
///   - isContinuing: Whether the replay continues after a divergence, from the recorded state, so that the failure shows all.
///   - migrations: The migrations of older logs, in the order of their versions.
///   - reducer: Makes the reducer.
///   - initialState: Makes the initial state; it has the values of members that a log lacks.
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
/// - Throws: an error that says where the text of a part is invalid, and the system's errors: the text is written to a temporary
///   file.
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

/// The logs in a folder and the folders within it, as arguments for a test: the `*.jsonl` files, by name.
///
/// - Throws: An error when there are none.
public func replayLogs(in folder: URL) throws -> [URL] {
  try ReplayedLog.files(in: folder)
}

/// The expectation of a test that the replays of logs match.
struct ReplayExpectation {
  private let options: LogComparison.Options
  private let isContinuing: Bool
  private let feature: FeatureEntry

  /// An expectation.
  ///
  /// - Throws: `NotationSyntaxError`.
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

  /// Replays the logs and reports those that are not the same.
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
      // Before the issue: a test may end with it.
      FailedReplay.observer?(FailedReplay(log: log, feature: feature, options: options))
      reportIssue(log.text, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

extension FeatureEntry {
  /// The feature of a test, whatever the logs call it.
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
  /// The pointers that a part of the state stands for.
  ///
  /// - Throws: `NotationSyntaxError` for rows with an id, which no pointer stands for.
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
