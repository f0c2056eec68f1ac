extension Effect {
  /// Lets an effect be cancelled by an id while it runs.
  ///
  /// ```swift
  /// .run { send in ... }.cancellable(id: CancelID.search, cancelInFlight: true)
  /// ```
  ///
  /// - Parameters:
  ///   - id: A value of a type of the feature's own, such as a private enum.
  ///   - cancelInFlight: Whether effects under the same id are cancelled when this one starts.
  /// - Returns: The effect.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    // One that does nothing still cancels what is in flight.
    if isNone && !cancelInFlight { return self }
    return Effect(
      operation: .cancellable(self, CancelID(here: id), cancelInFlight: cancelInFlight)
    )
  }

  /// Cancels the effects that run under an id in this feature and those presented by it.
  ///
  /// - Parameters:
  ///   - id: The id given to `cancellable(id:)`.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  public static func cancel(
    id: some Hashable & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Effect(operation: .cancel(CancelID(here: id), location))
  }
}
