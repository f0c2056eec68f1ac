extension TestStore {
  /// A step of a test that is written as a list.
  ///
  /// ```swift
  /// await store.assert(.send(.tap) { $0.count = 1 })
  /// ```
  @MainActor
  public struct Step {
    fileprivate let run: @MainActor (TestStore) async -> Void
  }

  /// Runs the steps of a test in order.
  ///
  /// ```swift
  /// await store.assert(
  ///   .send(.search("S")) { $0.query = "S" },
  ///   .do { await clock.advance(by: .seconds(1)) },
  ///   .receive(.response("Swift")) { $0.result = "Swift" }
  /// )
  /// ```
  ///
  /// - Parameter steps: The steps.
  @available(*, deprecated, message: "Call \"send\" and \"receive\" one after the other.")
  public func assert(_ steps: Step...) async {
    await assert(steps)
  }

  /// Runs the steps of a test in order.
  @available(*, deprecated, message: "Call \"send\" and \"receive\" one after the other.")
  public func assert(_ steps: [Step]) async {
    for step in steps { await step.run(self) }
  }

  /// Changes the environment of an `AnyReducer` for the actions that follow.
  ///
  /// - Parameters:
  ///   - type: The type of the environment.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - update: Changes the environment.
  @available(*, deprecated, message: "Use \"dependencies\".")
  public func environment<Environment>(
    _ type: Environment.Type = Environment.self,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    update: (inout Environment) -> Void
  ) {
    guard let environment = legacyEnvironment as? TestEnvironment<Environment> else {
      let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
      return reportIssue(Messages.noEnvironment(type), at: location)
    }
    update(&environment.value)
  }
}

@available(*, deprecated)
@MainActor
extension TestStore.Step {
  /// Sends an action and asserts the state changes.
  public static func send(
    _ action: Action,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ update: ((_ state: inout State) throws -> Void)? = nil
  ) -> Self {
    Self {
      await $0.send(
        action,
        assert: update,
        fileID: fileID,
        file: filePath,
        line: line,
        column: column
      )
    }
  }

  /// Receives an action from an effect and asserts the state changes.
  public static func receive(
    _ action: Action,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ update: ((_ state: inout State) throws -> Void)? = nil
  ) -> Self where Action: Equatable {
    Self {
      await $0.receive(
        action,
        assert: update,
        fileID: fileID,
        file: filePath,
        line: line,
        column: column
      )
    }
  }

  /// Performs work between two steps, such as advancing a clock.
  ///
  /// An error reports an issue.
  public static func `do`(
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping @MainActor () async throws -> Void
  ) -> Self {
    Self { _ in
      do {
        try await work()
      } catch {
        reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
      }
    }
  }

  /// Changes the environment for the steps that follow.
  ///
  /// The closure must state the type of the environment: `.environment { (environment: inout AppEnvironment) in ... }`.
  public static func environment<Environment>(
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ update: @escaping (inout Environment) -> Void
  ) -> Self {
    Self {
      $0.environment(
        Environment.self,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column,
        update: update
      )
    }
  }

  /// Combines several steps into one.
  public static func sequence(_ steps: Self...) -> Self {
    sequence(steps)
  }

  /// Combines several steps into one.
  public static func sequence(_ steps: [Self]) -> Self {
    Self { store in for step in steps { await step.run(store) } }
  }
}
