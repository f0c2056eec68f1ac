import ActionLog
public import ActionRecording
public import TCACore

extension Reducer {
  /// Writes actions, state changes and effect events to a log.
  ///
  /// ```swift
  /// Store(initialState: AppFeature.State()) {
  ///   AppFeature()
  ///     .recorded(to: .file("session.jsonl"))
  /// }
  /// ```
  ///
  /// The recording begins with the first action. It never changes the reducer's behavior. When the log can't be
  /// written,
  /// the recorder reports it once on standard error, and the app continues. The log continues after a gap as soon as
  /// writing succeeds.
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the log, by which a replay finds it. The default is the reducer's type name.
  ///   - destination: The destination of the log.
  ///   - fileID: The file of the call. File, line and column identify a recording in a store.
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

  /// Writes actions, state changes and effect events to the logs of an app's recorder.
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
  ///   - name: The name of the feature in the log, by which a replay finds it. The default is the reducer's type name.
  ///   - recorder: The recorder. It only has to outlive this call.
  ///   - fileID: The file of the call. File, line and column identify a recording in a store.
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
