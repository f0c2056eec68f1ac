public import ComposableArchitecture

extension CasePathable {
  /// Changes the associated value of a case.
  ///
  /// Unlike `modify`, it takes a closure that can throw:
  ///
  /// ```swift
  /// try $0.path[id: 0]?.change(\.detail) {
  ///   $0.alert = try logged(#"{"title":"Stop?","message":null,"buttons":[]}"#)
  /// }
  /// ```
  ///
  /// Reports an issue if the value has another case.
  ///
  /// - Parameters:
  ///   - keyPath: The case.
  ///   - body: Changes the associated value.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: The errors of `body`.
  public mutating func change<Payload>(
    _ keyPath: CaseKeyPath<Self, Payload>,
    _ body: (inout Payload) throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) rethrows {
    let path = AnyCasePath(keyPath)
    guard var payload = path.extract(from: self) else {
      let message = "expected another case than that of \(String(describing: self).prefix(100))"
      return reportIssue(message, fileID: fileID, filePath: filePath, line: line, column: column)
    }
    try body(&payload)
    self = path.embed(payload)
  }
}
