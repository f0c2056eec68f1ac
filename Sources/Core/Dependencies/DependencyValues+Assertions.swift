/// A function that checks a condition that only a programming error can violate.
///
/// ```swift
/// @Dependency(\.assert) var assert
/// assert(index < rows.count, "There is no such row.")
/// ```
///
/// In tests, a failure is an issue and the test continues, so that the code after the failure can be tested too.
public struct AssertionEffect: Sendable {
  /// A function that checks a condition.
  ///
  /// The other parameters are the message of a failure, and the file and line that the failure names.
  public typealias Check =
    @Sendable (() -> Bool, () -> String, StaticString, UInt) -> Void

  private let check: Check

  /// Creates an effect that calls a function to check a condition.
  public init(_ check: @escaping Check) {
    self.check = check
  }

  /// Checks a condition.
  ///
  /// - Parameters:
  ///   - condition: The condition that must hold.
  ///   - message: The message to report if the condition is `false`.
  ///   - file: The path of the file that a failure names.
  ///   - line: The line that a failure names.
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

/// A function that reports a failure that only a programming error can cause.
///
/// ```swift
/// @Dependency(\.assertionFailure) var assertionFailure
/// assertionFailure("A row that is gone was tapped.")
/// ```
public struct AssertionFailureEffect: Sendable {
  private let fail: @Sendable (() -> String, StaticString, UInt) -> Void

  /// Creates an effect that calls a function with the message, the file, and the line of a failure.
  public init(_ fail: @escaping @Sendable (() -> String, StaticString, UInt) -> Void) {
    self.fail = fail
  }

  /// Reports a failure.
  ///
  /// - Parameters:
  ///   - message: The message to report.
  ///   - file: The path of the file that the failure names.
  ///   - line: The line that the failure names.
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
  /// A function that checks a condition in debug builds, and in tests reports an issue if the condition is `false`.
  public var assert: AssertionEffect {
    get { self[AssertKey.self] }
    set { self[AssertKey.self] = newValue }
  }

  /// A function that reports a programming error in debug builds, and in tests reports an issue.
  public var assertionFailure: AssertionFailureEffect {
    get { self[AssertionFailureKey.self] }
    set { self[AssertionFailureKey.self] = newValue }
  }

  /// A function that checks a condition in all builds.
  ///
  /// In an app, a failure ends the program. In tests, a failure is an issue.
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
