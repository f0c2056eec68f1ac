import ActionLog
import ReplayEngine
internal import TCACore

/// What a test expects of logs: that a feature does what they hold.
struct ReplayExpectation {
  private let options: LogComparison.Options
  private let isContinuing: Bool
  private let feature: FeatureEntry

  /// An expectation.
  ///
  /// - Throws: `JSON.Pointer.SyntaxError`.
  init(
    ignoring: [String],
    isStrict: Bool,
    isContinuing: Bool,
    feature: FeatureEntry
  ) throws {
    options = LogComparison.Options(
      ignored: try ignoring.map { try JSON.Pointer(parsing: $0) },
      isStrict: isStrict
    )
    self.isContinuing = isContinuing
    self.feature = feature
  }

  /// Replays the logs and reports those that are not the same.
  func check(
    logsAt path: String,
    named name: String? = nil,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) throws {
    let logs = try CheckedLog.check(
      logsAt: path,
      named: name,
      of: feature,
      options: options,
      isContinuing: isContinuing
    )
    for log in logs where !log.isSame {
      reportIssue(log.text, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

extension FeatureEntry {
  /// The feature of a test, whatever the logs call it.
  package init<R: Reducer>(
    reducer: @escaping @Sendable () -> R,
    initialState: (@Sendable () -> R.State)?,
    schemaVersion: Int?,
    migrations: [Migration]
  ) {
    self.init(
      name: LogTypeName.of(R.self),
      stateType: LogTypeName.of(R.State.self),
      schemaVersion: schemaVersion,
      migrations: migrations
    ) {
      ReducerEngine(reducer: reducer, initialState: initialState)
    }
  }
}
