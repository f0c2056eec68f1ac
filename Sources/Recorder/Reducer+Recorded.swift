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
  /// written, the recorder says so once on standard error, and the app runs on.
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
      destination: destination,
      place: AttachmentKey(fileID: "\(fileID)", line: line, column: column, path: [])
    )
  }
}
