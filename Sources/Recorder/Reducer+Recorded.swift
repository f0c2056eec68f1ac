import ActionLog
public import ActionRecording
public import TCACore

extension Reducer {
  /// Writes every action, every state change and every effect's life to a log.
  ///
  /// ```swift
  /// Store(initialState: AppFeature.State()) {
  ///   AppFeature()
  ///     .recorded(to: .file("session.jsonl"))
  /// }
  /// ```
  ///
  /// The recording begins with the first action. It never changes what the reducer does: when the log cannot be
  /// written, the recorder says so once on standard error, the app runs on, and the log goes on with a gap as soon as it can.
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the log, by which a replay finds it; the reducer's type name if it is left out.
  ///   - destination: Where the log goes.
  ///   - fileID: The file of the call, which with line and column tells one recording in a store from another.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The same reducer, recorded.
  @warn_unqualified_access
  public func recorded(
    as name: String? = nil,
    to destination: LogDestination,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    RecordedReducer(
      base: self,
      feature: name ?? LogTypeName.of(Self.self),
      configuration: RecorderConfiguration(destination),
      recorder: nil,
      place: AttachmentKey(fileID: "\(fileID)", line: line, column: column, path: [])
    )
  }

  /// Writes every action, every state change and every effect's life to the logs of a recorder that the app has set up.
  ///
  /// ```swift
  /// let recorder = Recorder(RecorderConfiguration(.ring("flight.jsonl", megabytes: 8)))
  /// Store(initialState: AppFeature.State()) {
  ///   AppFeature()
  ///     .recorded(to: recorder)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the log, by which a replay finds it; the reducer's type name if it is left out.
  ///   - recorder: The recorder, which must outlive the call only.
  ///   - fileID: The file of the call, which with line and column tells one recording in a store from another.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The same reducer, recorded.
  @warn_unqualified_access
  public func recorded(
    as name: String? = nil,
    to recorder: Recorder,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    RecordedReducer(
      base: self,
      feature: name ?? LogTypeName.of(Self.self),
      configuration: recorder.configuration,
      recorder: recorder,
      place: AttachmentKey(fileID: "\(fileID)", line: line, column: column, path: [])
    )
  }
}
