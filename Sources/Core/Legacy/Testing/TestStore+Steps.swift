extension TestStore {
  /// A step of a test that is written as a list of steps.
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
  /// - Parameter steps: The steps to run.
  @available(*, deprecated, message: "Call \"send\" and \"receive\" one after the other.")
  public func assert(_ steps: Step...) async {
    await assert(steps)
  }

  /// Runs the steps of an array in order.
  @available(*, deprecated, message: "Call \"send\" and \"receive\" one after the other.")
  public func assert(_ steps: [Step]) async {
    for step in steps { await step.run(self) }
  }

  /// Changes the environment of an `AnyReducer` for the actions that follow.
  ///
  /// - Parameters:
  ///   - type: The type of the environment, which determines `update`'s parameter.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  ///   - update: A closure that changes the environment.
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
  /// Creates a step that sends an action and asserts the state changes that the action causes.
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

  /// Creates a step that waits for an effect to send an action, and asserts the state changes that the action causes.
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

  /// Creates a step that runs an operation, such as advancing a clock.
  ///
  /// If the operation throws an error, the step reports an issue.
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

  /// Creates a step that changes the environment for the steps that follow.
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

  /// Creates a step that runs several steps in order.
  public static func sequence(_ steps: Self...) -> Self {
    sequence(steps)
  }

  /// Creates a step that runs the steps of an array in order.
  public static func sequence(_ steps: [Self]) -> Self {
    Self { store in for step in steps { await step.run(store) } }
  }
}
