extension CasePathable {
  /// The payload of a case, nil when the value stands in another one.
  ///
  /// Setting replaces the payload; it does nothing when the value stands in another case.
  public subscript<Payload>(case keyPath: CaseKeyPath<Self, Payload>) -> Payload? {
    get { AnyCasePath(keyPath).extract(from: self) }
    set {
      let path = AnyCasePath(keyPath)
      guard let newValue, path.extract(from: self) != nil else { return }
      self = path.embed(newValue)
    }
  }

  /// The payload of a case whose type is not stated, nil when the value stands in another one.
  ///
  /// ```swift
  /// let paths: [PartialCaseKeyPath<Action>] = [\.rename, \.tap]
  /// let payloads = paths.compactMap { action[case: $0] }
  /// ```
  @_disfavoredOverload
  public subscript(case keyPath: PartialCaseKeyPath<Self>) -> Any? {
    (Case<Self>()[keyPath: keyPath] as? any PartialCase)?.extract(from: self)
  }

  /// The payload of a case as a property, for enums marked `@dynamicMemberLookup`.
  public subscript<Payload>(
    dynamicMember keyPath: KeyPath<AllCasePaths, AnyCasePath<Self, Payload>>
  ) -> Payload? {
    Self.allCasePaths[keyPath: keyPath].extract(from: self)
  }

  /// Whether the value stands in a case.
  ///
  /// ```swift
  /// if state.is(\.loading) { ... }
  /// ```
  public func `is`(_ keyPath: PartialCaseKeyPath<Self>) -> Bool {
    (Case<Self>()[keyPath: keyPath] as? any PartialCase)?.extract(from: self) != nil
  }

  /// Changes the payload of a case in place, and reports an issue when the value stands in another.
  ///
  /// - Parameters:
  ///   - keyPath: The case.
  ///   - body: Changes the payload.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public mutating func modify<Payload>(
    _ keyPath: CaseKeyPath<Self, Payload>,
    _ body: (inout Payload) -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let path = AnyCasePath(keyPath)
    guard var payload = path.extract(from: self) else {
      reportIssue(
        Messages.modifiedUnrelatedCase(of: self),
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
      )
      return
    }
    body(&payload)
    self = path.embed(payload)
  }
}

extension CasePathable where AllCasePaths: CasePathReflectable<Self> {
  /// The path of the case that the value stands in.
  ///
  /// ```swift
  /// if action.case == \.tap { ... }
  /// ```
  public var `case`: PartialCaseKeyPath<Self> { Self.allCasePaths[self] }
}
