extension TestStore {
  /// Asserts what the state is, without a step.
  ///
  /// ```swift
  /// store.assert { $0.count = 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - update: Sets what is expected of the state.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func assert(
    _ update: (_ state: inout State) throws -> Void,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let now = record.asserted
    withoutActuallyEscaping(update) {
      check(from: now, to: now, $0, mustChange: false, at: location)
    }
  }

  /// Runs an operation in which another exhaustivity holds.
  ///
  /// - Parameters:
  ///   - exhaustivity: How much of the operation has to be asserted.
  ///   - operation: What is run.
  /// - Returns: What the operation returns.
  @discardableResult
  public func withExhaustivity<R>(
    _ exhaustivity: Exhaustivity,
    operation: () throws -> R
  ) rethrows -> R {
    let before = self.exhaustivity
    defer { self.exhaustivity = before }
    self.exhaustivity = exhaustivity
    return try operation()
  }

  /// Runs an asynchronous operation in which another exhaustivity holds.
  ///
  /// - Parameters:
  ///   - exhaustivity: How much of the operation has to be asserted.
  ///   - operation: What is run.
  /// - Returns: What the operation returns.
  @discardableResult
  public func withExhaustivity<R>(
    _ exhaustivity: Exhaustivity,
    operation: () async throws -> R
  ) async rethrows -> R {
    let before = self.exhaustivity
    defer { self.exhaustivity = before }
    self.exhaustivity = exhaustivity
    return try await operation()
  }

  /// Runs an operation in which other dependencies hold for the store.
  ///
  /// - Parameters:
  ///   - update: Sets dependencies.
  ///   - operation: What is run.
  /// - Returns: What the operation returns.
  @discardableResult
  public func withDependencies<R>(
    _ update: (_ dependencies: inout DependencyValues) throws -> Void,
    operation: () throws -> R
  ) rethrows -> R {
    let before = dependencies
    defer { dependencies = before }
    var changed = before
    try DependencyDefaults.$isSetting.withValue(true) { try update(&changed) }
    dependencies = changed
    return try operation()
  }

  /// Runs an asynchronous operation in which other dependencies hold for the store.
  ///
  /// - Parameters:
  ///   - update: Sets dependencies.
  ///   - operation: What is run.
  /// - Returns: What the operation returns.
  @discardableResult
  public func withDependencies<R>(
    _ update: (_ dependencies: inout DependencyValues) throws -> Void,
    operation: () async throws -> R
  ) async rethrows -> R {
    let before = dependencies
    defer { dependencies = before }
    var changed = before
    try DependencyDefaults.$isSetting.withValue(true) { try update(&changed) }
    dependencies = changed
    return try await operation()
  }
}
