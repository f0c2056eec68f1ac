import ActionLog
public import ActionRecording
public import TCACore

extension Reducer {
  /// Writes actions, state changes, and effect events to a log.
  ///
  /// ```swift
  /// Store(initialState: AppFeature.State()) {
  ///   AppFeature()
  ///     .recorded(to: .file("session.jsonl"))
  /// }
  /// ```
  ///
  /// The recording begins with the first action, and never changes the reducer's behavior. If the log can't be written,
  /// the recorder reports this once on standard error, and the app continues. The log continues after a gap when
  /// writing succeeds again.
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the log, by which a replay finds it. The default is the reducer's type name.
  ///   - destination: The location to which the log is written.
  ///   - fileID: The file that contains the call. File, line, and column identify a recording in a store.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A reducer that behaves like this one and records its actions.
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
      place: StoreAttachmentKey(fileID: "\(fileID)", line: line, column: column, path: [])
    )
  }

  /// Writes actions, state changes, and effect events to the logs of an app's recorder.
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
  ///   - recorder: The recorder whose configuration applies. It need not be retained after this call.
  ///   - fileID: The file that contains the call. File, line, and column identify a recording in a store.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A reducer that behaves like this one and records its actions.
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
      place: StoreAttachmentKey(fileID: "\(fileID)", line: line, column: column, path: [])
    )
  }
}
