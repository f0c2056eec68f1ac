/// Checks a condition that only a programmer's error can break.
///
/// ```swift
/// @Dependency(\.assert) var assert
/// assert(index < rows.count, "There is no such row.")
/// ```
///
/// In tests a failure is an issue, and the test goes on; so what follows a failure can be tested.
public struct AssertionEffect: Sendable {
  /// Takes the condition, the message, the file and the line.
  public typealias Check =
    @Sendable (() -> Bool, () -> String, StaticString, UInt) -> Void

  private let check: Check

  /// Makes one of a function.
  public init(_ check: @escaping Check) {
    self.check = check
  }

  /// Checks a condition.
  ///
  /// - Parameters:
  ///   - condition: What must hold.
  ///   - message: What to say when it does not.
  ///   - file: The path of the file to blame.
  ///   - line: The line to blame.
  public func callAsFunction(
    _ condition: @autoclosure () -> Bool,
    _ message: @autoclosure () -> String = String(),
    file: StaticString = #filePath,
    line: UInt = #line
  ) {
    check(condition, message, file, line)
  }

  fileprivate static func issue(_ name: String) -> AssertionEffect {
    AssertionEffect { condition, message, file, line in
      guard !condition() else { return }
      let location = IssueLocation(fileID: file, filePath: file, line: line, column: 1)
      reportIssue(Messages.failed(name, message()), at: location)
    }
  }
}

/// Reports that something has come about which only a programmer's error can bring about.
///
/// ```swift
/// @Dependency(\.assertionFailure) var assertionFailure
/// assertionFailure("A row that is gone was tapped.")
/// ```
public struct AssertionFailureEffect: Sendable {
  private let fail: @Sendable (() -> String, StaticString, UInt) -> Void

  /// Makes one of a function that takes the message, the file and the line.
  public init(_ fail: @escaping @Sendable (() -> String, StaticString, UInt) -> Void) {
    self.fail = fail
  }

  /// Reports it.
  ///
  /// - Parameters:
  ///   - message: What has come about.
  ///   - file: The path of the file to blame.
  ///   - line: The line to blame.
  public func callAsFunction(
    _ message: @autoclosure () -> String = String(),
    file: StaticString = #filePath,
    line: UInt = #line
  ) {
    fail(message, file, line)
  }
}

private enum AssertKey: DependencyKey {
  static let liveValue = AssertionEffect { Swift.assert($0(), $1(), file: $2, line: $3) }
  static let testValue = AssertionEffect.issue("assert")
}

private enum PreconditionKey: DependencyKey {
  static let liveValue = AssertionEffect { Swift.precondition($0(), $1(), file: $2, line: $3) }
  static let testValue = AssertionEffect.issue("precondition")
}

private enum AssertionFailureKey: DependencyKey {
  static let liveValue = AssertionFailureEffect { Swift.assertionFailure($0(), file: $1, line: $2) }
  static let testValue = AssertionFailureEffect { message, file, line in
    let location = IssueLocation(fileID: file, filePath: file, line: line, column: 1)
    reportIssue(Messages.failed("assertionFailure", message()), at: location)
  }
}

extension DependencyValues {
  /// Checks a condition in debug builds.
  public var assert: AssertionEffect {
    get { self[AssertKey.self] }
    set { self[AssertKey.self] = newValue }
  }

  /// Reports a programmer's error in debug builds.
  public var assertionFailure: AssertionFailureEffect {
    get { self[AssertionFailureKey.self] }
    set { self[AssertionFailureKey.self] = newValue }
  }

  /// Checks a condition in all builds: a failure ends the program, in a test it is an issue.
  ///
  /// ```swift
  /// @Dependency(\.precondition) var precondition
  /// precondition(!state.rows.isEmpty, "The list is never empty.")
  /// ```
  public var precondition: AssertionEffect {
    get { self[PreconditionKey.self] }
    set { self[PreconditionKey.self] = newValue }
  }
}
