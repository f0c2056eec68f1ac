extension TestStore {
  /// One step of a test that is written as a list.
  ///
  /// ```swift
  /// await store.assert(.send(.tap) { $0.count = 1 })
  /// ```
  @MainActor
  public struct Step {
    fileprivate let run: @MainActor (TestStore) async -> Void
  }

  /// Takes the steps of a test, one after the other.
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

  /// Takes the steps of a test, one after the other.
  @available(*, deprecated, message: "Call \"send\" and \"receive\" one after the other.")
  public func assert(_ steps: [Step]) async {
    for step in steps { await step.run(self) }
  }

  /// Changes the environment of a feature of the oldest style, for the actions that come after it.
  ///
  /// - Parameters:
  ///   - type: The type of the environment.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - update: Changes it.
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
  /// Sends an action and asserts how it changes the state.
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

  /// Receives an action from an effect and asserts how it changes the state.
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

  /// Does something between two steps, such as to advance a clock; an error in it is an issue.
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
  /// State the type of the environment: `.environment { (environment: inout AppEnvironment) in ... }`.
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

  /// Several steps as one.
  public static func sequence(_ steps: Self...) -> Self {
    sequence(steps)
  }

  /// Several steps as one.
  public static func sequence(_ steps: [Self]) -> Self {
    Self { store in for step in steps { await step.run(store) } }
  }
}
